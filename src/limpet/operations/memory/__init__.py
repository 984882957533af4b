"""The use-cases of memory."""
