"""Finds lines of a project's instruction files that can become rules. Pure: text in, values out."""
