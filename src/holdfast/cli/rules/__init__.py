"""``holdfast rules``."""

from __future__ import annotations

import click

from holdfast.cli.groups import Commands


@click.group(
    cls=Commands,
    sections={
        "See": {
            "list": "holdfast.cli.rules.read:list_domains",
            "show": "holdfast.cli.rules.read",
            "match": "holdfast.cli.rules.check",
        },
        "Check": {"check": "holdfast.cli.rules.check", "suggest": "holdfast.cli.rules.read"},
        "Change": {
            **dict.fromkeys(("add", "edit", "on", "off", "rename", "remove"), "holdfast.cli.rules.edit"),
            "adopt": "holdfast.cli.rules.adopt",
        },
    },
)
def rules() -> None:
    """List, test, check and change the rules.

    \b
    Examples:
      holdfast rules list
      holdfast rules match "fix the failing test" --all
      holdfast rules edit qa --add-rule "Name the test after the behaviour."
    """
