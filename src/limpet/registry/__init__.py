"""What framework and project consist of, whether something like a wish exists, and whether all is whole."""
