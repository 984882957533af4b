"""What a block would hold and why, for people."""
