"""``limpet guard`` and ``limpet constitution``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {
            "test": "limpet.cli.guard.calls",
            "explain": "limpet.cli.guard.calls",
            "log": "limpet.cli.guard.calls",
        },
        "Set": {
            "mode": "limpet.cli.guard.rights",
            "allow": "limpet.cli.guard.rights",
            "undo": "limpet.cli.guard.calls",
            "pre-push": "limpet.cli.guard.rights",
            "deny-rules": "limpet.cli.guard.rights",
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
