"""``limpet guard explain``."""

from __future__ import annotations

from typing import Any

import click

from limpet.cli.completion import complete_rule
from limpet.cli.output import emit, find_trusted, json_option
from limpet.cli.table import table
from limpet.operations.guard.explain import all_rules, find_rule


@click.command()
@click.argument("rule", required=False, shell_complete=complete_rule)
@json_option
def explain(rule: str | None, as_json: bool) -> None:
    """Say what a rule is about, or list the rules.

    \b
    Examples:
      limpet guard explain
      limpet guard explain mode.scope
    """
    workspace = find_trusted()
    if rule:
        found = find_rule(workspace, rule)
        emit(found, table(_details(found)), as_json)
        return
    rules = all_rules(workspace)
    rows = [(one["id"], "" if one["on"] else "off", one["article"], one["says"]) for one in rules]
    emit(rules, table([("rule", "", "article", "says"), *rows], heading=True), as_json)


def _details(rule: dict[str, Any]) -> list[tuple[str, str]]:
    state = f"{rule['when']}; switched off by {rule['switch']}" if rule["on"] else f"no: {rule['switch']} is false"
    rows = [
        ("rule", rule["id"]),
        ("says", rule["says"]),
        ("answers", ", ".join(rule["answers"])),
        ("in force", state),
        ("agents", ", ".join(rule["agents"])),
        ("instead", rule["mend"]),
        ("article", rule["article"]),
    ]
    return [(name, value) for name, value in rows if value]
