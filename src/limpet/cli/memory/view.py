"""Memories as lines for people. What others wrote is quoted, and ``emit`` takes control characters out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from limpet.cli.screen import Line, is_terminal
from limpet.cli.table import table
from limpet.ground.text.escaping import clip
from limpet.memory.model.card import Card, Hit
from limpet.memory.model.ids import short_id
from limpet.memory.model.layout import KNOWLEDGE, SHARED, TEAM, personal_home
from limpet.operations.memory.find import Opened
from limpet.operations.memory.lines import flag_lines, quoted
from limpet.operations.memory.view import describe_opened, marks_of

SHOWN = 100
LEAST_SHOWN = 0.01
ID_STYLE = ("cyan",)
NOTHING = "No memories match."
NONE_YET = 'No memories yet. Add one: limpet memory add "TEXT"'
YOU = ""
WHOSE = {
    SHARED: "every agent of this project, on this machine only",
    TEAM: "every agent of this project, the team's too",
    KNOWLEDGE: "every agent of this project, the team's too",
    YOU: "you, in all projects on this machine",
}
# What stands above the fields, or says the same as another one.
ABOVE = ("id", "title", "body", "flags", "seen", "scope")


def card_lines(cards: Iterable[Card], nothing: str = NOTHING) -> Iterator[Line]:
    """Yield a table with a row for each card, or the line ``nothing``."""
    return _lines("tier", [(card.tier, card) for card in cards], nothing)


def hit_lines(hits: Iterable[Hit], words: str) -> Iterator[Line]:
    """Yield a table with a row for each hit of a search for ``words``, the highest score first."""
    return _lines("score", [(score_text(hit.attention), hit.card) for hit in hits], no_match(words))


def shown_id(name: str) -> str:
    """Return an id for a table: whole, but in a terminal its last part, which commands take too."""
    return short_id(name) if is_terminal() else name


def score_text(score: float) -> str:
    """Return a hit's score, 0 to 1, in two digits; what is found is never worth nothing."""
    return f"{score:.2f}" if score >= LEAST_SHOWN else f"<{LEAST_SHOWN}"


def no_match(words: str) -> str:
    """Return the line for a search that found nothing."""
    return f'No memories match "{clip(" ".join(words.split()), SHOWN)}".'


def entry_lines(opened: Opened) -> Iterator[Line]:
    """Yield the whole entry: every field that says something, then its body as a quotation."""
    owner = (
        KNOWLEDGE
        if opened.learned
        else YOU
        if opened.workspace.shared == personal_home()
        else opened.stored.place.owner
    )
    fields = {**describe_opened(opened), "owner": WHOSE.get(owner, f"{owner} alone")}
    rows = [(name, in_words(fields[name])) for name in fields if name not in ABOVE and fields[name]]
    yield f"{fields['id']}  {fields['title']}"
    yield from table(rows, indent="  ")
    yield from (f"  {line}" for line in flag_lines(fields["flags"]))
    if fields["body"]:
        yield ""
        yield from quoted(fields["body"])


def in_words(value: object) -> str:
    """Return a field's value as people read it: names with their values, a list in a row."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    return "; ".join(map(in_words, value)) if isinstance(value, list) else str(value).replace("\n", " ")


def count_memories(number: int) -> str:
    """Return ``1 memory``, ``2 memories``."""
    return "1 memory" if number == 1 else f"{number} memories"


def _lines(second: str, found: list[tuple[str, Card]], nothing: str) -> Iterator[Line]:
    agents = {SHARED: "any", TEAM: "any, team"}
    rows = [
        (shown_id(card.id), what, card.type, agents.get(card.owner, card.owner), _headline(card))
        for what, card in found
    ]
    return (
        table([("id", second, "type", "agent", "title"), *rows], heading=True, styles=ID_STYLE)
        if rows
        else iter([nothing])
    )


def _headline(card: Card) -> str:
    said = ", ".join(marks_of(card))
    title = card.title if is_terminal() else clip(card.title, SHOWN)
    return title + (f"  [{said}]" if said else "")
