"""Explains to people what a block would hold and why."""
