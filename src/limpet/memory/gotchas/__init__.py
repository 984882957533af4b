"""Errors that keep coming back: their signature and kind, the log of failed tools, and the gotchas found in it."""
