"""Holdfast keeps AI coding agents attached to their rules, their memory and their place in the work."""

__version__ = "0.1.0"
