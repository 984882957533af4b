"""The command lines that hosts run on their events, how they are written, read back and run, and what they start."""
