"""``limpet rules``."""

from __future__ import annotations

import click

from limpet.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {
            "list": "limpet.cli.rules.read:list_domains",
            "show": "limpet.cli.rules.read",
            "match": "limpet.cli.rules.read",
        },
        "Check": {"check": "limpet.cli.rules.read", "suggest": "limpet.cli.rules.read"},
        "Change": {
            **dict.fromkeys(("add", "edit", "on", "off", "rename", "remove"), "limpet.cli.rules.edit"),
            "adopt": "limpet.cli.rules.adopt",
        },
    },
)
def rules() -> None:
    """List, test, check and change the rules.

    \b
    Examples:
      limpet rules list
      limpet rules match "fix the failing test" --all
      limpet rules edit qa --add-rule "Name the test after the behaviour."
    """
