"""The MCP server (``limpet mcp``): a door for every client that speaks the Model Context Protocol.

Only ``limpet mcp`` imports it: what it stands on, the SDK, is an extra.
"""
