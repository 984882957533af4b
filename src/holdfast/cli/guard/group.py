"""``holdfast guard``: the group; its commands have files of their own."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands
from holdfast.cli.guard.allow import allow
from holdfast.cli.guard.log import log


@click.group(cls=Commands)
def guard() -> None:
    """See what the guard decided, and let an act through once.

    \b
    Examples:
      holdfast guard log --denied
      holdfast guard allow 3f9a12c4 --reason "hotfix, agreed with Ana"
    """


for command in (log, allow):
    guard.add_command(command)
