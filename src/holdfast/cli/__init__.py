"""The command line: one file a command group, imported only when its command runs."""

from __future__ import annotations

import importlib
import os
import sys

import click

from holdfast import __version__
from holdfast.cli.groups import Commands
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.escaping import visible
from holdfast.ground.trust.consent import find_consent
from holdfast.ground.workspace import find_workspace
from holdfast.hosts.commands.launcher_upkeep import mend_launcher
from holdfast.hosts.registration import has_changed, look

COMMANDS = {
    "init": "holdfast.cli.init",
    "uninstall": "holdfast.cli.uninstall",
    "trust": "holdfast.cli.trust",
    "status": "holdfast.cli.status",
    "context": "holdfast.cli.inspect.context",
    "rules": "holdfast.cli.rules.group",
    "agent": "holdfast.cli.agents.group",
    "work": "holdfast.cli.work.group",
    "story": "holdfast.cli.work.story",
    "lock": "holdfast.cli.work.lock",
    "exit": "holdfast.cli.work.lock",
    "resume": "holdfast.cli.work.lock",
    "handoff": "holdfast.cli.work.handoff",
    "spawn": "holdfast.cli.work.spawn",
    "spec": "holdfast.cli.spec.group",
    "guide": "holdfast.cli.guide",
    "guard": "holdfast.cli.guard.group",
    "constitution": "holdfast.cli.guard.constitution",
    "memory": "holdfast.cli.memory.group",
    "gotcha": "holdfast.cli.memory.gotcha",
    "config": "holdfast.cli.config",
    "doctor": "holdfast.cli.doctor",
    "why": "holdfast.cli.inspect.why",
    "log": "holdfast.cli.inspect.log",
    "sessions": "holdfast.cli.inspect.sessions",
    "pause": "holdfast.cli.pause",
    "debug": "holdfast.cli.inspect.debug",
    "demo": "holdfast.cli.demo",
    "completion": "holdfast.cli.completion",
}


SECTIONS = {
    "Start": ("init", "status", "doctor", "demo"),
    "See what your agent gets": ("why", "context", "log", "sessions", "debug", "pause"),
    "Rules and agents": ("rules", "agent", "guard", "constitution"),
    "Memory": ("memory", "gotcha"),
    "Work": ("work", "story", "handoff", "spec", "guide", "resume", "exit", "lock", "spawn"),
    "Settings": ("config", "trust", "completion", "uninstall"),
}


class LazyCommands(Commands):
    """The commands of Holdfast, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the headings."""
        listed = [name for names in SECTIONS.values() for name in names if name in COMMANDS]
        return [*listed, *(name for name in COMMANDS if name not in listed)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(COMMANDS[cmd_name]), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyCommands, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="holdfast")
def holdfast() -> None:
    """Keep AI coding agents to your rules, your memories and their place in the work.

    \b
    Examples:
      holdfast init
      holdfast status
      holdfast context "add a failing test" --explain
      holdfast COMMAND --help
    """


def _tell_of_registration() -> None:
    """Tell whoever sits at a terminal what is newly wrong with the hooks here, in a line on stderr."""
    quiet = {"--json", "completion", "init", "uninstall"}.intersection(sys.argv) or "_HOLDFAST_COMPLETE" in os.environ
    workspace = None if quiet or not sys.stderr.isatty() else find_workspace(os.getcwd())
    if workspace and find_consent(workspace) and has_changed(workspace, unseen=True) and (found := look(workspace)):
        click.echo(f"holdfast: {visible(found)}", err=True)


def run() -> None:
    """Run the command line; what is wrong becomes one line on stderr and exit code 1."""
    mend_launcher()
    _tell_of_registration()
    try:
        holdfast(prog_name="holdfast")
    except (HoldfastError, OSError) as error:
        click.echo(f"holdfast: {error}", err=True)
        sys.exit(1)
