"""The digest of a conversation: one daily memory that grows with each capture."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.ground.clock import iso
from limpet.memory.capture.activity import activity
from limpet.memory.capture.digest import find_subject, write_digest
from limpet.memory.capture.heard import Heard
from limpet.memory.library import Library
from limpet.memory.model.access import owners
from limpet.memory.model.card import Query
from limpet.memory.model.entry import DIGEST
from limpet.memory.model.layout import SHARED
from limpet.memory.model.types import STATED_TYPES
from limpet.transcripts.messages import Message

WHY = "digest of the conversation"


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
        library.edit(known[0].id, {"body": body}, WHY)
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
    library.add(fields, SHARED, WHY)
