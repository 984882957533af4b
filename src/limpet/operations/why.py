"""Explains a prompt of a conversation by the hook's record: what it brought, what it left out, and why."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Any

from limpet.context.pipeline import LAYERS, STANDING, WHY_SILENT
from limpet.context.values import Choice, Request, Result
from limpet.ground.clock import seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import block_path, metrics_path
from limpet.ground.message import Message
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.files import read_text
from limpet.ground.storage.json_lines import read_newest_first
from limpet.ground.text.tokens import typical_tokens
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.caller import Caller
from limpet.operations.conversations import current_conversation, read_conversation
from limpet.operations.memory.conversations.conversation import is_kept_out
from limpet.operations.memory.find import titles_of
from limpet.operations.rules.view import count_rules_by_domain
from limpet.operations.timeline import LONGEST_READ, element_in_words, memories_in, session_title_of
from limpet.transcripts.registry import transcript_of
from limpet.transcripts.tail import size_of
from limpet.work.conversation import read_private

Line = dict[str, Any]
PROMPT, START, TOOL = "prompt", "session_start", "tool_before"
# Kind of an element of the block -> the group that people know it by; what is not named here is "work".
GROUPS = {
    "constitution": "always",
    "article": "always",
    "directory": "always",
    "record": "always",
    "rules": "rules",
    "in-force": "rules",
    "command": "command",
    "standing-wishes": "memory",
    "memory": "memory",
    "contents": "memory",
    "candidates": "candidates",
    "next": "next",
}
WORK = "work"
OFF = "switched off in this conversation (*limpet on {})"
# The kind of a domain that a keyword calls, and its list calls active.
KEYWORD = "keyword"
# An answer is wanted about these words.
_ASKED = re.compile(r'^\w+ ("[^"]*")', re.MULTILINE)
# Seconds between the hook's record of a prompt and the transcript's, where the host gives prompts no ids.
NEAR = 60.0


class PromptRecord(Value):
    """A prompt of a conversation, or a start of it, as the hook recorded it.

    ``state``: the conversation's own. ``line``: what was recorded, empty for a private one.
    ``start``: the line of the start before it, empty for none. ``epoch``: those of the same epoch before it, the newest
    first. ``since``: those of its tool calls. ``count``: the conversation's prompts so far.
    ``text``: what was typed, without secrets, "" where that cannot be found.
    """

    state: Line
    line: Line
    start: Line
    epoch: list[Line]
    since: list[Line]
    count: int
    text: str


def find_prompt(workspace: Workspace, session: str = "", number: int = 0, starting: bool = False) -> PromptRecord:
    """Without ``session`` of the newest conversation, without ``number`` the last; ``starting``: its last start."""
    state = read_conversation(workspace, session or current_conversation(workspace))
    name = str(state["id"])
    lines = [line for line in read_newest_first(metrics_path(workspace)) if line.get("session") == name]
    prompts = [at for at, line in enumerate(lines) if line.get("event") == PROMPT]
    starts = [at for at, line in enumerate(lines) if line.get("event") == START]
    numbered = [at for at in prompts if lines[at].get("prompt") == number]
    places, what = prompts or starts, "prompt"
    if starting:
        places, what = starts, "start"
    elif number:
        places, what = numbered, f"prompt {number}"
    if not places and not read_private(name):
        hint = f"It has {len(prompts)} prompts: limpet why" if prompts else "Type a prompt in it first."
        raise LimpetError(f"No {what} is recorded for this conversation", name, hint)
    place = places[0] if places else len(lines)
    line = lines[place] if places else {}
    before = next((at for at in starts if at > place), len(lines))
    is_prompt = line.get("event") == PROMPT
    later = takewhile(lambda one: one.get("event") != PROMPT, reversed(lines[:place]))
    return PromptRecord(
        state=state,
        line=line,
        start=lines[before] if before < len(lines) else {},
        epoch=lines[place + 1 : before + 1],
        since=[one for one in later if one.get("event") == TOOL],
        count=max((lines[at].get("prompt") or 0 for at in prompts), default=0),
        text=text_of(typed_in(workspace, state), line, read_secrets(workspace.root)) if is_prompt else "",
    )


def outcome_of(found: PromptRecord) -> str:
    """Return ``sent``, ``nothing`` (all that applies was there already), ``private`` or ``failed``."""
    private = read_private(str(found.state["id"]))
    if found.line.get("private") or (private is not None and private.paused):
        return "private"
    if "crash" in found.line:
        return "failed"
    return "sent" if found.line.get("tokens") else "nothing"


def explain_prompt(
    workspace: Workspace, caller: Caller, session: str = "", number: int = 0, starting: bool = False
) -> dict[str, Any]:
    """Return what a prompt brought, which one is as ``find_prompt`` says. Titles of memories are those that the caller
    may see. Raises LimpetError where nothing was recorded.

    ``prompt``: its number; ``prompts``: how many the conversation has. ``text``: "" where it is not known.
    ``state``: as ``outcome_of`` says. ``remaining``: of the window, in percent. ``budget``: the block's tokens.
    ``came``: each piece with ``group``, ``name``, ``tokens``, what it is ``said`` to be and the words ``matched``;
    memories, also those of which the title alone came, have ``memories``; what the agent was asked has ``asked``.
    ``start``: the same of what came at the start before it, with ``first``: whether no prompt was between.
    ``files``: the same of what came since with the files that the agent opened; ``matched`` are globs.
    ``left_out``: each piece that did not come, and ``why``.
    ``standing``: the names of what the conversation holds already.
    ``not_called``: the active domains of which no keyword is in the prompt.
    """
    found = find_prompt(workspace, session, number, starting)
    name, line, overrides = str(found.state["id"]), found.line, found.state["overrides"]
    left_out = _pairs(line)
    off = [(each, OFF.format(each)) for each, on in overrides.items() if not on]
    files: list[dict[str, Any]] = []
    for one in found.since:
        files += _came(workspace, caller, one)
    return {
        "session": name,
        "title": session_title_of(workspace, found.state),
        "time": line.get("time"),
        "event": line.get("event"),
        "prompt": line.get("prompt"),
        "text": found.text,
        "prompts": found.count,
        "state": outcome_of(found),
        **{key: line.get(key) for key in ("bracket", "remaining", "tokens", "budget")},
        "usage": found.state["usage"],
        "came": list(_came(workspace, caller, line, _block_of(workspace, caller, found))),
        "start": {
            "first": line.get("event") == PROMPT and not any(one.get("event") == PROMPT for one in found.epoch),
            "source": found.start.get("source"),
            "came": list(_came(workspace, caller, found.start)),
        },
        "files": files,
        "left_out": [{"name": each, "why": why} for each, why in (*left_out, *off) if why != STANDING],
        "standing": [each for each, why in left_out if why == STANDING],
        "not_called": [name for name in _not_called(workspace, found) if overrides.get(name, True)],
        "notes": list(line.get("notes") or ()),
    }


def sent_block(workspace: Workspace, caller: Caller, session: str = "", number: int = 0, starting: bool = False) -> str:
    """Return the block that a prompt got, as it was sent. Raises LimpetError where none was, or none is kept."""
    found = find_prompt(workspace, session, number, starting)
    if text := _block_of(workspace, caller, found):
        return text
    name = str(found.state["id"])
    if outcome_of(found) == "sent":
        raise LimpetError("The text is not kept: the conversation was private, is another one's, or is too old", name)
    raise LimpetError("Nothing was sent", name, "Run: limpet why")


def typed_in(workspace: Workspace, state: Line) -> list[Message]:
    """Return what was typed in a conversation, as its transcript has it; nothing of a private one."""
    session, path, host = str(state["id"]), str(state.get("transcript") or ""), str(state.get("host") or "")
    reader = transcript_of(host) if path else None
    if reader is None or is_kept_out(session, host, path) or not 0 < size_of(path) <= LONGEST_READ:
        return []
    return [one for one in reader.read_messages(path, root=workspace.root)[0] if one.role == "user"]


def text_of(typed: Sequence[Message], line: Line, secrets: Collection[str]) -> str:
    """Return what was typed at the prompt that the hook recorded so, without secrets; "" where that cannot be found."""
    if line.get("event") != PROMPT:
        return ""
    at, key = seconds_of(line.get("time")), line.get("prompt_id")
    same = [one for one in typed if key and one.prompt == key]
    near = [one for one in typed if abs(one.at - at) <= NEAR]
    found = min(same or near, key=lambda one: abs(one.at - at), default=None)
    return redact(found.text, known=secrets) if found else ""


def _came(workspace: Workspace, caller: Caller, line: Line, block: str = "") -> Iterator[dict[str, Any]]:
    matched = line.get("matched") or {}
    for tag, name, tokens in line.get("pieces") or ():
        ids = memories_in(line, tag)
        piece = {"group": GROUPS.get(tag, WORK), "name": name, "tokens": tokens, "matched": matched.get(name, [])}
        piece["said"] = element_in_words(tag, name, len(ids))
        if ids:
            titles = titles_of(workspace, caller, ids)
            piece["memories"] = [{"id": key, "title": title} for key, title in titles.items()]
        if tag == "contents":
            piece["listed"] = len(ids)
        if tag == "candidates":
            piece["asked"] = _ASKED.findall(block)
        yield piece


def _block_of(workspace: Workspace, caller: Caller, found: PromptRecord) -> str:
    return block_of(workspace, found.line) if may_see_blocks(caller, found.state) else ""


def may_see_blocks(caller: Caller, state: Line) -> bool:
    """Not of a conversation that is or was private, and no agent another conversation's."""
    name, host = str(state["id"]), str(state.get("host") or "")
    is_told = caller.reader.person or caller.conversation == name
    return is_told and not is_kept_out(name, host, str(state.get("transcript") or ""))


def block_of(workspace: Workspace, line: Line) -> str:
    """As it was sent; "" where none is kept."""
    block = str(line.get("block") or "")
    return (read_text(block_path(workspace.shared, os.path.basename(block))) or "") if block else ""


def _not_called(workspace: Workspace, found: PromptRecord) -> list[str]:
    """None for a start, which has no words, and of the domains that came with files since."""
    if found.line.get("event") != PROMPT:
        return []
    there = {name for name, _ in _pairs(found.line)}
    for one in (found.line, *found.since):
        there.update(str(name) for _, name, _ in one.get("pieces") or ())
    waiting = (one for one in count_rules_by_domain(workspace) if one.kind == KEYWORD and one.state == "active")
    return [one.name for one in waiting if one.name not in there]


def _pairs(line: dict[str, Any]) -> list[tuple[str, str]]:
    return [(str(name), str(why)) for name, why in line.get("out") or ()]


def describe_block(request: Request, result: Result) -> dict[str, Any]:
    """``remaining``: percent of the window; ``pieces``: each with its layer, estimated tokens, state (in, cut, out) and
    the reason for that; ``silent``: by layer why it has none."""
    silent = {}
    for layer, why in sorted(WHY_SILENT.items()):
        if not any(piece.layer == layer for piece in LAYERS[layer](request)):
            silent[layer] = why
    return {
        "block": result.block,
        "bracket": request.window.bracket,
        "remaining": request.window.remaining,
        "usage": request.window.source,
        "tokens": typical_tokens(result.tokens, request.settings["reserve"]),
        "budget": request.settings["budgets"][request.window.bracket],
        "characters": len(result.block),
        "character_limit": request.settings["characters"],
        "pieces": [_piece(one, request) for one in sorted(result.choices, key=lambda choice: choice.piece.layer)],
        "silent": silent,
        "notes": list(result.notes),
    }


def _piece(choice: Choice, request: Request) -> dict[str, Any]:
    shown = "cut" if choice.shown else "out"
    state = "in" if choice.why == "in" else shown
    tokens = typical_tokens(choice.tokens, request.settings["reserve"]) if choice.shown else 0
    piece = choice.piece
    return {"layer": piece.layer, "name": piece.name, "tokens": tokens, "state": state, "why": choice.why}
