"""Writes a new memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.memory.files.body import LONGEST_TITLE, read_body
from limpet.memory.library import Library
from limpet.memory.model.entry import DURABLE, Entry
from limpet.memory.model.results import Stored
from limpet.operations.conversations import newest_conversation
from limpet.operations.memory.conversations.privacy import refuse_private
from limpet.operations.memory.library import open_library, owner_of, update_index
from limpet.operations.project import Project, clean

MARK = "[redacted:"
REDACTED = "a secret was removed before saving"
FLAGGED = "this reads like an instruction, so agents see that it exists but not its text"


class Kept(Value):
    """A memory as it is on the disk after a call.

    ``stored``: the entry and its place.
    ``changed``: the fields that were changed, () for a new entry.
    ``notices``: lines for the writer: what was redacted or flagged, what git does not take, why the index is late.
    """

    stored: Stored
    changed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def remember(project: Project, fields: Mapping[str, Any], text: str = "", why: str = "") -> Kept:
    """Write a new memory with these fields of ``Entry``.

    ``text``: its first line becomes the title where ``fields`` have none, else all of it the body. Without a
    storage in ``fields`` a person's memory is durable and an agent's daily. Raises LimpetError.
    """
    refuse_private(project.caller)
    library = open_library(project)
    words = _words(text, fields)
    said = {**fields, **words}
    if len(text) > LONGEST_TITLE:
        # The title is cut to its length first: half a secret would not be recognised any more.
        words = _words(clean(project, text), fields)
    complete = {"type": "semantic", "storage": DURABLE if project.caller.reader.person else "daily", **fields, **words}
    if complete["storage"] == "session":
        complete.setdefault("session", _conversation(project))
    if "agent" in complete:
        complete["agent"] = _signing(library, str(complete["agent"]))
    stored = library.add(complete, why=why)
    return Kept(stored=stored, notices=notices_on(library, stored.entry, said))


def notices_on(library: Library, entry: Entry, said: Mapping[str, Any]) -> tuple[str, ...]:
    """Bring the index up to date, and return the notices for the writer of these fields, of which ``entry`` was
    made."""
    kept = f"{entry.title}\n{entry.body}\n{entry.workaround}"
    redacted = kept.count(MARK) > sum(str(said.get(name)).count(MARK) for name in ("title", "body", "workaround"))
    flagged = "instruction" in entry.flags
    notices = (REDACTED if redacted else "", FLAGGED if flagged else "", update_index(library))
    return tuple(filter(None, notices))


def _words(text: str, fields: Mapping[str, Any]) -> dict[str, str]:
    if not text:
        return {}
    title, body = (fields["title"], text) if fields.get("title") else read_body(text)
    return {"title": title, "body": body}


def _conversation(project: Project) -> str:
    """Return the caller's conversation, else the project's newest. Raises LimpetError where there is none."""
    found = project.caller.conversation or str((newest_conversation(project.workspace) or {}).get("id") or "")
    if not found:
        raise LimpetError("No conversation to keep it for", "", "Use --daily or --durable.")
    return found


def _signing(library: Library, name: str) -> str:
    """Return the id of the agent that signs the memory. Raises LimpetError where an agent names another one."""
    agent = owner_of(name)
    if not library.reader.person and agent != library.reader.agent:
        raise LimpetError(f"Only a person can write as {agent}", "", "Omit --agent.")
    return agent
