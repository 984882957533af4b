"""The entries as Markdown files, which are the truth."""
