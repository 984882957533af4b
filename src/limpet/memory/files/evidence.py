"""What this machine's own log says of a memory: which words it was given here, and how often somebody bore them out. A
file says what whoever wrote it likes, so what a person is told that they said is counted from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.ground.digest import digest
from limpet.ground.event_log import Event, event_data, moment_of, read_events
from limpet.ground.formats.frontmatter import split_frontmatter
from limpet.ground.values import Value
from limpet.memory.files.codec import read_body, split_evidence
from limpet.memory.model.entry import PERSON, MemoryEntry
from limpet.memory.model.results import CONTRADICTED

ADDED = "memory.added"
CHANGED = "memory.changed"
MOVED = "memory.moved"
STRENGTHENED = "memory.strengthened"
# Events that may name the words that an entry had then.
WORDED = (ADDED, CHANGED, MOVED, STRENGTHENED)


class OwnEvidence(Value):
    """``says``: what tells the words that count from all others, "" for none. ``times``: how
    often they were borne out; ``said``: by the person, conversation -> how often."""

    says: str = ""
    times: int = 0
    said: Mapping[str, int] = {}

    def is_of(self, entry: MemoryEntry) -> bool:
        return self.says in ("", digest_of_words(entry))


NO_EVIDENCE = OwnEvidence()


def digest_of_words(entry: MemoryEntry) -> str:
    """Of what it says, without the words that it rests on."""
    return _digest_of(entry.title, entry.body)


def digest_of_text(text: str, where: str) -> str:
    """The same of an entry's file, whose frontmatter nobody has to read for it. Raise LimpetError."""
    parts = split_frontmatter(text, where)
    return _digest_of(*read_body(parts.rest[parts.body :]))


def _digest_of(title: str, body: str) -> str:
    return digest(" ".join(f"{title} {split_evidence(body)[0]}".split()))


def worded(kind: str, before: MemoryEntry | None, after: MemoryEntry) -> dict[str, object]:
    """What an event tells of an entry that it gave other words, or whose words it bore out; ``before``: None for a new
    one."""
    known = before.evidence if before else ()
    new = [each for each in after.evidence if each not in known and each.how != CONTRADICTED]
    says = digest_of_words(after)
    if before and kind != STRENGTHENED and says == digest_of_words(before):
        return {}
    said: dict[str, int] = {}
    for each in new:
        if each.by == PERSON:
            said[each.conversation] = said.get(each.conversation, 0) + 1
    return {"says": says, "times": len(new), "said": said} if new else {"says": says}


def read_own_evidence(shared: str) -> dict[str, OwnEvidence]:
    """Return id -> what the log says of the entry."""
    found: dict[str, OwnEvidence] = {}
    for event in sorted(read_events(shared, WORDED), key=moment_of):
        data = event_data(event)
        key = str(data.get("memory"))
        if "says" in data:
            found[key] = _after(found.get(key, NO_EVIDENCE), event, data)
    return found


def _after(before: OwnEvidence, event: Event, data: Mapping[str, Any]) -> OwnEvidence:
    """Other words begin anew, unless the person chose them."""
    says, times, said = str(data["says"]), data.get("times"), data.get("said")
    if says != before.says and before.says and event.get("writer") != PERSON:
        before = NO_EVIDENCE
    total = dict(before.said)
    for conversation, count in said.items() if isinstance(said, dict) and times else ():
        total[conversation] = total.get(conversation, 0) + int(count)
    return OwnEvidence(says, before.times + int(times or 0), total)
