"""Private conversations in the hook: the switch typed into a prompt, and the answer to every event while it is on,
which is none. Imported only where a conversation may be private."""

from __future__ import annotations

from limpet.engine.commands.agent import SWITCHED
from limpet.engine.event_context import NOWHERE
from limpet.engine.record import record_private
from limpet.ground.clock import iso
from limpet.rules.format.star_commands import PRIVATE, RESERVED, find_commands, is_close
from limpet.transcripts.registry import usage_of
from limpet.work.conversation import MARKS, OPENING, STARS, Private, any_private, read_private, write_private
from limpet.work.session import reopen_epoch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.ground.event import Event

OFF, NEAR = "off", "near"
PAUSED = "Limpet is paused for this conversation: nothing is sent or kept. *private off ends it."
RESUMED = (
    "Limpet sends rules and memories again. It still keeps nothing from this conversation, because part of this "
    "conversation is private."
)
NAMELESS = "Limpet was not paused: the client does not name this conversation."
ASKED_BACK = "Limpet is not paused. To pause it, type *private."
UNSAVED = "Limpet was not paused: its state folder cannot be written. Run: limpet doctor"
UNLIFTED = "Limpet is still paused: its state folder cannot be written. Run: limpet doctor"
IDLE = "Limpet is paused for this conversation: {} did nothing. *private off ends it."
# What may follow the word, what closes quoting marks, and what people add to the word alone.
_POINTS, _CLOSING = ".,;:!?()-=/", MARKS.strip() + STARS
_AFTER = " \t\r.,;:!?)" + _CLOSING
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
_ADDED = {"mode", "on", "off", "now", "please", "chat", "session", "conversation"}


def pass_privacy(context: EventContext) -> EventContext:
    """Switch privacy on or off where the prompt says so; answer an event of a paused conversation with no block.

    The switch is the user's: it acts in a project that is not trusted too, and where there is none.
    """
    event, now = context.event, iso(context.clock.now())
    private = read_private(event.session) or _inherit(event)
    typed = read_switch(event.prompt)
    if typed == OFF:
        return _resume(context, private)
    if typed == PRIVATE and not event.session:
        return context.replied(NAMELESS, done=True)
    if typed == PRIVATE:
        private = private or Private(since=now)
        if not _write(event, private.replace(until="", told=True)):
            return context.replied(UNSAVED, done=True)
    elif private is None or not private.paused:
        return _beside(context, ASKED_BACK if typed else "", private)
    else:
        _write(event, private.replace(told=private.told or event.kind == "prompt"))
    record_private(context)
    return context.replied(PAUSED if typed else _message(event, private), done=True)


def read_switch(prompt: str) -> str:
    """Return which switch opens the prompt, PRIVATE or OFF, NEAR for what resembles one, "" for none: no text pasted
    further down can flip it.

    Compatible characters count as the plain ones, those without a width as none. Between quoting marks the word has to
    stand alone or with ``off``: beside more it may be quoted.
    """
    opening = prompt.lstrip()[:OPENING]
    if not opening.isascii():
        from unicodedata import category, normalize

        opening = "".join(each for each in normalize("NFKC", opening) if category(each) not in ("Cf", "Mn")).lstrip()
    line, _, below = opening.lstrip(MARKS).partition("\n")
    typed = line.lstrip(f"{STARS}/ \t")
    before = line[: len(line) - len(typed)]
    after = typed.lstrip(_LETTERS)
    word = typed[: len(typed) - len(after)].lower()
    words = [plain for each in after.lower().split() if (plain := each.strip(MARKS + STARS + _POINTS))]
    is_switch = before == "/" or (before and not before.strip(STARS))
    if word == PRIVATE and is_switch and (after[:1] in _AFTER or not after[:1].isascii()):
        is_marked = opening[:1] != line[:1] or len(before) > 1 or (after[:1] in _CLOSING and after != "")
        if is_marked and words not in ([], [OFF]):
            return NEAR
        return OFF if words[:1] == [OFF] else PRIVATE
    is_alone = word == PRIVATE and {*words} <= _ADDED and (before or not below.strip())
    return NEAR if is_alone or (before and word != PRIVATE and is_close(word, PRIVATE)) else ""


def _resume(context: EventContext, private: Private | None) -> EventContext:
    """End the pause; the window may have been compacted meanwhile, so all that holds is sent again."""
    event = context.event
    if private is None or not private.paused:
        return _beside(context, SWITCHED, private)
    if not _write(event, private.replace(until=iso(context.clock.now()))):
        return context.replied(UNLIFTED, done=True)
    if context.workspace is not NOWHERE:
        reopen_epoch(context.workspace, event.session)
    return _beside(context, RESUMED, private)


def _beside(context: EventContext, message: str, private: Private | None) -> EventContext:
    """Return the context with a line beside the usual answer; without a project that the user trusts, it is the
    answer."""
    is_all = bool(message) and (context.workspace is NOWHERE or bool(context.workspace.stranger))
    return context.replied(message, done=is_all).replace(private=private is not None)


def _write(event: Event, private: Private) -> bool:
    prompts = (event.prompt_id,) if event.prompt_id and event.prompt_id not in private.prompts else ()
    marked = private.replace(prompts=(*private.prompts, *prompts))
    try:
        write_private(event.session, marked)
    except OSError:
        return False
    return True


def _inherit(event: Event) -> Private | None:
    """Return the mark that a forked conversation takes over from its parent, None where the parent has none."""
    if event.source != "fork" or not any_private():
        return None
    usage = usage_of(event.host)
    parent = usage.find_parent(event.transcript, event.context_tokens or 0) if usage else ""
    found = read_private(usage.session_of(parent)) if usage and parent else None
    inherited = found.replace(told=False) if found else None
    if inherited:
        _write(event, inherited)
    return inherited


def _message(event: Event, private: Private) -> str:
    """Return what the person is shown: that a typed command did nothing, and once that the conversation is paused."""
    text = event.prompt.lstrip()
    if text.startswith("/limpet"):
        return IDLE.format("/limpet")
    typed = find_commands(text.partition("\n")[0], RESERVED) if text.startswith("*") else ()
    if typed:
        return IDLE.format(f"*{typed[0].name}")
    return "" if private.told or event.kind != "prompt" else PAUSED
