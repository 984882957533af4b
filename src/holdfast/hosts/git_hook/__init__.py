"""Git's own hook before a push: what is written into it, and what it asks."""
