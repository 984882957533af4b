"""Rules compiled into the one file that the prompt hook reads."""
