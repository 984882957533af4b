"""The log of failed calls of tools: each is logged once, an error that repeats often enough becomes a gotcha, and what
mended it the gotcha's workaround."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.files import Lock
from limpet.ground.workspace import Workspace
from limpet.memory.capture.outcomes import Mend, only_looks, same_command
from limpet.memory.gotchas import (
    Occurrence,
    append_occurrence,
    draft,
    find_gotchas,
    gotcha_evidence_of,
    make_occurrence,
    read_occurrences,
    signature_tag,
)
from limpet.memory.library import Library
from limpet.memory.model.entry import Card, Query
from limpet.memory.model.layout import SHARED
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import open_as
from limpet.transcripts.messages import Message

HOUR = 3600.0
# The log is read back for so many times ``gotcha_hours``: an occurrence may lie at the start of a window of its own.
WINDOWS = 2
# Seconds to wait for the lock, and by which a logged failure may be newer than this one: each has a process of its own,
# these overtake one another, and the last one has to count them all.
PATIENCE, OVERTAKING = 15.0, 60.0


def log_failure(
    workspace: Workspace, conversation: Conversation, error: str, tool: str, tool_use_id: str, paths: Sequence[str]
) -> int:
    """Log a failure from a host's event; return the number of gotchas that are new or confirmed.

    ``error``: what the tool said. ``tool``: its name, and its command where it has one. ``tool_use_id``: the host's id
    of the call. ``paths``: the files in play.
    """
    if only_looks(same_command(tool.partition(" ")[2])):  # finding nothing is an answer
        return 0
    library = open_library(open_as(workspace, conversation.caller))
    secrets = read_secrets(workspace.root)
    occurrence = make_occurrence(error, tool, library.clock.now(), library.session, tool_use_id, paths, secrets)
    found = _keep(library, [occurrence])
    if found:
        update_index(library)
    return found


def keep_failures(library: Library, messages: Iterable[Message]) -> int:
    """Log the failures in messages, which hold no secrets any more; return the number of gotchas that are new or
    confirmed."""
    occurrences = []
    for message in messages:
        command = message.tool_input.get("command", "")
        if message.failed and message.error and not only_looks(same_command(command)):
            tool = " ".join(part for part in (message.tool, command) if part)
            paths = (message.tool_input["file_path"],) if "file_path" in message.tool_input else ()
            at = message.at or library.clock.now()
            occurrences.append(make_occurrence(message.error, tool, at, library.session, message.tool_use_id, paths))
    return _keep(library, occurrences)


def keep_workarounds(library: Library, mends: Iterable[Mend]) -> None:
    """Write each mend into the gotcha of its error, where there is one without a workaround."""
    for mend in mends:
        known = _gotcha_of(library, mend.failure.signature)
        if known and not library.show(known.id, count=False).entry.workaround:
            library.edit(known.id, {"workaround": mend.words, "resolved": True}, "captured: what fixed it")


def _keep(library: Library, occurrences: Sequence[Occurrence]) -> int:
    with Lock(os.path.join(library.shared, "cache", "locks", "failures.lock"), PATIENCE):
        return _log(library, occurrences)


def _log(library: Library, occurrences: Sequence[Occurrence]) -> int:
    now = library.clock.now()
    since = min((each.at for each in occurrences), default=now) - WINDOWS * library.settings["gotcha_hours"] * HOUR
    logged = read_occurrences(library.shared, since)
    known = {each.tool_use_id for each in logged if each.tool_use_id}
    new = [each for each in occurrences if each.tool_use_id not in known]
    for each in new:
        append_occurrence(library.shared, each, library.retention, library.writer, library.reader.agent)
    gotchas = find_gotchas([*logged, *new], now + OVERTAKING, library.settings)
    fresh = {each.signature for each in new}
    return sum(_remember(library, signature, found) for signature, found in gotchas.items() if signature in fresh)


def _remember(library: Library, signature: str, found: Sequence[Occurrence]) -> bool:
    if known := _gotcha_of(library, signature):
        library.strengthen(known.id, map(gotcha_evidence_of, found), "the same error again")
        return True
    fields = {
        **draft(signature, found),
        "agent": library.reader.agent,
        "source": library.writer,
        "confidence": library.settings["confidence"]["told"],  # it was seen, not concluded
    }
    library.add(fields, SHARED, f"the same error {len(found)} times")
    return True


def _gotcha_of(library: Library, signature: str) -> Card | None:
    cards = library.list(Query(tag=signature_tag(signature), type="gotcha", limit=1)).cards
    return cards[0] if cards else None
