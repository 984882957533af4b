"""What a client's own plugin manager installs: hooks, skill and MCP server, from the same sources as ``init``."""
