"""Git's own hook before a push: what is written into it, and what it asks."""

REFUSED = 3
"""The code for which the hook's line ends a push; any other is of a Limpet that is not there."""
