"""Checks: commands that Holdfast runs itself, and the content of the working tree that they ran on."""
