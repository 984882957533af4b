"""The database derived from the entries' files, which the prompt hook reads."""
