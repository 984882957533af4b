"""Codex CLI as a host: its hooks, and its tools as calls that the guard judges."""

HOST = "codex-cli"
