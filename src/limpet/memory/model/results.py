"""Answers of the library to its callers, and the error for what it does not have."""

from __future__ import annotations

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import Stamp
from limpet.ground.values import Value
from limpet.memory.model.entry import Card, Hit, MemoryEntry
from limpet.memory.model.layout import MemoryPlace

SHOWN = "shown"
SAID, CONFIRMED, OPENED, APPLIED, CONTRADICTED = HOWS = ("said", "confirmed", "opened", "applied", "contradicted")


class Gone(LimpetError):
    """There is no such memory, or the reader may not see it: both have one answer, with why it may only seem so."""

    def __init__(self, key: str, why: str = "") -> None:
        super().__init__("No memory with this ID", key, why or "Run: limpet memory list")


class Stored(Value):
    """An entry and its place, ``path`` from ``memories/``. ``entry`` has the ``scope`` and ``storage`` that the place
    gives it, whatever its frontmatter says; ``stamp`` differs between any two versions of the text."""

    entry: MemoryEntry
    path: str
    place: MemoryPlace
    stamp: Stamp


class MemoryProblem(Value):
    """A mistake in one file, ``path`` from ``memories/``; ``line`` counts from 1, 0 means the whole file."""

    path: str
    line: int
    what: str
    hint: str

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.what}. {self.hint}" if self.hint else f"{where}: {self.what}"


class Listing(Value):
    """Cards that a list or a search found; ``hits`` for a search only. ``problems`` are files that could not be read,
    ``unread`` says that some were not read yet."""

    cards: tuple[Card, ...] = ()
    hits: tuple[Hit, ...] = ()
    problems: tuple[MemoryProblem, ...] = ()
    unread: str = ""


class Imported(Value):
    """The ids ``added``, (old, new) of those ``renamed`` because another entry has the id, how many were ``known``.
    ``twins``: (title, id) of notes that say what the memory with the id says."""

    added: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    known: int = 0
    twins: tuple[tuple[str, str], ...] = ()
    problems: tuple[MemoryProblem, ...] = ()


class Refreshed(Value):
    """The outcome of bringing the index up to date. ``changed``: files that were read again. ``total``: entries that
    the index holds now. ``unread``: those of the ``files`` for which there was no time."""

    changed: int
    removed: int
    total: int
    problems: tuple[MemoryProblem, ...]
    files: int = 0
    unread: int = 0


class MemoryEvidence(Value):
    """A moment that bears an entry out, or ``contradicted`` it.

    ``at``: an ISO text ending in ``Z``.
    ``how``: one of ``HOWS``.
    ``by``: ``person``, ``agent:<id>``, ``agent`` for one without a name, ``model:<name>``, or "" where nobody said it.
    ``conversation``, ``message``: where it was said: their ids, "" where unknown.
    ``step``: the agent whose step of the work was under way when it was recorded, "" for none.
    """

    at: str
    how: str = SAID
    by: str = ""
    conversation: str = ""
    message: str = ""
    step: str = ""


def is_same(one: MemoryEvidence, other: MemoryEvidence) -> bool:
    """Copies of a conversation keep time and id of a message; older files have the time alone."""
    if (one.at, one.how) != (other.at, other.how):
        return False
    return one.message == other.message or not (one.message and other.message)


def evidence_data(evidence: MemoryEvidence) -> dict[str, str]:
    return {name: value for name in MemoryEvidence.fields if (value := getattr(evidence, name))}


class Uses(Value):
    """Conversations in which an entry was shown (by the hook, which is no use), opened, and confirmed: seen to be true
    again, cited, or followed by work on what it names. As far back as the log reaches (decision 20)."""

    shown: int = 0
    opened: int = 0
    confirmed: int = 0
