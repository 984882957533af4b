"""Pauses Limpet for a conversation from outside of it, and ends the pause; typed in the conversation it is
``*private`` (``engine.privacy``)."""

from __future__ import annotations

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.work.private import Private, private_path, read_private, write_private
from limpet.work.session import read_state, reopen_epoch


def pause(workspace: Workspace, obtain: Obtain, now: float, name: str, which: str) -> None:
    """Make the conversation with this id private, on a person's word; ``which`` is it in words.

    Raises LimpetError.
    """
    state = read_state(workspace, name)
    ended = ", which has ended" if state.get("ended") else ""
    kept = "nothing of it is kept from now on, not after the pause either"
    obtain(f"Pause Limpet for conversation {which}{ended}: {kept}")
    known = read_private(name) or Private(since=iso(now))
    prompts = tuple(dict.fromkeys((*known.prompts, *_last_prompt(state.get("claims")))))
    _write(name, known.replace(until="", told=known.paused and known.told, prompts=prompts))


def resume(workspace: Workspace, obtain: Obtain, now: float, name: str, which: str) -> bool:
    """End the pause of the conversation, on a person's word, or return False where it is not paused. Raises
    LimpetError."""
    known = read_private(name)
    if known is None or not known.paused:
        return False
    obtain(f"Resume Limpet for conversation {which}")
    _write(name, known.replace(until=iso(now)))
    reopen_epoch(workspace, name)
    return True


def _last_prompt(claims: object) -> tuple[str, ...]:
    """Return the host's id of the conversation's newest prompt: its answer may still be under way, and is private."""
    keys = (
        [str(each[0]).split() for each in claims if isinstance(each, list) and each] if isinstance(claims, list) else []
    )
    return next(((words[1],) for words in reversed(keys) if words[:1] == ["prompt"] and len(words) > 2), ())


def _write(session: str, private: Private) -> None:
    try:
        write_private(session, private)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", private_path(session)) from None
