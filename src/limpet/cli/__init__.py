"""The command line: one file a command group, imported only when its command runs."""

from __future__ import annotations

import os
import sys
from io import StringIO

import click

from limpet import __version__
from limpet.cli.groups import Commands
from limpet.ground.errors import LimpetError
from limpet.hosts.commands.upkeep import mend_launcher

EVERYDAY = (
    "init",
    "status",
    "why",
    "log",
    "review",
    "memory search",
    "memory add",
    "memory forget",
    "rules add",
    "rules match",
    "pause",
    "doctor",
)
SECTIONS = {
    "Start": {
        "help": "limpet.cli.help:help_page",
        "init": "limpet.cli.init",
        "status": "limpet.cli.status",
        "doctor": "limpet.cli.doctor",
        "hosts": "limpet.cli.doctor",
        "demo": "limpet.cli.demo",
    },
    "See what your agent gets": {
        "why": "limpet.cli.why",
        "context": "limpet.cli.why",
        "log": "limpet.cli.log",
        "sessions": "limpet.cli.log",
        "debug": "limpet.cli.log",
        "pause": "limpet.cli.log",
    },
    "Rules and agents": {
        "rules": "limpet.cli.rules",
        "agent": "limpet.cli.agents",
        "guard": "limpet.cli.guard",
        "constitution": "limpet.cli.guard.rights",
    },
    "Memory": {
        "memory": "limpet.cli.memory",
        "review": "limpet.cli.review",
        "gotcha": "limpet.cli.memory.gotcha",
        "learn": "limpet.cli.learn",
    },
    "Work": {
        "work": "limpet.cli.work",
        "story": "limpet.cli.work.story",
        "handoff": "limpet.cli.work.handoff",
        "spec": "limpet.cli.spec",
        "resume": "limpet.cli.work.lock",
        "exit": "limpet.cli.work.lock",
        "lock": "limpet.cli.work.lock",
        "spawn": "limpet.cli.work.lock",
    },
    "Settings": {
        "config": "limpet.cli.config",
        "trust": "limpet.cli.trust",
        "completion": "limpet.cli.completion",
        "mcp": "limpet.cli.mcp",
        "package": "limpet.cli.mcp",
        "uninstall": "limpet.cli.uninstall",
    },
}


@click.group(
    cls=Commands, sections=SECTIONS, everyday=EVERYDAY, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="limpet")
def limpet() -> None:
    """Keep AI coding agents to your rules, your memories and their place in the work.

    \b
    Examples:
      limpet init
      limpet why
      limpet COMMAND --help
    """


def _tell_of_registration() -> None:
    """Tell whoever sits at a terminal what is newly wrong with the hooks here, in a line on stderr."""
    quiet = {"--json", "completion", "init", "uninstall"}.intersection(sys.argv) or "_LIMPET_COMPLETE" in os.environ
    if quiet or not sys.stderr.isatty():
        return
    from limpet.ground.trust.consent import find_consent
    from limpet.ground.workspace import find_workspace
    from limpet.hosts.registration import has_changed, look

    workspace = find_workspace(os.getcwd())
    if workspace and find_consent(workspace) and has_changed(workspace, unseen=True) and (found := look(workspace)):
        from limpet.cli.output import tell

        tell(found)


def run() -> None:
    """Run the command line; what is wrong becomes one line on stderr and exit code 1, 2 for a usage error."""
    if sys.argv[1:2] != ["doctor"]:  # which says what is wrong
        mend_launcher()
    _tell_of_registration()
    try:
        sys.exit(limpet(prog_name="limpet", standalone_mode=False))
    except click.Abort:
        click.echo("Aborted!", err=True)
        sys.exit(1)
    except (click.ClickException, LimpetError, OSError) as error:
        from limpet.cli.output import show, tell

        if isinstance(error, click.ClickException):
            error.show(said := StringIO())
            show(said.getvalue().splitlines(), err=True)
            sys.exit(error.exit_code)
        tell(error)
        sys.exit(1)
