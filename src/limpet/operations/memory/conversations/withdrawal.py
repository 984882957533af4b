"""What was said only on a branch that the person left counts as not said: candidates and memories of it are withdrawn,
and ``limpet review`` tells of them."""

from __future__ import annotations

from contextlib import suppress

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, read_events
from limpet.ground.recording import record
from limpet.ground.workspace import Workspace
from limpet.memory.candidates import Candidate, read_candidate_files, save
from limpet.memory.catalogue import EVERYTHING
from limpet.memory.files.evidence import NO_EVIDENCE, read_own_evidence
from limpet.memory.library import Library
from limpet.memory.looked_at import last_look
from limpet.memory.model.entry import Query
from limpet.memory.model.results import CONTRADICTED
from limpet.operations.memory.candidates import list_open, writing
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.project import Project
from limpet.transcripts.registry import transcript_of

WITHDRAWN, WHY = "memory.withdrawn", "the person went back before it was said"


def withdraw_left(project: Project, library: Library, conversation: Conversation) -> None:
    reader = transcript_of(conversation.host)
    messages = reader.read_messages(conversation.transcript, left=True)[0] if reader else ()
    left = frozenset(message.id for message in messages if message.id)
    if not left:
        return
    said = [*_withdraw_candidates(library, left), *_withdraw_memories(library, left, conversation)]
    if said:
        record(project.workspace, project.actor, WITHDRAWN, {"said": said})


def list_withdrawn(workspace: Workspace) -> list[str]:
    """The words of what was withdrawn since the last look."""
    since = last_look(workspace)
    events = (event for event in read_events(workspace.shared, WITHDRAWN) if str(event.get("time")) >= since)
    return [str(text) for event in events for text in event_data(event).get("said") or ()]


def _withdraw_candidates(library: Library, left: frozenset[str]) -> list[str]:
    with writing(library.shared):
        known = read_candidate_files(library.shared)
        gone, changed = list[Candidate](), dict[str, Candidate]()
        for each in known:
            kept = [moment for moment in each.moments if moment.message not in left]
            if not kept:
                gone.append(each)
            elif len(kept) < len(each.moments):
                first, *again = kept
                changed[each.id] = each.replace(session=first.session, message=first.message, again=tuple(again))
        if gone or changed:
            save(library.shared, changed.values(), gone)
            list_open(library, [changed.get(each.id, each) for each in known if each not in gone])
    return [each.quote for each in gone if each.quote]


def _withdraw_memories(library: Library, left: frozenset[str], conversation: Conversation) -> list[str]:
    """A memory that anything else bears out stays, and one that the person decided on."""
    heard, withdrawn = read_own_evidence(library.shared), list[str]()
    for card in library.list(Query(limit=EVERYTHING, now=conversation.now)).cards:
        own = heard.get(card.id, NO_EVIDENCE)
        if conversation.session not in (card.session, *own.said):
            continue
        with suppress(LimpetError):
            entry = library.find(card.id).entry
            said = [each.message for each in entry.evidence if each.how != CONTRADICTED]
            if said and left.issuperset(said):
                library.archive(card.id, WHY)
                withdrawn.append(entry.title)
    return withdrawn
