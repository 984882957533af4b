"""``holdfast agent``."""
