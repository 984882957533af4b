"""VS Code: its events, tools and settings."""

HOST = "vscode"
