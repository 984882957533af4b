"""``holdfast pause``: takes a conversation out of Holdfast from outside; typed in it, ``*private`` does the same."""

from __future__ import annotations

import time

import click

from holdfast.cli.caller import obtain_for, yes_option
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.operations.pause import pause as pause_conversation
from holdfast.operations.pause import resume

PAUSED = """Holdfast is paused for conversation {}.
Nothing is sent to it and nothing of it is kept. To end the pause, run: holdfast pause --off"""
RESUMED = """Holdfast sends rules and memories to conversation {} again.
It still keeps nothing of it, because part of it is private."""
NOT_PAUSED = "Holdfast is not paused for conversation {}."


@click.command()
@click.option("--session", metavar="ID", default="", help="This conversation, not the newest.")
@click.option("--off", is_flag=True, help="End the pause.")
@yes_option
@json_option
def pause(session: str, off: bool, agreed: bool, as_json: bool) -> None:
    """Send nothing to a conversation, keep nothing of it.

    What was kept before stays. A conversation that was private for a time is kept out whole from then on, also after
    the pause. For people only; in the conversation itself, type `*private` and `*private off`.

    \b
    Examples:
      holdfast pause
      holdfast pause --session 5f0c2a
      holdfast pause --off
    """
    workspace = require_workspace()
    which = f"conversation {session}" if session else "the newest conversation"
    obtain_for(workspace, agreed)(f"{'Resume' if off else 'Pause'} Holdfast for {which}")
    if off:
        name, was = resume(workspace, time.time(), session)
        text = RESUMED if was else NOT_PAUSED
    else:
        name, text = pause_conversation(workspace, time.time(), session), PAUSED
    emit({"session": name, "paused": not off}, text.format(name).splitlines(), as_json)
