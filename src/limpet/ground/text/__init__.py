"""Text: cleaned, split into words, compared, counted in tokens, and said to people in their own language."""
