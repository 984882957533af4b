"""What the search, and the look across projects, go by of a revision: its title, its words as the local index cuts
them, and what it says whatever the order of its words. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.memory.files.codec import read_entry_text
from limpet.memory.index.records import SEARCHED
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.model.entry import MemoryEntry
from limpet.sharing.revision import Revision

ENTRY = "entry"
_OPEN = ("shared", "team")
# Terms of one field that are searched, and signs of a term: PostgreSQL takes 2,047.
_MOST, _LONGEST = 16_000, 200


class Head(Value):
    """``owner``: the agent whose alone it is, "" for everybody's. ``sense``: the same for entries that say the same, ""
    where it says too little to tell. ``words``: as PostgreSQL reads a tsvector."""

    kind: str
    owner: str
    title: str
    confidence: float
    sense: str
    words: str


def head_of(revision: Revision) -> Head:
    """Of a revision with a text. Raise LimpetError where that is no entry."""
    owner = revision.said.folder.partition("/")[0]
    entry = read_entry_text(revision.said.text, revision.entry)
    if entry.id != revision.entry:
        raise LimpetError("The text is another entry's", revision.entry)
    said = [term for term in terms(entry.title) if not is_stop(term)]
    sense = digest(f"{entry.type}\0{' '.join(sorted(set(said)))}", 16) if len(set(said)) > 2 else ""
    return Head(ENTRY, "" if owner in _OPEN else owner, entry.title, entry.confidence, sense, _words(entry))


def question(text: str) -> str:
    """The words of a question as PostgreSQL reads a tsquery, "" where none says anything."""
    asked = dict.fromkeys(term for term in terms(text) if not is_stop(term))
    return " | ".join(_quoted(term) for term in list(asked)[:32])


def _words(entry: MemoryEntry) -> str:
    paths = " ".join(entry.paths)
    fields = (("A", entry.title), ("B", " ".join(entry.tags)), ("C", paths), ("D", entry.body[:SEARCHED]))
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
