"""What was said and is unclear by itself, put to the agent of a later conversation: what is asked for, and in which
words. Never of a subagent, nor in a private conversation."""

from __future__ import annotations

import os

from limpet.context.fitting import line_cost
from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.work.session import read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from limpet.engine.event_context import EventContext

    Lines = tuple[tuple[str, str], ...]

# Seconds since its last sign for which another conversation still goes on.
RECENT = 600
# Characters of any text, of one where little room is left, of a title, and the letters of an id.
LONGEST, SHORT, TITLE, LONGEST_ID = 240, 80, 60, 12
HEAD = (
    "Said in an earlier conversation, and unclear by itself. Where you can tell what it means, write one sentence of "
    'at most 20 words: limpet memory write "{}: sentence" (or "id: repeats memory", "id: replaces memory: sentence")\n'
)


def find_asked(context: EventContext, executor: str) -> Lines:
    """Return (id, line) of each that the block of a conversation's first prompt asks for: what the person said in
    conversations that are over, and that does not stand alone."""
    settings = context.mirror.settings["context"]["executors"]
    is_first = context.event.kind == "prompt" and context.session["prompt_count"] <= 1
    if not is_first or not settings.get(executor, {"memory": True})["memory"]:
        return ()
    others = [each for each in _open(context) if each["session"] != context.event.session]
    left = {session for session in {each["session"] for each in others} if not _goes_on(context, session)}
    return _ask(context, [each for each in others if each["session"] in left])


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


def _ask(context: EventContext, records: list[dict[str, Any]]) -> Lines:
    """As many as are asked for at once, each in the longest of its forms for which there is room."""
    settings = context.mirror.settings["memory"]["candidates"]
    lines: list[tuple[str, str]] = []
    left = settings["tokens"]
    for record in records:
        head = "" if lines else HEAD.format(record["id"])
        forms = (head + form for form in _forms(record))
        if line := next((form for form in forms if line_cost(form) <= left), ""):
            lines.append((record["id"], line))
            left -= line_cost(line)
        if len(lines) == settings["asked"]:
            break
    return tuple(lines)


def _forms(record: dict[str, Any]) -> Iterator[str]:
    near = record.get("near")
    pairs = [pair for pair in near if isinstance(pair, list) and len(pair) == 2] if isinstance(near, list) else []
    known = " ".join(f"{key} {_quoted(title, TITLE)}" for key, title in pairs if _is_id(key))
    if known:
        yield f"{_line(record, LONGEST)} near: {known}"
    yield from (_line(record, most) for most in (LONGEST, SHORT))


def _line(record: dict[str, Any], most: int) -> str:
    quote, before = _quoted(record.get("quote"), most), _quoted(record.get("before"), most)
    return f"{record['id']} {quote}" + (f" (after: {before})" if before else "")


def _quoted(words: object, most: int) -> str:
    plain = clip(" ".join(str(words or "").split()), most).replace('"', "'")
    return f'"{plain}"' if plain else ""
