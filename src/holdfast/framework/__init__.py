"""Data, not code: the texts that Holdfast ships, apart from the rooms that read them."""
