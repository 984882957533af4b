"""Data, not code: the texts that Limpet ships, apart from the rooms that read them."""
