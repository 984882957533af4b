"""The entries as Markdown files, which are the truth: their text, their tree, and the only writer of them."""
