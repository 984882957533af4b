"""Says which conversations nothing may be kept of. Whatever reads a transcript asks here first.

A conversation that was private for a time is kept out whole, from its beginning: what a private part led to is said
again later, by the agent and in summaries, and no position in the transcript tells the two apart. So are copies of it,
which a host makes when a conversation is forked.
"""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.operations.caller import Caller
from limpet.transcripts.registry import transcript_of
from limpet.work.private import KEPT_OUT, has_mark, private_prompts, read_private


def is_kept_out(session: str, host: str, transcript: str) -> bool:
    """Return whether the conversation is private or was, or its transcript holds a prompt of one that is."""
    if has_mark(session):
        return True
    prompts = private_prompts() if transcript else frozenset()
    reader = transcript_of(host) if prompts else None
    return reader is not None and reader.holds_prompts(transcript, prompts)


def refuse_paused(caller: Caller) -> None:
    """Raise LimpetError for an agent in a conversation that is paused: it gets nothing from Limpet."""
    found = None if caller.reader.person else read_private(caller.conversation)
    if found and found.paused:
        raise LimpetError("Limpet is paused for this conversation", hint="The user ends it with *private off.")


def refuse_private(caller: Caller) -> None:
    """Raise LimpetError for an agent that would keep something in a conversation that is private or was."""
    if not caller.reader.person and has_mark(caller.conversation):
        raise LimpetError(KEPT_OUT, hint="The user may add it.")
