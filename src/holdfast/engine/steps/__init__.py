"""What each event does, step by step."""
