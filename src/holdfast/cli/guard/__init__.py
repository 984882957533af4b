"""``holdfast guard`` and ``holdfast constitution``."""
