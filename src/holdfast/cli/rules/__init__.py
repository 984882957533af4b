"""``holdfast rules``."""
