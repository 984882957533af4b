"""``limpet mcp``: starts the MCP server."""

from __future__ import annotations

import os

import click

from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import emit, json_option
from limpet.ground.errors import LimpetError
from limpet.hosts.packages import INSTALL, PACKAGES, render_package, write_package
from limpet.hosts.registry import ALIASES
from limpet.hosts.servers import require_sdk


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


@click.command()
@click.argument("host", type=SuggestingChoice([*PACKAGES, *ALIASES]), metavar="HOST")
@click.option("--out", required=True, metavar="DIR", type=click.Path(file_okay=False), help="The package's folder.")
@json_option
def package(host: str, out: str, as_json: bool) -> None:
    """Write a plugin: hooks, skill and MCP server.

    HOST is claude-code (which Copilot CLI and VS Code take too), codex-cli, gemini-cli, cursor or antigravity. DIR is
    new or empty, or holds an older package, which is replaced.

    \b
    Examples:
      limpet package claude-code --out plugin
      limpet package gemini --out extension
    """
    name = ALIASES.get(host, host)
    files = render_package(name)
    write_package(files, out)
    lines = [f"Wrote {len(files)} files to {out}. To install:"]
    lines += [f"  {line.format(os.path.join(os.curdir, out))}" for line in INSTALL[name]]
    emit({"host": name, "folder": os.path.abspath(out), "files": list(files)}, lines, as_json)
