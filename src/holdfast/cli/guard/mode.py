"""``holdfast guard mode``."""

from __future__ import annotations

import time

import click

from holdfast.cli.caller import obtain_for, yes_option
from holdfast.cli.output import json_option, require_workspace
from holdfast.cli.work.output import clear_option, required, session_option, tell_choice
from holdfast.operations.guard.mode import set_mode


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
    tell_choice(set_mode(workspace, obtain_for(workspace, agreed), wanted, session_id, time.time()), as_json)
