"""What a memory is: the entry, its vocabulary, who may see it, how much it counts now. Pure."""
