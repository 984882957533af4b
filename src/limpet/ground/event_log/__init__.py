"""The event log: JSON lines that say who did what, when and why, one file for each writer (decision 44)."""
