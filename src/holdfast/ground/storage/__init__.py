"""The disk: atomic and durable writes, locks, the event log."""
