"""``holdfast gotcha``: errors that come back, what helps against them, and whether they are gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from holdfast.cli.completion import complete_tag
from holdfast.cli.memory.options import (
    caller_options,
    catch_up,
    key_argument,
    make_query,
    open_library,
    tell_problems,
    why_option,
)
from holdfast.cli.memory.view import NOTHING, describe_entry
from holdfast.cli.output import emit
from holdfast.cli.table import table
from holdfast.ground.errors import HoldfastError
from holdfast.ground.text.escaping import clip
from holdfast.memory.files.body import read_body
from holdfast.memory.gotchas.gotchas import sort_by_severity
from holdfast.memory.gotchas.kinds import categorise, severity_of
from holdfast.memory.library import Library
from holdfast.memory.model.entry import CATEGORIES, SEVERITIES
from holdfast.memory.model.results import Listing
from holdfast.memory.model.stored import Stored

KIND = "gotcha"
ALL = 10_000
SHOWN = 90


@click.group()
def gotcha() -> None:
    """Note and find the traps of this project; an error that comes back three times in a day notes itself.

    \b
    Examples:
      holdfast gotcha list --unresolved
      holdfast gotcha add "pytest hangs without -p no:cacheprovider" --category test
    """


@gotcha.command()
@click.argument("text")
@click.option("--category", type=click.Choice(CATEGORIES), help="What it is about; by its words where not given.")
@click.option("--severity", type=click.Choice(SEVERITIES), help="How grave it is; by its words where not given.")
@click.option("--workaround", default="", metavar="TEXT", help="What helps.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", shell_complete=complete_tag, help="A tag.")
@click.option("--private", is_flag=True, help="For the active agent only.")
@why_option
@caller_options
def add(
    text: str,
    category: str | None,
    severity: str | None,
    workaround: str,
    tags: tuple[str, ...],
    private: bool,
    why: str,
    as_person: bool,
    as_json: bool,
) -> None:
    """Note TEXT, an error or a trap. Its first line is the title. Prints the id.

    \b
    Examples:
      holdfast gotcha add "pytest hangs without -p no:cacheprovider" --category test
      holdfast gotcha add "Migrations lock the table" --severity critical --workaround "Run them at night."
    """
    library = open_library(as_person)
    title, body = read_body(text)
    fields = {
        "type": KIND,
        "title": title,
        "body": body,
        "category": category or categorise(text),
        "severity": severity or severity_of(text),
        "workaround": workaround,
        "tags": tags,
        "scope": "private" if private else "shared",
        "storage": "durable" if library.reader.person else "daily",
    }
    stored = library.add(fields, why=why)
    catch_up(library)
    emit(describe_entry(stored, library.shared), [stored.entry.id], as_json)


@gotcha.command("list")
@click.option("--category", type=click.Choice(CATEGORIES), help="Only about this.")
@click.option("--severity", type=click.Choice(SEVERITIES), help="Only so grave.")
@click.option("--unresolved", is_flag=True, help="Only those that are not resolved.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="So many at most.")
@caller_options
def list_gotchas(
    category: str | None, severity: str | None, unresolved: bool, limit: int, as_person: bool, as_json: bool
) -> None:
    """List the gotchas, critical ones first, then those seen most often.

    \b
    Examples:
      holdfast gotcha list
      holdfast gotcha list --unresolved --category build
    """
    library = open_library(as_person)
    found = library.list(make_query(kind=KIND, limit=ALL))
    wanted = {"category": category, "severity": severity, "resolved": False if unresolved else None}
    kept = [stored for stored in _read(library, found) if _fits(stored, wanted)]
    gravest = sort_by_severity(stored.entry for stored in kept)
    by_entry = {id(stored.entry): stored for stored in kept}
    _emit(library, [by_entry[id(entry)] for entry in gravest][:limit], as_json)


@gotcha.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--unresolved", is_flag=True, help="Only those that are not resolved.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="So many at most.")
@caller_options
def search(words: tuple[str, ...], unresolved: bool, limit: int, as_person: bool, as_json: bool) -> None:
    """Find gotchas by WORDS, or by an error's text, the best first.

    \b
    Examples:
      holdfast gotcha search "ECONNREFUSED 5432"
      holdfast gotcha search migration lock --unresolved
    """
    library = open_library(as_person)
    found = library.search(make_query(text=" ".join(words), kind=KIND, limit=limit))
    wanted = {"resolved": False if unresolved else None}
    _emit(library, [stored for stored in _read(library, found) if _fits(stored, wanted)], as_json)


@gotcha.command()
@key_argument
@click.option("--workaround", metavar="TEXT", help="What helped, for the next time.")
@click.option("--reopen", is_flag=True, help="It is back: unresolved again.")
@why_option
@caller_options
def resolve(key: str, workaround: str | None, reopen: bool, why: str, as_person: bool, as_json: bool) -> None:
    """Mark the gotcha ID as resolved: it is kept, and shown as resolved.

    \b
    Examples:
      holdfast gotcha resolve k7q2m9xa --workaround "Pin the driver to 3.2."
      holdfast gotcha resolve k7q2m9xa --reopen
    """
    library = open_library(as_person)
    if library.show(key, count=False).entry.type != KIND:
        raise HoldfastError("is no gotcha", key, "see `holdfast gotcha list`")
    changes: dict[str, Any] = {"resolved": not reopen}
    stored = library.edit(key, changes if workaround is None else {**changes, "workaround": workaround}, why)
    state = "unresolved" if reopen else "resolved"
    catch_up(library)
    emit(describe_entry(stored, library.shared), [f"{state}: {stored.entry.title}"], as_json)


def _read(library: Library, found: Listing) -> Iterator[Stored]:
    """The entries of the cards: category and severity stand in the files only."""
    tell_problems(found.problems)
    return (library.show(card.path, count=False) for card in found.cards)


def _fits(stored: Stored, wanted: dict[str, Any]) -> bool:
    return all(getattr(stored.entry, name) == value for name, value in wanted.items() if value is not None)


def _emit(library: Library, gotchas: Sequence[Stored], as_json: bool) -> None:
    data = [describe_entry(stored, library.shared) for stored in gotchas]
    emit(data, _lines(gotchas), as_json)


def _lines(gotchas: Sequence[Stored]) -> Iterator[str]:
    if not gotchas:
        return iter([NOTHING])
    heading = ("id", "severity", "category", "seen", "", "title")
    return table([heading, *(_row(stored) for stored in gotchas)])


def _row(stored: Stored) -> tuple[object, ...]:
    entry = stored.entry
    state = "resolved" if entry.resolved else ""
    helps = f" -> {clip(entry.workaround.splitlines()[0], SHOWN)}" if entry.workaround else ""
    title = clip(entry.title, SHOWN) + helps
    return entry.id, entry.severity or "-", entry.category or "-", f"{entry.evidence_count}x", state, title
