"""What an agent tells the team's server itself, without a machine of its own: a revision that the server writes for its
token, under the same rules as any other."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from psycopg import Connection

from limpet.ground.clock import iso
from limpet.ground.digest import digest
from limpet.ground.safety.redaction import MARK, redact
from limpet.memory.candidates import read_finding
from limpet.memory.files.codec import write_entry_text
from limpet.memory.model.entry import DURABLE, SECTOR_OF, UNREVIEWED
from limpet.memory.model.ids import file_name, new_id
from limpet.memory.model.layout import CURRENT, TEAM
from limpet.memory.model.validation import make_memory_entry
from limpet.operations.memory.change import FLAGGED, REDACTED
from limpet.operations.memory.quoted import split_sentence
from limpet.operations.memory.write import WRITTEN
from limpet.server import revisions
from limpet.server.tokens import ServerCaller
from limpet.sharing.revision import Revision, Said, encode

_MARKED = MARK.partition("{")[0]


def remember_sentence(
    connection: Connection[Any],
    caller: ServerCaller,
    project: str,
    sentence: str,
    kind: str,
    files: Sequence[str],
    tags: Sequence[str],
) -> dict[str, str]:
    """Return what the local tool returns. Raise LimpetError for what no memory can be."""
    title, body = split_sentence(read_finding(kind, redact(sentence)).sentence)
    now = time.time()
    fields = {
        "id": new_id(now),
        "type": kind,
        "title": title,
        "body": body,
        "agent": caller.agent,
        "tags": (*tags, UNREVIEWED),
        "sector": SECTOR_OF[kind],
        "created_at": iso(now),
        "storage": DURABLE,
        "source": f"agent:{caller.agent}" if caller.agent else "agent",
        "paths": tuple(files),
        "shared_by": caller.person,
        "shared_at": iso(now),
    }
    entry = make_memory_entry(fields)
    said = Said(CURRENT, f"{TEAM}/{DURABLE}", write_entry_text(entry))
    # Of the token alone, which no machine writes under; a token of several processes waits in the database.
    writer = digest(f"{caller.tenant}\0{caller.token}", 8)
    revisions.add_project(connection, caller.tenant, project)
    end = revisions.hold_feed(connection, caller.tenant, project)
    number, last = revisions.last_of(connection, caller.tenant, project, writer)
    made = Revision(project, entry.id, said, writer, number + 1, file_name(entry), last)
    revisions.put_revisions(connection, caller, project, {made.name: encode(made)}, end)
    notices = [REDACTED if _MARKED in said.text else "", FLAGGED if entry.flags else ""]
    return {"id": entry.id, "title": entry.title, "did": WRITTEN, "notice": " ".join(filter(None, notices))}
