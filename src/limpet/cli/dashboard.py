"""``limpet dashboard``: starts the page."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from limpet.cli.caller import surroundings
from limpet.cli.output import home_as_tilde, require_workspace, show
from limpet.ground.errors import LimpetError
from limpet.hosts.origin import install_line
from limpet.operations.caller import Caller, find_reader
from limpet.operations.project import Project

NEEDED = ("jinja2", "starlette", "uvicorn")
READ_ONLY = "It was started below {}: to change something, the user starts it in a terminal of their own."


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="The port on this machine.  [default: a free one]"
)
@click.option("--no-open", is_flag=True, help="Open no browser.")
def dashboard(port: int, no_open: bool) -> None:
    """See and correct all of it in a browser.

    What reached the agent and why, what was heard and kept, rules, lessons and work. The page is served to this machine
    alone, to whoever has the address that is printed, until you press Ctrl+C. What takes your word asks for one that is
    shown here.

    \b
    Examples:
      limpet dashboard
      limpet dashboard --port 8787 --no-open
    """
    workspace, around, is_attended = require_workspace(), surroundings(), sys.stdin.isatty()
    if not all(map(find_spec, NEEDED)):
        raise LimpetError("The page needs the extra dashboard", hint=f"Run: {install_line('dashboard')}")
    from limpet.page.app import PageScene
    from limpet.page.server import serve_page
    from limpet.page.words import ShownWords

    def caller_at(project: Project, now: float) -> Caller:
        return Caller(find_reader(project.workspace, around, is_attended), now, around)

    find_reader(workspace, around, is_attended)  # which says what is wrong before a browser is opened
    shows = is_attended and not around.host
    words = ShownWords(workspace, (lambda lines: show(lines, err=True)) if shows else None)
    scene = PageScene(workspace, caller_at, words, READ_ONLY.format(around.host) if around.host else "")

    def announce(address: str) -> None:
        click.echo(f"The page of {home_as_tilde(workspace.root)}, until Ctrl+C:")
        click.echo(address)
        sys.stdout.flush()

    serve_page(scene, port, announce, opens=shows and not no_open)
