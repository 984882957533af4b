"""Gotchas: noted, listed, searched and resolved by a caller; and made of failed calls of tools, of which each is logged
once, an error that repeats often enough becomes a gotcha, and what mended it the gotcha's workaround."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.message import Message
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.files import Lock
from limpet.ground.workspace import Workspace
from limpet.learning.model import FINDING
from limpet.memory.capture.outcomes import Mend, only_looks, same_command
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.gotchas import (
    Occurrence,
    append_occurrence,
    categorise,
    draft,
    find_gotchas,
    gotcha_evidence_of,
    make_occurrence,
    read_occurrences,
    severity_of,
    severity_rank,
    signature_tag,
)
from limpet.memory.library import Library
from limpet.memory.model.entry import Card, Query
from limpet.memory.model.layout import SHARED
from limpet.memory.model.results import Listing, Stored
from limpet.operations.learning.observe import observe
from limpet.operations.memory.change import KeptMemory, edit_memory, remember_memory
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project, open_as

HOUR = 3600.0
# The log is read back for so many times ``gotcha_hours``: an occurrence may lie at the start of a window of its own.
WINDOWS = 2
# Seconds to wait for the lock, and by which a logged failure may be newer than this one: each has a process of its own,
# these overtake one another, and the last one has to count them all.
PATIENCE, OVERTAKING = 15.0, 60.0
KIND = "gotcha"
# Severity of a gotcha -> that of a finding.
_SEVERITIES = {"critical": "P1", "warning": "P2", "info": "P3"}


def log_failure(
    workspace: Workspace, conversation: Conversation, error: str, tool: str, tool_use_id: str, paths: Sequence[str]
) -> int:
    """Return the number of gotchas that are new or confirmed. ``tool``: its name, and its command where it has one."""
    if only_looks(same_command(tool.partition(" ")[2])):  # finding nothing is an answer
        return 0
    library = open_library(open_as(workspace, conversation.caller))
    secrets = read_secrets(workspace.root)
    occurrence = make_occurrence(error, tool, library.clock.now(), library.session, tool_use_id, paths, secrets)
    found = _log(library, [occurrence])
    if found:
        update_index(library)
    return found


def keep_failures(library: Library, messages: Iterable[Message]) -> int:
    """Return the number of gotchas that are new or confirmed. The messages hold no secrets any more."""
    occurrences = []
    for message in messages:
        command = message.tool_input.get("command", "")
        if message.failed and message.error and not only_looks(same_command(command)):
            tool = " ".join(part for part in (message.tool, command) if part)
            paths = (message.tool_input["file_path"],) if "file_path" in message.tool_input else ()
            at = message.at or library.clock.now()
            occurrences.append(make_occurrence(message.error, tool, at, library.session, message.tool_use_id, paths))
    return _log(library, occurrences)


def keep_workarounds(library: Library, mends: Iterable[Mend]) -> None:
    for mend in mends:
        known = _gotcha_of(library, mend.failure.signature)
        if known and not library.find(known.id).entry.workaround:
            library.edit(known.id, {"workaround": mend.words, "resolved": True}, "captured: what fixed it")


def note_gotcha(project: Project, text: str, fields: Mapping[str, Any], why: str = "") -> KeptMemory:
    """Category and severity follow from the words of ``text`` where ``fields`` have none."""
    graded = {"category": fields.get("category") or categorise(text), "severity": fields.get("severity")}
    graded["severity"] = graded["severity"] or severity_of(text)
    kept = remember_memory(project, {**fields, **graded, "type": KIND}, text, why)
    # Of a failure that nobody mended, met in several stories or conversations, an anti-pattern is made.
    gotcha = kept.stored.entry
    stated: dict[str, Any] = {"resolved": False, "severity": _SEVERITIES.get(gotcha.severity, "")}
    stated["guidance"] = (gotcha.workaround,) if gotcha.workaround else ()
    if project.settings["learning"]["observe"]:
        with suppress(LimpetError):  # no story, no conversation, or a private one
            observe(project, FINDING, gotcha.title, tags=(KIND, gotcha.category), **stated)
    return kept


def known_gotchas(
    project: Project,
    words: str | None = None,
    resolved: bool | None = None,
    limit: int = 20,
) -> tuple[tuple[Stored, ...], Listing]:
    """None stands for any. Without words critical ones come first, then by evidence; the listing has them all."""
    library = open_library(project)
    if words is not None:
        listing = library.search(Query(text=words, type=KIND, limit=limit))
        return tuple(_entries(library, listing, resolved)), listing
    listing = library.list(Query(type=KIND, limit=EVERYTHING))  # the newest first
    found = _entries(library, listing, resolved)
    found.sort(key=lambda stored: (severity_rank(stored.entry.severity), -stored.entry.evidence_count))
    return tuple(found[:limit]), listing


def resolve_gotcha(
    project: Project,
    key: str,
    resolved: bool = True,
    workaround: str | None = None,
    why: str = "",
) -> KeptMemory:
    """Raises LimpetError also for what is no gotcha."""
    if open_library(project).show(key, count=False).entry.type != KIND:
        raise LimpetError("Memory is not a gotcha", key, "Run: limpet memory list --type gotcha")
    helped = {} if workaround is None else {"workaround": workaround}
    return edit_memory(project, key, {"resolved": resolved, **helped}, why=why)


def _log(library: Library, occurrences: Sequence[Occurrence]) -> int:
    with Lock(os.path.join(library.shared, "locks", "failures.lock"), PATIENCE):
        now = library.clock.now()
        since = min((each.at for each in occurrences), default=now) - WINDOWS * library.settings["gotcha_hours"] * HOUR
        logged = read_occurrences(library.shared, since)
        known = {each.tool_use_id for each in logged if each.tool_use_id}
        new = [each for each in occurrences if each.tool_use_id not in known]
        for each in new:
            append_occurrence(library.shared, each, library.retention, library.writer, library.reader.agent)
        gotchas = find_gotchas([*logged, *new], now + OVERTAKING, library.settings)
        fresh = {each.signature for each in new}
        found = [signature for signature in gotchas if signature in fresh]
        for signature in found:
            _remember(library, signature, gotchas[signature])
    return len(found)


def _remember(library: Library, signature: str, found: Sequence[Occurrence]) -> None:
    if known := _gotcha_of(library, signature):
        library.strengthen(known.id, map(gotcha_evidence_of, found), "the same error again")
        return
    fields = {
        **draft(signature, found),
        "agent": library.reader.agent,
        "source": library.writer,
        "confidence": library.settings["confidence"]["told"],  # it was seen, not concluded
    }
    library.add(fields, SHARED, f"the same error {len(found)} times")


def _gotcha_of(library: Library, signature: str) -> Card | None:
    cards = library.list(Query(tag=signature_tag(signature), type="gotcha", limit=1)).cards
    return cards[0] if cards else None


def _entries(library: Library, found: Listing, resolved: bool | None) -> list[Stored]:
    """The files are read, since the index has no severity."""
    entries = [library.show(card.path, count=False) for card in found.cards]
    return [stored for stored in entries if resolved is None or stored.entry.resolved == resolved]
