"""What framework and project consist of, code too, whether something like a wish exists, and whether all is whole:
computed from the files, so that nobody keeps a list."""
