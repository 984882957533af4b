"""``holdfast guard explain|mode``: explains the rules, and sets what agents ask about."""

from __future__ import annotations

import time
from typing import Any

import click

from holdfast.cli.caller import obtain_for, yes_option
from holdfast.cli.completion import complete_rule
from holdfast.cli.output import emit, find_trusted, json_option, require_workspace
from holdfast.cli.table import table
from holdfast.cli.work.output import clear_option, required, session_option, tell_choice
from holdfast.operations.guard.explain import all_rules, find_rule
from holdfast.operations.guard.mode import set_mode


@click.command()
@click.argument("rule", required=False, shell_complete=complete_rule)
@json_option
def explain(rule: str | None, as_json: bool) -> None:
    """Say what a rule is about, or list the rules.

    \b
    Examples:
      holdfast guard explain
      holdfast guard explain mode.scope
    """
    workspace = find_trusted()
    if rule:
        found = find_rule(workspace, rule)
        emit(found, table(_details(found)), as_json)
        return
    rules = all_rules(workspace)
    rows = [(one["id"], "" if one["on"] else "off", one["article"], one["says"]) for one in rules]
    emit(rules, table([("rule", "", "article", "says"), *rows], heading=True), as_json)


@click.command()
@click.argument("name", metavar="explore|ask|auto", required=False)
@clear_option
@session_option
@yes_option
@json_option
def mode(name: str | None, clear: bool, session_id: str | None, agreed: bool, as_json: bool) -> None:
    """Set what agents ask before they do it.

    `explore` asks about all that is not known as reading, `ask` about all that changes something, `auto` about
    nothing; `safe`, `balanced` and `yolo` mean the same. With --clear your coding agent's own mode decides. What the
    guard denies, it denies in each of them. On a person's word; in a conversation, type `*mode ask`.

    \b
    Examples:
      holdfast guard mode ask
      holdfast guard mode explore --session 5f0c2a
      holdfast guard mode --clear
    """
    wanted, workspace = required(name, clear, "a mode"), require_workspace()
    where = f"conversation {session_id}" if session_id else "this project"
    obtain_for(workspace, agreed)(f"Set the permission mode of {where} to {wanted or 'none'}")
    tell_choice(set_mode(workspace, wanted, session_id, time.time()), as_json)


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
