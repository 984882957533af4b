"""Records of the index: an entry's card, and its terms by field, redacted. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from limpet.ground.safety.instructions.find import flags_of
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.timestamps import seconds_of
from limpet.ground.values import Value
from limpet.memory.index.database import SEPARATOR
from limpet.memory.index.excerpt import excerpt
from limpet.memory.index.question_signals import is_question, names_of_month, tells_number, tells_when, words_of
from limpet.memory.index.terms import about, terms
from limpet.memory.index.wishes import practice_terms
from limpet.memory.model.card import Card
from limpet.memory.model.entry import Entry
from limpet.memory.model.evidence import CONTRADICTED
from limpet.memory.model.layout import TEAM, Place
from limpet.memory.model.validation import REDACTED_LISTS, redacted

# Characters of a body that are searched: far more than anyone writes by hand.
SEARCHED = 100_000
LONGEST_NAME = 64
# The most that is shown of a teammate's name.
AUTHOR_WORDS, LONGEST_AUTHOR = 3, 40
UNKNOWN = "a teammate"
# What a column of the database holds of a number.
MOST = 1 << 62


class Record(Value):
    """An entry as the index keeps it.

    ``content``: terms of title, body, tags and paths, as ``pack`` writes them.
    ``metadata``: terms of who recorded it, of the practices it is about, and of when, as ``pack`` writes them.
    ``length``: number of terms of the body.
    ``conversation``: name of its conversation as its owner sees it.
    ``is_question``, ``has_time``, ``has_number``: its signals for questions.
    ``cites``: paths of files that its text cites.
    """

    card: Card
    content: str
    metadata: str
    length: int
    conversation: str
    is_question: bool
    has_time: bool
    has_number: bool
    cites: tuple[str, ...]


def make_record(path: str, place: Place, entry: Entry, secrets: Collection[str] = ()) -> Record:
    """Return the record of an entry at ``path`` (from ``memories/``), without secrets.

    Text that reads like an instruction is flagged here too: an editor, or a clone, may have brought it.
    """
    lines = {name: tuple(" ".join(text.split()) for text in getattr(entry, name)) for name in REDACTED_LISTS}
    kept = _flagged(redacted(entry.replace(**lines), secrets))
    body = "\n".join(part for part in (kept.body[:SEARCHED], kept.category, kept.workaround) if part)
    content = (terms(kept.title), terms(body), terms(" ".join(kept.tags)), terms(" ".join(kept.paths)))
    author = _author(kept.shared_by) if place.owner == TEAM else ""
    who = terms(f"{kept.agent} {author}")
    card = _card(path, place, kept).replace(author=author)
    metadata = ((*map(about, who), *practice_terms(card)), tuple(map(about, _date_terms(entry.created_at))))
    words = words_of(body)
    return Record(
        card=card,
        content=pack(content),
        metadata=pack(metadata),
        length=len(content[1]),
        conversation=_conversation(path, place, entry),
        is_question=is_question(kept.body),
        has_time=tells_when(words),
        has_number=tells_number(words),
        cites=kept.paths,
    )


def pack(fields: Sequence[Sequence[str]]) -> str:
    """Return a line a field, each term between two spaces of its own, so that its occurrences can be counted as
    text."""
    return SEPARATOR.join(f" {'  '.join(field)} " if field else "" for field in fields)


def _flagged(entry: Entry) -> Entry:
    found = flags_of("\n\n".join((entry.title, entry.body[:SEARCHED], entry.workaround)))
    return entry.replace(flags=tuple(dict.fromkeys((*entry.flags, *found))))


def _card(path: str, place: Place, entry: Entry) -> Card:
    alike = {name: getattr(entry, name) for name in Card.fields if name in Entry.fields}
    own = Card(**{**alike, "path": path, "owner": place.owner, "storage": place.storage, "valid_until": 0.0})
    return own.replace(
        excerpt=excerpt(entry),
        agent=_name(entry.agent),
        created=seconds_of(entry.created_at),
        last_accessed=seconds_of(entry.last_accessed),
        accesses=min(entry.access_count, MOST),
        evidence=min(entry.evidence_count, MOST),
        confidence=entry.confidence if 0 <= entry.confidence <= 1 else 0.0,
        expires=seconds_of(entry.expires_at),
        valid_until=seconds_of(entry.valid_until),
        state=place.state,
        size=estimate_tokens(entry.title) + estimate_tokens(entry.body),
        last_evidence=max((seconds_of(each.at) for each in entry.evidence if each.how != CONTRADICTED), default=0.0),
    )


def _name(agent: str) -> str:
    """Return the agent where it is one word: it is outside the quotation, where a sentence would speak for
    Limpet."""
    return agent if len(agent) <= LONGEST_NAME and len(agent.split()) == 1 else ""


def _author(name: str) -> str:
    """Return the name's words, as many as names have: it is outside the quotation too, and a teammate typed it."""
    said = "".join(sign if sign.isalnum() or sign in "-'." else " " for sign in name)
    return clip(" ".join(said.split()[:AUTHOR_WORDS]), LONGEST_AUTHOR) or UNKNOWN


def _conversation(path: str, place: Place, entry: Entry) -> str:
    """Return the name of the entry's conversation in one owner and state; an entry of none is one of its own."""
    inside = ("conversation", entry.session) if entry.session else ("path", path)
    return SEPARATOR.join((place.owner, place.state, *inside))


def _date_terms(timestamp: str) -> list[str]:
    """Return the year, the month's names, the day, and the date in one, of a time like 2026-11-21T12:00:00Z."""
    date = timestamp[:10].split("-")
    if len(date) != 3 or not all(part.isdigit() for part in date) or not 1 <= int(date[1]) <= 12:
        return []
    return terms(f"{date[0]} {names_of_month(int(date[1]))} {date[2]}") + ["".join(date)]
