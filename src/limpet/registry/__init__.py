"""What the framework and a project consist of, whether something like a wish exists already, and whether all is whole."""
