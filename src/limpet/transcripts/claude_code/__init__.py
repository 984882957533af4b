"""The reader of Claude Code's transcript, which has one JSON object a line."""
