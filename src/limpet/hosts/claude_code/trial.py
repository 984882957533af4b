"""Runs our lines as Claude Code does: the hooks, and the status line with them."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.ground.workspace import Workspace
from limpet.hosts.claude_code.install import FILES
from limpet.hosts.claude_code.settings import status_line
from limpet.hosts.commands.lines import STATUS_LINE, HookLine, read_command
from limpet.hosts.doctor.checks import Check
from limpet.hosts.hook_files import trial
from limpet.hosts.hook_files.hooks import read_settings


def try_hooks(workspace: Workspace) -> Iterator[Check]:
    """Run every line of ours, each file's in a throw-away conversation, whose traces are removed afterwards."""
    yield from trial.try_hooks(FILES, workspace, _drawn)


def _drawn(path: str) -> list[tuple[str, HookLine, float]]:
    drawn = status_line(read_settings(path))
    line = read_command(drawn["command"]) if drawn else None
    return [(STATUS_LINE, line, 10.0)] if line else []
