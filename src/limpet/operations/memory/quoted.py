"""A memory made of somebody's words: a sentence is its title, and the words stand below as a quotation with what they
answered. Separate from ``write``, because what a person typed is kept so before anybody writes a sentence."""

from __future__ import annotations

from typing import Any

from limpet.ground.clock import iso, seconds_of
from limpet.memory.candidates import USER, Candidate, Moment
from limpet.memory.capture.heard import paths_in
from limpet.memory.files.codec import split_evidence, with_quote
from limpet.memory.library import Library
from limpet.memory.model.entry import CAPTURED, CUT, GOES_ON, PERSON, PRIVATE_TYPES, MemoryEntry
from limpet.memory.model.layout import SHARED
from limpet.memory.model.results import MemoryEvidence

MODEL = "model:"
# In characters.
LONGEST_TITLE, LONGEST_BEFORE = 120, 300
# What a note becomes that a person said twice: what had to be said twice is what they want to hold.
SAID_TWICE = "user_correction"


def quoting_fields(library: Library, candidate: Candidate, sentence: str, type: str = "") -> dict[str, Any]:
    """The fields of an entry that says the sentence and quotes the candidate. ``type``: "" for the candidate's own."""
    title, rest = split_sentence(sentence)
    evidence = candidate_evidence_of(candidate, library.clock.now())
    by_model = library.writer if library.writer.startswith(MODEL) else ""
    certain = library.settings["confidence"]
    start = certain["told" if candidate.role == USER and not by_model else "inferred"]
    return {
        "type": type or candidate.type or SAID_TWICE,
        "title": title,
        "body": with_quote(rest, quote_of(candidate)),
        "paths": paths_in(f"{sentence}\n{candidate.quote}"),
        # As much as if it had been written when it was said first, and had been said again since.
        "confidence": min(1.0, round(start + certain["step"] * (len(evidence) - 1), 4)),
        "agent": candidate.agent,
        "source": by_model or f"{CAPTURED}{candidate.session}",
        "session": candidate.session,
        "evidence": evidence,
        "evidence_count": len(evidence),
        "storage": "daily",
        "created_at": iso(candidate.at),
    }


def owner_of_quoted(candidate: Candidate, type: str = "") -> str:
    """What an agent concluded is its own until it is validated; stated things are everybody's (decision 22)."""
    is_private = (type or candidate.type or SAID_TWICE) in PRIVATE_TYPES
    return candidate.agent if candidate.agent and is_private else SHARED


def candidate_evidence_of(candidate: Candidate, now: float) -> tuple[MemoryEvidence, ...]:
    """Who said it where, once for each time; ``now`` is the time where the transcript has none."""
    by = f"agent:{candidate.agent}" if candidate.agent else "agent"
    if candidate.role == USER:
        by = PERSON
    return tuple(
        MemoryEvidence(at=iso(each.at or now), by=by, conversation=each.session, message=each.message)
        for each in candidate.moments
    )


def quoted_in(entry: MemoryEntry, candidate: Candidate) -> Candidate:
    """The candidate with the words that its entry quotes of it."""
    said: dict[str, str] = {}
    for line in split_evidence(entry.body)[1].splitlines():
        words, _, speaker = line.lstrip("> ").rpartition(" (")
        said[speaker.partition(",")[0]] = words
    again = tuple(Moment(seconds_of(each.at), each.conversation, each.message) for each in entry.evidence[1:])
    words, before = said.get(USER, entry.title), said.get("assistant", "")
    return candidate.replace(quote=words, before=before, again=again, type=entry.type)


def split_sentence(sentence: str) -> tuple[str, str]:
    """Return title and body."""
    if len(sentence) <= LONGEST_TITLE:
        return sentence, ""
    longest = LONGEST_TITLE - 4
    space = sentence.rfind(" ", longest // 2, longest)
    head = sentence[: space if space > 0 else longest]
    return f"{head}{CUT}", f"{GOES_ON}{sentence[len(head) :].strip()}"


def quote_of(candidate: Candidate) -> str:
    others = "assistant" if candidate.role == USER else USER
    said = ((candidate.before[-LONGEST_BEFORE:], others), (candidate.quote, candidate.role))
    day = iso(candidate.at)[:10]
    return "\n>\n".join(f"> {' '.join(words.split())} ({speaker}, {day})" for words, speaker in said if words)
