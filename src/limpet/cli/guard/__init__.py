"""``limpet guard`` and ``limpet constitution``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {
            "test": "limpet.cli.guard.rehearsal",
            "explain": "limpet.cli.guard.explain",
            "log": "limpet.cli.guard.log",
        },
        "Set": {
            "mode": "limpet.cli.guard.mode",
            "allow": "limpet.cli.guard.allow",
            "undo": "limpet.cli.guard.undo",
            "pre-push": "limpet.cli.guard.pre_push",
            "deny-rules": "limpet.cli.guard.deny_rules",
        },
    },
)
def guard() -> None:
    """See and set what agents may do.

    \b
    Examples:
      limpet guard test "git push" --agent dev
      limpet guard explain authority.push
      limpet guard mode ask
    """
