"""The reader of Codex CLI's transcript, which has one JSON object a line."""
