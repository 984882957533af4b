"""The project's memories: entries as Markdown files, an index derived from them, search, attention and capture. The
files are the truth. ``library`` is the one interface."""
