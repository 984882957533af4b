"""``limpet mcp``: starts the MCP server."""

from __future__ import annotations

import os

import click

from limpet.ground.errors import LimpetError
from limpet.hosts.servers.plans import require_sdk


@click.command()
@click.option("--project", "folder", metavar="DIR", default="", help="Serve the project around this folder.")
@click.option("--folders", nargs=2, default=("", ""), hidden=True, help="The user's folders for state and caches.")
def mcp(folder: str, folders: tuple[str, str]) -> None:
    """Serve memories, rules and work to an MCP client.

    Clients start it, and speak to it over stdin and stdout. Without --project it serves the project around the folder
    that the client works in.

    \b
    Examples:
      limpet mcp
      limpet mcp --project ~/shop
    """
    if folder and not os.path.isdir(folder):
        raise LimpetError("Not a folder", folder)
    require_sdk()
    for name, path in zip(("LIMPET_STATE", "LIMPET_CACHE"), filter(None, folders), strict=False):
        os.environ[name] = path  # clients start servers with few of the user's variables
    from limpet.mcp.server import serve

    serve(folder)
