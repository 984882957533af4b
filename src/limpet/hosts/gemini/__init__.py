"""Gemini CLI: its events, tools and settings."""

HOST = "gemini-cli"
