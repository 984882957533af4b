"""``limpet guard mode``."""

from __future__ import annotations

import time

import click

from limpet.cli.caller import obtain_for, surroundings, yes_option
from limpet.cli.output import emit, json_option, require_workspace
from limpet.cli.work.output import clear_option, required, session_option, tell_choice
from limpet.operations.conversations import find_conversation
from limpet.operations.guard.mode import find_mode, set_mode


@click.command()
@click.argument("name", metavar="explore|ask|auto", required=False)
@clear_option
@session_option
@yes_option
@json_option
def mode(name: str | None, clear: bool, session_id: str | None, agreed: bool, as_json: bool) -> None:
    """Show or set what agents ask before they do it.

    Without an argument: the mode in force, and what sets it. `explore` asks about all that is not known as reading,
    `ask` about all that changes something, `auto` about nothing; `safe`, `balanced` and `yolo` mean the same. With
    --clear your coding agent's own mode decides. What the guard denies, it denies in each of them. To set one takes a
    person's word; in a conversation, type `*mode ask`.

    \b
    Examples:
      limpet guard mode
      limpet guard mode ask
      limpet guard mode explore --session 5f0c2a
      limpet guard mode --clear
    """
    workspace = require_workspace()
    if not (name or clear):
        own = find_conversation(workspace, session_id) if session_id else surroundings().conversation
        found, place = find_mode(workspace, own)
        said = f"{found} ({place})" if found else "none; your coding agent's own mode decides"
        lines = [f"permission mode: {said}", "To set one: limpet guard mode explore|ask|auto"]
        emit({"permission": found or None, "in": place if found else None}, lines, as_json)
        return
    wanted = required(name, clear, "a mode")
    tell_choice(set_mode(workspace, obtain_for(workspace, agreed), wanted, session_id, time.time()), as_json)
