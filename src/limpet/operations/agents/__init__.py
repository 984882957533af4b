"""What the doors do with agents: chosen, listed, shown, made."""
