"""Private conversations in the hook: the switch typed into a prompt, and the answer to every event while it is on,
which is none. Imported only where a conversation may be private."""

from __future__ import annotations

import os

from holdfast.engine.record import record_private
from holdfast.ground.clock import iso
from holdfast.ground.event import Reply
from holdfast.ground.values import Value
from holdfast.rules.format.star_commands import PRIVATE, RESERVED, find_commands
from holdfast.transcripts.registry import usage_of
from holdfast.work.private import Private, any_private, read_private, write_private
from holdfast.work.session import reopen_epoch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.clock import Clock
    from holdfast.ground.event import Event
    from holdfast.ground.workspace import Workspace

OFF = "off"
PAUSED = "Holdfast is paused for this conversation: nothing is sent or kept. *private off ends it."
RESUMED = (
    "Holdfast sends rules and memories again. It still keeps nothing from this conversation, because part of this "
    "conversation is private."
)
NAMELESS = "Holdfast was not paused: the client does not name this conversation."
UNSAVED = "Holdfast was not paused: its state folder cannot be written. Run: holdfast doctor"
UNLIFTED = "Holdfast is still paused: its state folder cannot be written. Run: holdfast doctor"
IDLE = "Holdfast is paused for this conversation: {} did nothing. *private off ends it."


class Passage(Value):
    """What privacy makes of an event.

    ``reply``: the whole answer, None where the event is handled as usual.
    ``message``: a line for the person beside the usual answer.
    ``private``: whether the conversation is private, or was.
    """

    reply: Reply | None = None
    message: str = ""
    private: bool = False


def pass_privacy(event: Event, workspace: Workspace, clock: Clock) -> Passage:
    """Switch privacy on or off where the prompt says so; answer an event of a paused conversation with no block.

    A project that is not trusted has no star-commands, and nothing of its conversations is kept anyway.
    """
    private = read_private(event.session) or _inherit(event)
    typed = "" if workspace.stranger else _typed(event)
    if typed == OFF:
        return _resume(event, workspace, clock, private)
    if typed and not event.session:
        return Passage(reply=Reply(message=NAMELESS))
    if typed:
        private = private or Private(since=iso(clock.now()))
        if not _write(event, private.replace(until="", told=True)):
            return Passage(reply=Reply(message=UNSAVED))
        record_private(workspace, event, clock)
        return Passage(reply=Reply(message=PAUSED), private=True)
    if private is None or not private.paused:
        return Passage(private=private is not None)
    _write(event, private.replace(told=private.told or event.kind == "prompt"))
    record_private(workspace, event, clock)
    return Passage(reply=Reply(message=_message(event, private)), private=True)


def _typed(event: Event) -> str:
    """Return which switch opens the prompt, "" for none: no text pasted further down can flip it."""
    first = event.prompt.lstrip().partition("\n")[0]
    found = find_commands(first, (PRIVATE,)) if first.startswith("*") else ()
    if not found or not first[1:].lower().startswith(PRIVATE):
        return ""
    return OFF if found[0].words[:1] == (OFF,) else PRIVATE


def _resume(event: Event, workspace: Workspace, clock: Clock, private: Private | None) -> Passage:
    """End the pause; the window may have been compacted meanwhile, so all that holds is sent again."""
    if private is None or not private.paused:
        return Passage(private=private is not None)
    if not _write(event, private.replace(until=iso(clock.now()))):
        return Passage(reply=Reply(message=UNLIFTED), private=True)
    reopen_epoch(workspace, event.session)
    return Passage(message=RESUMED, private=True)


def _write(event: Event, private: Private) -> bool:
    """Write the mark with the event's prompt and transcript; return whether that was possible."""
    prompts = (event.prompt_id,) if event.prompt_id and event.prompt_id not in private.prompts else ()
    folder = os.path.dirname(event.transcript) or private.folder
    marked = private.replace(prompts=(*private.prompts, *prompts), folder=folder)
    try:
        write_private(event.session, marked)
    except OSError:
        return False
    return True


def _inherit(event: Event) -> Private | None:
    """Return the mark that a forked conversation takes over from its parent, None where the parent has none."""
    if event.source != "fork" or not event.context_tokens or not any_private():
        return None
    usage = usage_of(event.host)
    parent = usage.find_parent(event.transcript, event.context_tokens) if usage else ""
    found = read_private(os.path.splitext(os.path.basename(parent))[0])
    inherited = found.replace(told=False) if found else None
    if inherited:
        _write(event, inherited)
    return inherited


def _message(event: Event, private: Private) -> str:
    """Return what the person is shown: that a typed command did nothing, and once that the conversation is paused."""
    text = event.prompt.lstrip()
    if text.startswith("/holdfast"):
        return IDLE.format("/holdfast")
    typed = find_commands(text.partition("\n")[0], RESERVED) if text.startswith("*") else ()
    if typed:
        return IDLE.format(f"*{typed[0].name}")
    return "" if private.told or event.kind != "prompt" else PAUSED
