"""The session lock and the ways to ask for it."""
