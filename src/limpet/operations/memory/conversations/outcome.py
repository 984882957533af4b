"""What a conversation leaves beside candidates, once it is compacted or over: gotchas of what failed, confirmations of
the memories that it used, its digest, the person's level, and observations of what was done.

Separate from ``capture``, which after most turns looks for candidates alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.learning.observations import source_of
from limpet.learning.store import observations_of
from limpet.memory.capture.digest import find_subject, write_digest
from limpet.memory.capture.heard import Heard
from limpet.memory.capture.outcomes import activity, read_mends
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.library import Library
from limpet.memory.model.entry import DIGEST, STATED_TYPES, Card, Query
from limpet.memory.model.layout import SHARED, owners
from limpet.memory.model.results import APPLIED
from limpet.memory.search.prompt_words import read_prompt_words
from limpet.operations.agents.user_level import note_level
from limpet.operations.learning.consolidate import consolidate_project
from limpet.operations.learning.deeds import observe_deeds
from limpet.operations.memory.gotchas import keep_failures, keep_workarounds
from limpet.operations.project import Project
from limpet.transcripts.messages import Message

WHY_CONFIRMED, WHY_DIGEST = "Cited, or followed by work on its files", "digest of the conversation"
# Letters of an id's last part, of which a block names an entry by four at least.
NAME = 8
_WORD = re.compile("[0-9a-z]{4,8}")


def keep_memories(project: Project, library: Library, messages: list[Message], since: int, heard: list[Heard]) -> int:
    """Write gotchas and the digest, and note what was used; return the number of gotchas.

    ``since`` is the byte at which the last capture ended. The messages reach back before it, so that a failure there
    meets the correction that came after it.
    """
    gotchas = keep_failures(library, messages)
    keep_workarounds(library, read_mends(messages))
    new = [message for message in messages if message.offset >= since]
    if new:
        confirm_shown(library, new)
        keep_digest(library, new, heard)
        note_level(project.workspace, new)
    return gotchas


def keep_observations(project: Project, messages: list[Message], ended: bool) -> int:
    """Observe what was done, and consolidate where the conversation ``ended`` with something observed; return the
    number of observations, 0 where a file that a person wrote cannot be read."""
    observed = 0
    with suppress(LimpetError):
        observed = observe_deeds(project, messages, ended)
        if ended and observations_of(project.workspace, source_of(conversation=project.caller.conversation))[0]:
            consolidate_project(project)
    return observed


def confirm_shown(library: Library, messages: Sequence[Message]) -> None:
    """Record a confirmation of each entry that the conversation was shown and used in these messages, after that."""
    shown = library.shown_in(library.session) if messages else {}
    if not shown:
        return
    cards = library.list(Query(limit=EVERYTHING, now=library.clock.now())).cards
    used = [card.id for card in cards if card.id in shown and _is_used(card, _after(messages, shown[card.id]))]
    if used:
        library.confirm(used, WHY_CONFIRMED, APPLIED)


def keep_digest(library: Library, messages: Sequence[Message], heard: Sequence[Heard]) -> None:
    """Begin the conversation's digest, or add the new messages to it; nothing is added where nothing happened.

    Every agent may read a digest, so what an active agent concluded for itself is left to its own memories.
    """
    done = activity(messages)
    stated = [one for one in heard if one.role == "user" and (one.type in STATED_TYPES or not library.reader.agent)]
    if not stated and not done.files and not done.runs:
        return
    now = library.clock.now()
    query = Query(session=library.session, tag=DIGEST, owners=owners(library.reader), limit=1, now=now)
    known = library.list(query).cards
    if known:
        before = library.show(known[0].id, count=False)
        _, body = write_digest(stated, done, before.entry.created_at[:10], before.entry.body)
        library.edit(known[0].id, {"body": body}, WHY_DIGEST)
        return
    began = iso(next((message.at for message in messages if message.at), now))
    title, body = write_digest(stated, done, began[:10], subject=find_subject(messages))
    fields = {
        "type": "episodic",
        "title": title,
        "body": body,
        "tags": (DIGEST,),
        "created_at": began,
        "storage": "daily",
        "agent": library.reader.agent,
        "source": library.writer,
        "session": library.session,
        "confidence": library.settings["confidence"]["told"],
        "evidence": (),  # nobody said it
    }
    library.add(fields, SHARED, WHY_DIGEST)


def _after(messages: Iterable[Message], at: float) -> list[Message]:
    """Return the messages that came once the entry was shown; times of logs are whole seconds."""
    return [message for message in messages if message.at >= int(at)]


def _is_used(card: Card, messages: Sequence[Message]) -> bool:
    name = card.id[-NAME:]
    if any(message.role == "assistant" and _cites(message.text, name) for message in messages):
        return True
    named = _identifiers(f"{card.title} {card.excerpt}")
    return bool(named) and any(named & _touched(message) for message in messages if message.role == "tool")


def _cites(text: str, name: str) -> bool:
    """Return whether the text has the name, or a beginning of it that is neither a plain word nor a number."""
    begun = {word for word in _WORD.findall(text) if name.startswith(word)}
    return any(word == name or not (word.isalpha() or word.isdigit()) for word in begun)


def _touched(message: Message) -> set[str]:
    given = message.tool_input
    return _identifiers(f"{message.edited} {given.get('file_path', '')} {given.get('command', '')}")


def _identifiers(text: str) -> set[str]:
    return {word.whole for word in read_prompt_words(text) if word.identifier}
