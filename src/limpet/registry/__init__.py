"""What exists in a project: artifacts and code, computed from the files, so that nobody keeps a list."""
