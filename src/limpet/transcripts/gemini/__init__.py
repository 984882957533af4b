"""The reader of Gemini CLI's chat file, which has one JSON object a line."""
