"""``holdfast spec``."""
