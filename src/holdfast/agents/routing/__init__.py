"""Whose work a request is, and first of all whether it needs more than the coding agent itself."""
