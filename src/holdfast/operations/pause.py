"""Pauses Holdfast for a conversation from outside of it, and ends the pause; typed in the conversation it is
``*private`` (``engine.privacy``)."""

from __future__ import annotations

from holdfast.ground.clock import iso
from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.operations.approval import Obtain
from holdfast.work.private import Private, private_path, read_private, write_private
from holdfast.work.session import read_state, reopen_epoch


def pause(workspace: Workspace, obtain: Obtain, now: float, name: str, which: str) -> None:
    """Make the conversation with this id private, on a person's word; ``which`` is it in words.

    Raises HoldfastError.
    """
    state = read_state(workspace, name)
    ended = ", which has ended" if state.get("ended") else ""
    kept = "nothing of it is kept from now on, not after the pause either"
    obtain(f"Pause Holdfast for conversation {which}{ended}: {kept}")
    known = read_private(name) or Private(since=iso(now))
    prompts = tuple(dict.fromkeys((*known.prompts, *_last_prompt(state.get("claims")))))
    _write(name, known.replace(until="", told=known.paused and known.told, prompts=prompts))


def resume(workspace: Workspace, obtain: Obtain, now: float, name: str, which: str) -> bool:
    """End the pause of the conversation, on a person's word, or return False where it is not paused. Raises
    HoldfastError."""
    known = read_private(name)
    if known is None or not known.paused:
        return False
    obtain(f"Resume Holdfast for conversation {which}")
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
        raise HoldfastError(f"Cannot write the file ({error.strerror})", private_path(session)) from None
