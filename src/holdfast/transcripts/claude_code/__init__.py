"""Claude Code's transcript: one JSON object a line."""
