"""Code symbols: what a scan finds, and whether what is being written is there already."""
