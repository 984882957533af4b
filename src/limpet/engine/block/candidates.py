"""What was said and is no memory yet, put to the agent that heard it or that comes after it: which candidates are asked
for, and in which words. Never of a subagent, nor in a private conversation.
"""

from __future__ import annotations

import os

from limpet.context.fitting import line_cost
from limpet.context.usage import NAMES
from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.work.session import ASKED, EPOCH, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext

    Lines = tuple[tuple[str, str], ...]

# So many make it worth to ask while the window is fresh.
WORTH = 3
# Seconds since its last sign for which another conversation still goes on.
RECENT = 600
# Characters of a quote to the agent that heard it, of any text, of a title, and the letters of an id.
HEARD, LONGEST, TITLE, LONGEST_ID = 160, 400, 60, 12
HEAD = (
    "Said before, not written down yet. Write what will matter in some months as one sentence of at most 20 words that "
    "stands alone, and what you found yourself (causes, gotchas, options taken and left); drop the rest:\n"
    'limpet memory write "{}: sentence" "id: drop" "id: repeats memory" "id: replaces memory: sentence" '
    '"gotcha: sentence"\n'
)


def find_asked(context: EventContext, bracket: str, executor: str) -> Lines:
    """Return (id, line) of each that the prompt's block asks for: with a conversation's first prompt those that others
    left, with a later one its own, once an epoch, and while the window is fresh only where there are some."""
    settings = context.mirror.settings["context"]["executors"]
    if context.event.kind != "prompt" or not settings.get(executor, {"memory": True})["memory"]:
        return ()
    if context.session["prompt_count"] > 1:
        return find_own(context, WORTH if bracket == NAMES[0] else 1)
    others = [each for each in _open(context) if each["session"] != context.event.session]
    sessions = {each["session"] for each in others}
    left = {session for session in sessions if not _goes_on(context, session)}
    return _ask(context, [each for each in others if each["session"] in left], is_heard=False)


def find_own(context: EventContext, least: int) -> Lines:
    """(id, line) of each that the conversation itself left open, if there are ``least`` and the epoch was not asked."""
    if ASKED in context.session[EPOCH].get("sent", ()):
        return ()
    own = [each for each in _open(context) if each["session"] == context.event.session]
    return _ask(context, own, is_heard=not context.session["compactions"]) if len(own) >= least else ()


def _open(context: EventContext) -> list[dict[str, Any]]:
    event, told = context.event, context.mirror.settings["memory"]["candidates"]["told"] and not context.is_unattended
    if not told or event.agent_id or not event.session or context.private or context.workspace.stranger:
        return []
    path = os.path.join(context.workspace.shared, "candidates", "open.json")
    found = read_object(read_text(path, STATE_BYTES)).get("open")
    seen = ("", context.in_force.agent)
    return [
        each
        for each in (found if isinstance(found, list) else ())
        if isinstance(each, dict)
        and isinstance(each.get("session"), str)
        and _is_id(each.get("id"))
        and (each.get("agent") or "") in seen
        and each.get("quote")
    ]


def _is_id(value: object) -> bool:
    return isinstance(value, str) and value.isalnum() and len(value) <= LONGEST_ID


def _goes_on(context: EventContext, session: str) -> bool:
    """Another conversation that had a prompt a moment ago, and did not end, is asked itself."""
    state = read_state(context.workspace, session)
    is_open = bool(state.get("prompt_count")) and not state.get("ended")
    return is_open and str(state.get("last_activity")) > iso(context.clock.now() - RECENT)


def _ask(context: EventContext, records: list[dict[str, Any]], is_heard: bool) -> Lines:
    """As many as are asked for at once. What the window holds still is heard: it needs no message before it."""
    settings = context.mirror.settings["memory"]["candidates"]
    lines: list[tuple[str, str]] = []
    left = settings["tokens"]
    for record in records[: settings["asked"]]:
        line = _line(record, is_heard)
        line = line if lines else HEAD.format(record["id"]) + line
        left -= line_cost(line)
        if left >= 0:
            lines.append((record["id"], line))
    return tuple(lines)


def _line(record: dict[str, Any], is_heard: bool) -> str:
    quote = _quoted(record.get("quote"), HEARD if is_heard else LONGEST)
    before = "" if is_heard else _quoted(record.get("before"), LONGEST)
    who = "agent" if record.get("role") == "assistant" else "person"
    after = f" (after: {before})" if before else ""
    near = record.get("near")
    pairs = [pair for pair in near if isinstance(pair, list) and len(pair) == 2] if isinstance(near, list) else []
    known = " ".join(f"{key} {_quoted(title, TITLE)}" for key, title in pairs if _is_id(key))
    return f"{record['id']} {who}: {quote}{after}{f' near: {known}' if known else ''}"


def _quoted(words: object, most: int) -> str:
    plain = clip(" ".join(str(words or "").split()), most).replace('"', "'")
    return f'"{plain}"' if plain else ""
