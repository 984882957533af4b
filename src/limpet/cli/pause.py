"""``limpet pause``: takes a conversation out of Limpet from outside; typed in it, ``*private`` does the same."""

from __future__ import annotations

import time

import click

from limpet.cli.caller import obtain_for, yes_option
from limpet.cli.output import SHORT_ID, emit, json_option, require_workspace
from limpet.ground.text.escaping import clip
from limpet.operations.conversations import current_conversation, read_conversation
from limpet.operations.pause import pause as pause_conversation
from limpet.operations.pause import resume
from limpet.operations.sessions import title_of

# Characters of the title by which a person knows the conversation.
LONGEST_TITLE = 50

PAUSED = """Limpet is paused for conversation {}.
Nothing is sent to it until you run: limpet pause --off
Nothing of it is kept, not after that either."""
RESUMED = """Limpet sends rules and memories to conversation {} again.
It still keeps nothing of it, because part of it is private."""
NOT_PAUSED = "Limpet is not paused for conversation {}."


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
      limpet pause
      limpet pause --session 5f0c2a
      limpet pause --off
    """
    workspace = require_workspace()
    state = read_conversation(workspace, session or current_conversation(workspace))
    name, title = str(state["id"]), clip(title_of(workspace, state), LONGEST_TITLE)
    which = f'{name[:SHORT_ID]} ("{title}")' if title else name[:SHORT_ID]
    obtain = obtain_for(workspace, agreed)
    if off:
        text = RESUMED if resume(workspace, obtain, time.time(), name, which) else NOT_PAUSED
    else:
        pause_conversation(workspace, obtain, time.time(), name, which)
        text = PAUSED
    emit({"session": name, "paused": not off}, text.format(name).splitlines(), as_json)
