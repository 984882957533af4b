"""Cursor: its events, tools and settings."""

HOST = "cursor"
