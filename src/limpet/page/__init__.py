"""The page that ``limpet dashboard`` serves to a browser on this machine: a door like ``cli`` and ``mcp``, which parses
requests, calls what stands in ``operations``, and draws."""
