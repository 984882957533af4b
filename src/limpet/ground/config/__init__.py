"""The settings in force: defaults, files, and the mirror in which the prompt hook reads them."""
