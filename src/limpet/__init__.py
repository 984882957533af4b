"""Limpet keeps AI coding agents attached to their rules, their memory and their place in the work."""

__version__ = "0.1.0"
SILENT = "LIMPET_SILENT"
"""The environment variable with the token of a model's call that is our own: the hook says and does nothing in it."""
