"""``holdfast mcp``: starts the MCP server."""

from __future__ import annotations

import os
from importlib.util import find_spec

import click

from holdfast.ground.errors import HoldfastError


@click.command()
@click.option("--project", "folder", metavar="DIR", default="", help="Serve the project around this folder.")
def mcp(folder: str) -> None:
    """Serve memories, rules and work to an MCP client.

    Clients start it, and speak to it over stdin and stdout. Without --project it serves the project around the folder
    that the client works in.

    \b
    Examples:
      holdfast mcp
      holdfast mcp --project ~/shop
    """
    if folder and not os.path.isdir(folder):
        raise HoldfastError("Not a folder", folder)
    if find_spec("mcp") is None:
        raise HoldfastError("The MCP server needs the extra mcp", "", "Run: pip install 'holdfast[mcp]'")
    from holdfast.mcp.server import serve

    serve(folder)
