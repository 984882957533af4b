"""Pauses of a conversation, by a person's word. Separate from ``conversations``, which a capture reads itself."""

from __future__ import annotations

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.operations.memory.conversations.capture import hear_now
from limpet.work.conversation import Private, private_path, read_private, write_private
from limpet.work.session import read_state, reopen_epoch


def pause_conversation(workspace: Workspace, obtain: Obtain, now: float, name: str, which: str) -> None:
    """``which``: the conversation in words. What was said in it before the word is given is heard first."""
    state = read_state(workspace, name)
    ended = ", which has ended" if state.get("ended") else ""
    kept = "what was said stays; nothing more is kept, not after the pause either"
    obtain(f"Pause Limpet for conversation {which}{ended}: {kept}")
    hear_now(workspace, state, now)
    known = read_private(name) or Private(since=iso(now))
    prompts = tuple(dict.fromkeys((*known.prompts, *_last_prompt(state.get("claims")))))
    _write(name, known.replace(until="", told=known.paused and known.told, prompts=prompts))


def resume_conversation(workspace: Workspace, obtain: Obtain, now: float, name: str, which: str) -> bool:
    """Return False where the conversation is not paused. Raises LimpetError without a person's word."""
    known = read_private(name)
    if known is None or not known.paused:
        return False
    obtain(f"Resume Limpet for conversation {which}")
    _write(name, known.replace(until=iso(now)))
    reopen_epoch(workspace, name)
    return True


def _last_prompt(claims: object) -> tuple[str, ...]:
    """The newest prompt's answer may still be under way, and is private."""
    listed = claims if isinstance(claims, list) else []
    keys = [str(each[0]).split() for each in listed if isinstance(each, list) and each]
    return next(((words[1],) for words in reversed(keys) if words[:1] == ["prompt"] and len(words) > 2), ())


def _write(session: str, private: Private) -> None:
    try:
        write_private(session, private)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", private_path(session)) from None
