"""What people do with the guard: test it, read its log, allow an act once."""
