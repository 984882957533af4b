"""Our MCP server in the clients' own configuration: where each reads it, put in and taken out."""
