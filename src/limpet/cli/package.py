"""``limpet package``: writes what a client's own plugin manager installs."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from limpet.cli.groups import Choice
from limpet.cli.output import emit, json_option
from limpet.hosts.packages.render import INSTALL, PACKAGES, render_package
from limpet.hosts.packages.write import write_package
from limpet.hosts.registry import ALIASES


@click.command()
@click.argument("host", type=Choice([*PACKAGES, *ALIASES]), metavar="HOST")
@click.option("--out", required=True, metavar="DIR", type=click.Path(file_okay=False), help="The package's folder.")
@json_option
def package(host: str, out: str, as_json: bool) -> None:
    """Write a plugin: hooks, skill and MCP server.

    HOST is claude-code (which Copilot CLI takes too), codex-cli or gemini-cli. DIR is new or empty, or holds an older
    package, which is replaced.

    \b
    Examples:
      limpet package claude-code --out plugin
      limpet package gemini --out extension
    """
    name = ALIASES.get(host, host)
    files = render_package(name)
    write_package(files, out)
    emit({"host": name, "folder": os.path.abspath(out), "files": list(files)}, _screen(name, out, len(files)), as_json)


def _screen(host: str, out: str, count: int) -> Iterator[str]:
    yield f"Wrote {count} files to {out}. To install:"
    yield from (f"  {line.format(os.path.join(os.curdir, out))}" for line in INSTALL[host])
