"""Checks: commands that Limpet runs itself, and the content of the working tree that they ran on."""
