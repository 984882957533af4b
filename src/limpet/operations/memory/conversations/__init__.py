"""What comes of conversations: memories, a digest and notes of what was said and done in one, and a search over all."""
