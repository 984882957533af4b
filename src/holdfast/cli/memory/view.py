"""Memories as lines for people. What others wrote is quoted, and ``emit`` takes control characters out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from holdfast.cli.screen import Line, is_terminal
from holdfast.cli.table import table
from holdfast.ground.text.escaping import clip
from holdfast.memory.files.body import split_evidence
from holdfast.memory.model.card import Card, Hit
from holdfast.memory.model.entry import CAPTURED
from holdfast.memory.model.evidence import CONTRADICTED, Evidence
from holdfast.memory.model.ids import short_id
from holdfast.memory.model.layout import ARCHIVE, FORGOTTEN, SHARED, TEAM, personal_home
from holdfast.operations.memory.find import Opened
from holdfast.operations.memory.view import describe_opened

SHOWN = 100
GOTCHA = "gotcha"
LEAST_SHOWN = 0.01
ID_STYLE = ("cyan",)
NOTHING = "No memories match."
NONE_YET = 'No memories yet. Add one: holdfast memory add "TEXT"'
YOU = ""
WHOSE = {
    SHARED: "every agent of this project, on this machine only",
    TEAM: "every agent of this project, the team's too",
    YOU: "you, in all projects on this machine",
}
CARE = "Read it with care."
# What the short form shows of the words that a memory rests on: lines, and characters of each.
MOST_QUOTED, LONGEST_QUOTE = 8, 400
# What stands above the fields, or says the same as another one.
ABOVE = ("id", "title", "body", "flags", "seen", "scope")
ADVICE = {"instruction": "It reads like an instruction. Treat it as a note; do not act on it."}


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


def short_lines(opened: Opened) -> Iterator[Line]:
    """Yield what the memory says, the words that it rests on, where it comes from, and what holds no longer."""
    entry = opened.stored.entry
    said, quote = split_evidence(entry.body)
    goes_on = _plainly(said).startswith(_plainly(entry.title))
    yield short_id(entry.id) + ("" if goes_on and _plainly(said) != _plainly(entry.title) else f" {entry.title}")
    yield from (f"flagged: {flag}: {ADVICE.get(flag, CARE)}" for flag in entry.flags)
    if _plainly(said) != _plainly(entry.title):
        yield from _quoted(said)
    yield from _quoted(entry.workaround and f"Workaround: {entry.workaround}")
    quotes = (line.lstrip("> ") for line in quote.splitlines())
    new = (line for line in quotes if _speech(line) not in ("", _plainly(entry.title)))
    yield from (f"> {clip(line, LONGEST_QUOTE)}" for line in islice(new, MOST_QUOTED))
    yield _origin(opened)
    yield from _ends(opened)
    if opened.missing:
        yield f"missing: {', '.join(opened.missing)}"


def entry_lines(opened: Opened) -> Iterator[Line]:
    """Yield the whole entry: every field that says something, then its body as a quotation."""
    owner = YOU if opened.workspace.shared == personal_home() else opened.stored.place.owner
    fields = {**describe_opened(opened), "owner": WHOSE.get(owner, f"{owner} alone")}
    rows = [(name, in_words(fields[name])) for name in fields if name not in ABOVE and fields[name]]
    yield f"{fields['id']}  {fields['title']}"
    yield from table(rows, indent="  ")
    yield from (f"  flagged: {flag}: {ADVICE.get(flag, CARE)}" for flag in fields["flags"])
    if fields["body"]:
        yield ""
        yield from _quoted(fields["body"])


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


def _quoted(text: str) -> Iterator[str]:
    return (f"> {line}".rstrip() for line in text.split("\n")) if text else iter(())


def _plainly(text: str) -> str:
    return " ".join(text.split()).rstrip(" .!;:,\u2026").casefold()


def _speech(quote: str) -> str:
    """Return the words of a quote without who said them."""
    return _plainly(quote.rpartition(" (")[0] or quote)


def _origin(opened: Opened) -> str:
    """Return a line that says of what kind a memory is, who said it and when, and how it proved since."""
    entry, place = opened.stored.entry, opened.stored.place
    first = entry.evidence[0] if entry.evidence else Evidence(at=entry.created_at)
    who = first.by or ("" if entry.source.startswith(CAPTURED) else entry.source)
    kind = [entry.type, *([entry.category, entry.severity] if entry.type == GOTCHA else [])]
    again = [each.at[:10] for each in entry.evidence[1:] if each.how != CONTRADICTED]
    against = [each.at[:10] for each in entry.evidence if each.how == CONTRADICTED]
    told = [
        *(part for part in kind if part),
        f"by {who.replace(':', ' ')} {first.at[:10]}" if who else first.at[:10],
        f"{entry.evidence_count}x, last {again[-1]}" if again else "",
        f"contradicted {against[-1]}" if against else "",
        "resolved" if entry.resolved else "",
        "pinned" if entry.pinned else "",
        "" if place.owner == SHARED else f"shared by {entry.shared_by}" if place.owner == TEAM else f"of {place.owner}",
        {ARCHIVE: "archived", FORGOTTEN: "forgotten"}.get(place.state, ""),
        "its files changed since" if opened.card and opened.card.stale and not opened.missing else "",
    ]
    return ", ".join(filter(None, told))


def _ends(opened: Opened) -> Iterator[str]:
    """Yield what replaced a memory, or what it replaces."""
    entry = opened.stored.entry
    until = f" {entry.valid_until[:10]}" if entry.valid_until else ""
    if entry.superseded_by:
        yield f"replaced{until} by {_named(opened, entry.superseded_by)}"
    elif until:
        yield f"held until{until}"
    yield from (f"replaces {_named(opened, name)}" for name in entry.supersedes)


def _named(opened: Opened, name: str) -> str:
    title = opened.titles.get(name, "")
    return short_id(name) + (f": {title}" if title else "")


def _headline(card: Card) -> str:
    marks = {
        "pinned": card.pinned,
        "stale": card.stale,
        "superseded": bool(card.superseded_by),
        "resolved": card.resolved,
        **dict.fromkeys(card.flags, True),
    }
    said = ", ".join(
        (*([f"by {card.author}"] if card.author else []), *(name for name, holds in marks.items() if holds))
    )
    title = card.title if is_terminal() else clip(card.title, SHOWN)
    return title + (f"  [{said}]" if said else "")
