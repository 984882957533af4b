"""Explains the last prompt of a conversation by the hook's record: what it brought, what it left out, and why."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from holdfast.context.pipeline import STANDING
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.files import metrics_path
from holdfast.ground.storage.json_lines import read_newest_first
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.conversations import current_conversation, read_conversation
from holdfast.operations.memory.find import titles_of
from holdfast.operations.rules.view import list_domains
from holdfast.operations.sessions import title_of
from holdfast.work.private import read_private

# Kind of an element of the block -> the group that people know it by; what is not named here is "work".
GROUPS = {
    "constitution": "always",
    "article": "always",
    "directory": "always",
    "rules": "rules",
    "in-force": "rules",
    "command": "command",
    "memory": "memory",
    "contents": "memory",
    "next": "next",
}
WORK = "work"
OFF = "switched off in this conversation (*holdfast on {})"
# The kind of a domain that a keyword calls, and its list calls active.
KEYWORD = "keyword"


def explain_last(workspace: Workspace, caller: Caller, session: str = "") -> dict[str, Any]:
    """Return what the last prompt of a conversation brought, the newest conversation's without ``session``.

    ``session``, ``title``, ``time``, ``event``, ``prompt``: which conversation, when, and the prompt's number.
    ``state``: ``sent``, ``nothing`` (all that applies was there already), ``private`` or ``failed``.
    ``bracket``, ``remaining``, ``tokens``, ``budget``: how full the window was (percent left), and the block's tokens.
    ``came``: each piece with ``group``, ``name``, ``tokens`` and the words ``matched``; memories have ``memories``.
    ``files``: the same of what came since with the files that the agent opened; ``matched`` are globs.
    ``left_out``: each piece that did not come, and ``why``.
    ``standing``: the names of what the conversation holds already.
    ``not_called``: the active domains of which no keyword is in the prompt.
    ``notes``: the block's notes.
    Titles of memories are those that the caller may see. Raises HoldfastError where nothing was recorded.
    """
    found = read_conversation(workspace, session or current_conversation(workspace))
    name = str(found["id"])
    private = read_private(name)
    line = next(_answers(workspace, name), None)
    if line is None and private is None:
        raise HoldfastError("No prompt is recorded for this conversation", name, "Type a prompt in it first.")
    line = line or {}
    return {
        "session": name,
        "title": title_of(workspace, found),
        "time": line.get("time"),
        "event": line.get("event"),
        "prompt": line.get("prompt"),
        "state": _state(line, private is not None and private.paused),
        **{key: line.get(key) for key in ("bracket", "remaining", "tokens", "budget")},
        "came": list(_came(workspace, caller, line)),
        "files": [piece for one in _since(workspace, name, line) for piece in _came(workspace, caller, one)],
        "left_out": [
            *({"name": each, "why": why} for each, why in _pairs(line) if why != STANDING),
            *({"name": each, "why": OFF.format(each)} for each, on in found["overrides"].items() if not on),
        ],
        "standing": [each for each, why in _pairs(line) if why == STANDING],
        "not_called": [name for name in _not_called(workspace, line) if found["overrides"].get(name, True)],
        "notes": list(line.get("notes") or ()),
    }


def _answers(workspace: Workspace, session: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of the conversation's prompts, the newest first, then those of its starts."""
    lines = [line for line in read_newest_first(metrics_path(workspace)) if line.get("session") == session]
    prompts = (line for line in lines if line.get("event") == "prompt")
    return chain(prompts, (line for line in lines if line.get("event") == "session_start"))


def _since(workspace: Workspace, session: str, last: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the lines of the blocks that files brought since that answer, the oldest first."""
    found = []
    for line in read_newest_first(metrics_path(workspace)):
        if line == last:
            break
        if line.get("session") == session and line.get("event") == "tool_before":
            found.append(line)
    return found[::-1]


def _state(line: dict[str, Any], paused: bool) -> str:
    if paused or line.get("private"):
        return "private"
    if "crash" in line:
        return "failed"
    return "sent" if line.get("tokens") else "nothing"


def _came(workspace: Workspace, caller: Caller, line: dict[str, Any]) -> Iterator[dict[str, Any]]:
    matched = line.get("matched") or {}
    for tag, name, tokens in line.get("pieces") or ():
        piece = {"group": GROUPS.get(tag, WORK), "name": name, "tokens": tokens, "matched": matched.get(name, [])}
        if tag == "memory":
            titles = titles_of(workspace, caller, line.get("memories") or ())
            piece["memories"] = [{"id": key, "title": title} for key, title in titles.items()]
        yield piece


def _not_called(workspace: Workspace, line: dict[str, Any]) -> list[str]:
    """Return the keyword domains that are switched on and had no part in the prompt; none for a start, which has no
    words."""
    if line.get("event") != "prompt":
        return []
    there = {str(name) for _, name, _ in line.get("pieces") or ()} | {name for name, _ in _pairs(line)}
    waiting = (one for one in list_domains(workspace) if one["kind"] == KEYWORD and one["state"] == "active")
    return [one["name"] for one in waiting if one["name"] not in there]


def _pairs(line: dict[str, Any]) -> list[tuple[str, str]]:
    return [(str(name), str(why)) for name, why in line.get("out") or ()]
