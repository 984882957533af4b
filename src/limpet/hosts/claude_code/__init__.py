"""Claude Code: its events, settings, skill, status line and checks."""

HOST = "claude-code"
