"""The event log: who did what, when and why, as JSON lines, one file a writer (decision 44)."""
