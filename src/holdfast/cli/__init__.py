"""The command line: one file a command group, imported only when its command runs."""

from __future__ import annotations

import difflib
import importlib
import sys

import click

from holdfast import __version__
from holdfast.ground.errors import HoldfastError
from holdfast.hosts.commands.launcher_upkeep import mend_launcher

COMMANDS = {
    "init": "holdfast.cli.init",
    "uninstall": "holdfast.cli.init",
    "trust": "holdfast.cli.trust",
    "status": "holdfast.cli.status",
    "context": "holdfast.cli.context",
    "rules": "holdfast.cli.rules.group",
    "agent": "holdfast.cli.agent",
    "work": "holdfast.cli.work.group",
    "story": "holdfast.cli.work.story",
    "lock": "holdfast.cli.work.lock",
    "exit": "holdfast.cli.work.lock",
    "resume": "holdfast.cli.work.lock",
    "handoff": "holdfast.cli.work.handoff",
    "spawn": "holdfast.cli.work.spawn",
    "spec": "holdfast.cli.spec.group",
    "memory": "holdfast.cli.memory.group",
    "gotcha": "holdfast.cli.memory.gotcha",
    "config": "holdfast.cli.config",
    "doctor": "holdfast.cli.doctor",
    "debug": "holdfast.cli.debug",
    "demo": "holdfast.cli.demo",
    "completion": "holdfast.cli.completion",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(COMMANDS[cmd_name]), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            if args[0].startswith("-"):
                raise
            close = difflib.get_close_matches(args[0], COMMANDS, 1)
            meant = f"did you mean {close[0]}?" if close else "`holdfast --help` lists them all."
            ctx.fail(f"No such command {args[0]!r}: {meant}")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="holdfast")
def holdfast() -> None:
    """Keeps AI coding agents attached to their rules, their memory and their place in the work.

    \b
    Examples:
      holdfast init
      holdfast status
      holdfast context "add a failing test" --explain
      holdfast COMMAND --help
    """


def run() -> None:
    """Run the command line; what is wrong becomes one line on stderr and exit code 1."""
    mend_launcher()
    try:
        holdfast(prog_name="holdfast")
    except (HoldfastError, OSError) as error:
        click.echo(f"holdfast: {error}", err=True)
        sys.exit(1)
