"""The disk: atomic and durable writes, locks, and JSON lines."""
