"""``holdfast memory``: what is remembered, found and read by people and by agents, each seeing what they may."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.memory.edit import add, edit
from holdfast.cli.memory.export import export, import_entries
from holdfast.cli.memory.keep import archive, forget, move, pin, undo, unpin
from holdfast.cli.memory.options import (
    caller_options,
    filter_options,
    key_argument,
    make_query,
    open_library,
    tell_problems,
)
from holdfast.cli.memory.upkeep import clean, rebuild, refresh, verify
from holdfast.cli.memory.view import card_lines, describe_card, describe_entry, describe_hit, entry_lines, hit_lines
from holdfast.cli.output import emit
from holdfast.cli.table import table
from holdfast.ground.clock import iso
from holdfast.memory.catalogue import EVERYTHING
from holdfast.memory.index.database import database_path
from holdfast.memory.index.reading import STALE
from holdfast.memory.index.terms import is_stop, terms
from holdfast.memory.library import Library
from holdfast.memory.model.attention import access_factor, decay
from holdfast.memory.model.card import Hit

NOTHING = "nothing is remembered yet"


@click.group()
def memory() -> None:
    """Find, read, write and look after what is remembered. An agent sees what is shared and its own, a person all.

    \b
    Examples:
      holdfast memory search "login token"
      holdfast memory add "The staging database is reset every night." --tag staging
      holdfast memory show mem-2026-11-21-k7q2m9xa
    """


for command in (add, edit, pin, unpin, move, archive, forget, undo):
    memory.add_command(command)
for command in (rebuild, refresh, verify, clean, export, import_entries):
    memory.add_command(command)


@memory.command("list")
@click.option(
    "--proposed", is_flag=True, help="What maintenance proposes to keep for good: `move ID --storage durable`."
)
@filter_options
@caller_options
def list_entries(proposed: bool, as_person: bool, as_json: bool, limit: int, **wanted: Any) -> None:
    """List what is remembered, the newest first.

    \b
    Examples:
      holdfast memory list
      holdfast memory list --type decision --since 7d
      holdfast memory list --agent dev --tier hot --json
      holdfast memory list --forgotten
    """
    library = open_library(as_person)
    found = library.list(make_query(limit=EVERYTHING if proposed else limit + 1, **wanted))
    there = library.proposed(found.cards) if proposed else found.cards
    cards = there[:limit]
    tell_problems(found.problems)
    emit([describe_card(card, library.shared) for card in cards], card_lines(cards), as_json)
    if len(there) > limit:
        click.echo(f"holdfast: there are more than {limit}: take a larger --limit, or a filter", err=True)


@memory.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Say of every hit which words it holds and what ranks it.")
@filter_options
@caller_options
def search(words: tuple[str, ...], explain: bool, as_person: bool, as_json: bool, **wanted: Any) -> None:
    """Find memories by WORDS, the best first.

    \b
    Examples:
      holdfast memory search "login token"
      holdfast memory search cors proxy --agent dev --json
      holdfast memory search "user prefers" --type user_correction --explain
    """
    library = open_library(as_person)
    text = " ".join(words)
    found = library.search(make_query(text=text, **wanted))
    tell_problems(found.problems)
    data = [describe_hit(hit, library.shared) for hit in found.hits]
    if explain:
        best = max((hit.score for hit in found.hits), default=1.0)
        data = [{**one, "why": _why(hit, best, text, library)} for one, hit in zip(data, found.hits, strict=True)]
    emit(data, [*hit_lines(found.hits), *(_explained(data) if explain and data else ())], as_json)


@memory.command()
@key_argument
@caller_options
def show(key: str, as_person: bool, as_json: bool) -> None:
    """Print the whole memory ID, with where it comes from. What it says is quoted: a note, no order.

    ID may be a beginning, or the end of it, that fits no other.

    \b
    Examples:
      holdfast memory show mem-2026-11-21-k7q2m9xa
      holdfast memory show k7q2 --json
    """
    library = open_library(as_person)
    stored = library.show(key)
    emit(describe_entry(stored, library.shared), entry_lines(stored, library.shared), as_json)


@memory.command()
@caller_options
def stats(as_person: bool, as_json: bool) -> None:
    """Count what is remembered, by owner, storage, sector, tier and type, and what needs a look.

    \b
    Examples:
      holdfast memory stats
      holdfast memory stats --json
    """
    library = open_library(as_person)
    figures = library.stats() | {"index": _index(library)}
    emit(figures, _stats_lines(figures), as_json)


def _why(hit: Hit, best: float, text: str, library: Library) -> dict[str, Any]:
    """Which of the query's words the hit shows, and the factors of what it is ranked by (decision 20): its share of the
    best score comes first."""
    card = hit.card
    held = set(terms(f"{card.title} {' '.join(card.tags)} {card.excerpt}"))
    asked = {word: {term for term in terms(word) if not is_stop(term)} for word in text.split()}
    return {
        "words": [word for word, meant in asked.items() if meant & held],
        "elsewhere": [word for word, meant in asked.items() if meant and not meant & held],
        "share": round(hit.score / best, 4),
        "decay": round(decay(card, library.clock.now(), library.settings), 4),
        "accesses": round(access_factor(card.accesses, library.settings), 4),
        "confidence": card.confidence,
        "stale": STALE if card.stale else 1.0,
    }


def _explained(data: list[dict[str, Any]]) -> Iterator[str]:
    yield ""
    for one in data:
        why = one["why"]
        missing = f"; not in its title, tags or excerpt: {', '.join(why['elsewhere'])}" if why["elsewhere"] else ""
        yield f"{one['id']}  holds: {', '.join(why['words']) or '-'}{missing}"
        factors = (f"{name} {why[name]:.2f}" for name in ("share", "decay", "accesses", "confidence", "stale"))
        yield f"  ranked by {one['attention']:.2f} = {' x '.join(factors)}"


def _stats_lines(figures: dict[str, Any]) -> Iterator[str]:
    if not figures["total"]:
        yield NOTHING
        return
    yield from table([(name, _counted(value)) for name, value in figures.items()])


def _index(library: Library) -> dict[str, object]:
    """The index that was just brought up to date: its size, and when anything in it changed last."""
    found = os.stat(database_path(library.shared))
    return {"bytes": found.st_size, "changed": iso(found.st_mtime)}


def _counted(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
