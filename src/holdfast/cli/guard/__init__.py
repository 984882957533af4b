"""``holdfast guard`` and ``holdfast constitution``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {
            "test": "holdfast.cli.guard.rehearsal",
            "explain": "holdfast.cli.guard.explain",
            "log": "holdfast.cli.guard.log",
        },
        "Set": {
            "mode": "holdfast.cli.guard.mode",
            "allow": "holdfast.cli.guard.allow",
            "undo": "holdfast.cli.guard.undo",
            "pre-push": "holdfast.cli.guard.pre_push",
            "deny-rules": "holdfast.cli.guard.deny_rules",
        },
    },
)
def guard() -> None:
    """See and set what agents may do.

    \b
    Examples:
      holdfast guard test "git push" --agent dev
      holdfast guard explain authority.push
      holdfast guard mode ask
    """
