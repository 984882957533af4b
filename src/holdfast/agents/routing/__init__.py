"""Whose work a request is, and first of all whether it is anybody's but the coding agent's."""
