"""The command line: one file a command group, imported only when its command runs."""

from __future__ import annotations

import os
import sys
from io import StringIO

import click

from holdfast import __version__
from holdfast.cli.groups import Commands
from holdfast.ground.errors import HoldfastError
from holdfast.hosts.commands.launcher_upkeep import mend_launcher

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
        "help": "holdfast.cli.help:help_page",
        "init": "holdfast.cli.init",
        "status": "holdfast.cli.status",
        "doctor": "holdfast.cli.doctor",
        "hosts": "holdfast.cli.hosts",
        "demo": "holdfast.cli.demo",
    },
    "See what your agent gets": {
        "why": "holdfast.cli.inspect.why",
        "context": "holdfast.cli.inspect.context",
        "log": "holdfast.cli.inspect.log",
        "sessions": "holdfast.cli.inspect.sessions",
        "debug": "holdfast.cli.inspect.debug",
        "pause": "holdfast.cli.pause",
    },
    "Rules and agents": {
        "rules": "holdfast.cli.rules",
        "agent": "holdfast.cli.agents",
        "guard": "holdfast.cli.guard",
        "constitution": "holdfast.cli.guard.constitution",
    },
    "Memory": {
        "memory": "holdfast.cli.memory",
        "review": "holdfast.cli.review",
        "gotcha": "holdfast.cli.memory.gotcha",
        "learn": "holdfast.cli.learn",
    },
    "Work": {
        "work": "holdfast.cli.work",
        "story": "holdfast.cli.work.story",
        "handoff": "holdfast.cli.work.handoff",
        "spec": "holdfast.cli.spec",
        "guide": "holdfast.cli.guide",
        "resume": "holdfast.cli.work.lock",
        "exit": "holdfast.cli.work.lock",
        "lock": "holdfast.cli.work.lock",
        "spawn": "holdfast.cli.work.spawn",
    },
    "Settings": {
        "config": "holdfast.cli.config",
        "trust": "holdfast.cli.trust",
        "completion": "holdfast.cli.completion",
        "mcp": "holdfast.cli.mcp",
        "package": "holdfast.cli.package",
        "uninstall": "holdfast.cli.uninstall",
    },
}


@click.group(
    cls=Commands, sections=SECTIONS, everyday=EVERYDAY, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="holdfast")
def holdfast() -> None:
    """Keep AI coding agents to your rules, your memories and their place in the work.

    \b
    Examples:
      holdfast init
      holdfast why
      holdfast COMMAND --help
    """


def _tell_of_registration() -> None:
    """Tell whoever sits at a terminal what is newly wrong with the hooks here, in a line on stderr."""
    quiet = {"--json", "completion", "init", "uninstall"}.intersection(sys.argv) or "_HOLDFAST_COMPLETE" in os.environ
    if quiet or not sys.stderr.isatty():
        return
    from holdfast.ground.trust.consent import find_consent
    from holdfast.ground.workspace import find_workspace
    from holdfast.hosts.registration import has_changed, look

    workspace = find_workspace(os.getcwd())
    if workspace and find_consent(workspace) and has_changed(workspace, unseen=True) and (found := look(workspace)):
        from holdfast.cli.output import tell

        tell(found)


def run() -> None:
    """Run the command line; what is wrong becomes one line on stderr and exit code 1, 2 for a usage error."""
    if sys.argv[1:2] != ["doctor"]:  # which says what is wrong
        mend_launcher()
    _tell_of_registration()
    try:
        sys.exit(holdfast(prog_name="holdfast", standalone_mode=False))
    except click.Abort:
        click.echo("Aborted!", err=True)
        sys.exit(1)
    except (click.ClickException, HoldfastError, OSError) as error:
        from holdfast.cli.output import show, tell

        if isinstance(error, click.ClickException):
            error.show(said := StringIO())
            show(said.getvalue().splitlines(), err=True)
            sys.exit(error.exit_code)
        tell(error)
        sys.exit(1)
