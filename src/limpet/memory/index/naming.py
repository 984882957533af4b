"""Writes the names by which tool calls find entries, of the latest that are in force. Only the index's writer does."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain

from limpet.ground.storage.files import write_if_possible
from limpet.memory.index.database import COLUMNS, read_card
from limpet.memory.index.names import ANYWHERE, BETWEEN, DIVIDER, LARGEST, PRACTICE, identifiers, names_path
from limpet.memory.index.reading import conditions
from limpet.memory.index.terms import terms
from limpet.memory.index.wishes import WISH, is_of_practice, name_practices
from limpet.memory.model.entry import Card, Query

# The latest entries whose names are kept: more would not fit in the file.
LATEST = 1000
# A name that more entries have than this tells nothing.
MOST = 3


def write_names(connection: sqlite3.Connection, shared: str, now: float) -> None:
    """Write the file anew; where that cannot be done, the old one serves."""
    cards = _latest(connection, now)
    cited = _cited(connection, cards)
    named = _gather((card, _names(card, cited[serial])) for serial, card in cards.items())
    lasts: dict[str, set[str]] = {}
    for path in set(chain.from_iterable(cited.values())):
        lasts.setdefault(path.rpartition("/")[2], set()).add(path)
    for last, paths in lasts.items():
        if len(paths) == 1 and (held := named.get(next(iter(paths)))):
            named[ANYWHERE + last] = held
    lines = [f"{name}\t{BETWEEN.join(held)}\n" for name, held in named.items() if len(held) <= MOST]
    write_if_possible(names_path(shared), "".join(_fitting([*_practices(cards.values()), *lines])))


def _latest(connection: sqlite3.Connection, now: float) -> dict[int, Card]:
    where, values = conditions(Query(owners=None, digests=False, now=now))
    sql = (
        f"SELECT c.serial, {COLUMNS} FROM cards c WHERE {where} AND c.flags = '' AND c.resolved = 0 "
        "ORDER BY c.created DESC LIMIT ?"
    )
    return {row[0]: read_card(row[1:]) for row in connection.execute(sql, (*values, LATEST))}


def _cited(connection: sqlite3.Connection, serials: Iterable[int]) -> dict[int, list[str]]:
    find = "SELECT DISTINCT path FROM citations WHERE serial = ?"
    return {serial: list(chain.from_iterable(connection.execute(find, (serial,)))) for serial in serials}


def _names(card: Card, cited: list[str]) -> Iterator[str]:
    yield from cited
    yield from identifiers(f"{card.title} {card.excerpt}")


def _gather(pairs: Iterable[tuple[Card, Iterable[str]]]) -> dict[str, list[str]]:
    """Return each name -> those who have it, each once; no name that would break a line."""
    named: dict[str, list[str]] = {}
    for card, names in pairs:
        holder = _holder(card)
        for name in names:
            held = named.setdefault(name, [])
            if holder not in held and "\t" not in name and "\n" not in name:
                held.append(holder)
    return named


def _practices(cards: Iterable[Card]) -> list[str]:
    """Return a line for each practice that a wish is about, with one wish for each owner: what is said is chosen in the
    index."""
    held: dict[str, dict[str, str]] = {}
    for card in cards:
        if card.type == WISH and is_of_practice(card.title):
            for practice in name_practices(terms(card.title)):
                held.setdefault(practice, {}).setdefault(card.owner, _holder(card))
    return [f"{PRACTICE}{practice}\t{BETWEEN.join(owners.values())}\n" for practice, owners in sorted(held.items())]


def _holder(card: Card) -> str:
    return f"{card.owner}{DIVIDER}{card.id}"


def _fitting(lines: Iterable[str]) -> Iterator[str]:
    size = 0
    for line in lines:
        size += len(line.encode("utf-8", "surrogatepass"))
        if size > LARGEST:
            return
        yield line
