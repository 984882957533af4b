"""``holdfast memory`` and ``holdfast gotcha``."""
