"""Holdfast keeps AI coding agents attached to their rules, their memory and their place in the work."""

__version__ = "0.1.0"
SILENT = "HOLDFAST_SILENT"
"""The environment variable in which the hook says and does nothing: in a model's call that is our own."""
