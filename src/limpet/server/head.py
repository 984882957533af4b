"""What the search, and the look across projects, go by of a revision: its title, its words as the local index cuts
them, and what it says whatever the order of its words. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.text.folding import fold
from limpet.ground.text.words import split_words
from limpet.ground.values import Value
from limpet.learning.model import ANTI_PATTERN, KnowledgeEntry, counted_evidence
from limpet.memory.extraction import NEGATIONS
from limpet.memory.files.codec import read_entry_text
from limpet.memory.index.records import SEARCHED
from limpet.memory.index.terms import is_stop, terms
from limpet.sharing.knowledge import KNOWLEDGE, MEMORY, OBSERVATION, kind_of_name, knowledge_in, observation_in
from limpet.sharing.revision import Revision

_OPEN = ("shared", "team")
_AVOID = "Avoid: "
# Types of what went wrong, which say the contrary of what the same words say as advice.
_AGAINST = (ANTI_PATTERN, "gotcha", "error_pattern")
# What turns the sense of the word that it stands before, so that the same words in another order say the contrary.
_TURNING = NEGATIONS | frozenset(
    "cannot nor neither nothing instead than before after unless except only over under from to until arent isnt"
    " shouldnt mustnt nicht kein keine nie ohne vor nach non mai senza jamas antes despues depois avant".split()
)
_APOSTROPHES = dict.fromkeys(map(ord, "'\u2019"))
# Terms of one field that are searched, and signs of a term: PostgreSQL takes 2,047.
_MOST, _LONGEST = 16_000, 200


class Head(Value):
    """``owner``: the agent whose alone it is, "" for everybody's. ``sense``: the same for entries that say the same, ""
    where it says too little to tell. ``words``: as PostgreSQL reads a tsvector. ``evidence``: what speaks for and
    against an entry of the knowledge, as far as it counts."""

    kind: str
    owner: str
    title: str
    confidence: float
    sense: str
    words: str
    evidence: tuple[Mapping[str, str], ...] = ()


class SharedText(Value):
    """What a revision says, of whatever kind. ``type``: of the memory, of the entry or of the observation. ``at``: the
    day, "" where unknown."""

    type: str
    title: str
    body: str
    at: str
    tags: tuple[str, ...]
    paths: tuple[str, ...]
    confidence: float
    flags: tuple[str, ...] = ()
    evidence: tuple[Mapping[str, str], ...] = ()


def head_of(revision: Revision) -> Head:
    """Of a revision with a text. Raise LimpetError where that is none of its kind."""
    kind, said, owner = kind_of_name(revision.entry), read_shared(revision), revision.said.folder.partition("/")[0]
    is_open = kind != MEMORY or owner in _OPEN
    sense = "" if kind == OBSERVATION else _sense(said)
    title = f"{_AVOID}{said.title}" if said.type == ANTI_PATTERN else said.title
    return Head(kind, "" if is_open else owner, title, said.confidence, sense, _words(said), said.evidence)


def read_shared(revision: Revision) -> SharedText:
    """Raise LimpetError for a text that is none of its kind."""
    kind = kind_of_name(revision.entry)
    if kind == KNOWLEDGE:
        return _told_of(knowledge_in(revision))
    if kind == OBSERVATION:
        seen = observation_in(revision)
        body = "\n".join(seen.guidance)
        return SharedText(seen.type, seen.text, body, seen.at[:10], seen.tags, seen.paths, seen.importance / 10)
    entry = read_entry_text(revision.said.text, revision.entry)
    if entry.id != revision.entry:
        raise LimpetError("The text is another entry's", revision.entry)
    about = (entry.created_at[:10], entry.tags, entry.paths, entry.confidence, entry.flags)
    return SharedText(entry.type, entry.title, entry.body, *about)


def question(text: str) -> str:
    """The words of a question as PostgreSQL reads a tsquery, "" where none says anything."""
    asked = dict.fromkeys(term for term in terms(text) if not is_stop(term))
    return " | ".join(_quoted(term) for term in list(asked)[:32])


def _told_of(entry: KnowledgeEntry) -> SharedText:
    counted = [piece for piece, counts in counted_evidence(entry.evidence) if counts]
    evidence = [{name: getattr(piece, name) for name in ("source", "agent", "effect", "at")} for piece in counted]
    about = (entry.created[:10], entry.tags, (), entry.confidence)
    return SharedText(entry.kind, entry.text, "\n".join(entry.guidance), *about, evidence=tuple(evidence))


def _sense(said: SharedText) -> str:
    words, turned = set[str](), ""
    for chunk in fold(said.title).translate(_APOSTROPHES).split():
        word = "".join(split_words(chunk))
        if word in _TURNING:
            turned += f"{word} "
            continue
        for term in terms(chunk):
            if not is_stop(term):
                words.add(turned + term)
                turned = ""
    stand = "against" if said.type in _AGAINST else "for"
    return digest(f"{stand}\0{' '.join(sorted(words))}", 16) if len(words) > 2 else ""


def _words(said: SharedText) -> str:
    fields = (("A", said.title), ("B", " ".join(said.tags)), ("C", " ".join(said.paths)), ("D", said.body[:SEARCHED]))
    places = dict[str, list[str]]()
    for weight, text in fields:
        for term in terms(text)[:_MOST]:
            places.setdefault(term[:_LONGEST], []).append(weight)
    return " ".join(_lexeme(term, weights) for term, weights in places.items())


def _lexeme(term: str, weights: Iterable[str]) -> str:
    """An occurrence is a place, of which PostgreSQL keeps 255 a word."""
    return f"{_quoted(term)}:{','.join(f'{at}{weight}' for at, weight in enumerate(list(weights)[:255], start=1))}"


def _quoted(term: str) -> str:
    doubled = term.replace("\\", "\\\\").replace("'", "''").replace("\0", "")
    return f"'{doubled}'"
