"""Antigravity: its events, tools and settings."""

HOST = "antigravity"
