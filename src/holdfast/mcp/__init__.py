"""The MCP server (``holdfast mcp``): a door for every client that speaks the Model Context Protocol.

Only ``holdfast mcp`` imports it: what it stands on, the SDK, is an extra.
"""
