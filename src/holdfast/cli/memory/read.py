"""``holdfast memory list|search|show|stats``: the memories that the caller may see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.memory.options import (
    caller_options,
    filter_options,
    identify,
    identify_store,
    key_argument,
    make_query,
    tell,
    tell_problems,
    user_option,
)
from holdfast.cli.memory.sessions import print_notes, print_sessions
from holdfast.cli.memory.view import NONE_YET, NOTHING, card_lines, entry_lines, hit_lines, score_text
from holdfast.cli.output import emit, json_fields
from holdfast.cli.screen import Line, progress
from holdfast.cli.table import table
from holdfast.operations.memory.find import list_memories, memory_stats, search_memories
from holdfast.operations.memory.personal import show_memory
from holdfast.operations.memory.view import describe_card, describe_entry, describe_hit

READING = "Reading memories"


@click.command("list")
@click.option(
    "--proposed", is_flag=True, help="Only those proposed as durable; accept one with `move ID --storage durable`."
)
@filter_options
@user_option
@caller_options
def list_entries(proposed: bool, personal: bool, as_person: bool, as_json: bool, limit: int, **wanted: Any) -> None:
    """List memories, newest first.

    \b
    Examples:
      holdfast memory list
      holdfast memory list --type decision --since 7d
      holdfast memory list --agent dev --tier hot --json
      holdfast memory list --forgotten
    """
    workspace, caller = identify_store(as_person, personal)
    with progress(READING):
        found = list_memories(workspace, caller, make_query(limit=limit, **wanted), proposed)
    tell_problems(found.problems, found.unread)
    nothing = NOTHING if proposed or any(wanted.values()) else NONE_YET
    emit([describe_card(workspace, card) for card in found.cards], card_lines(found.cards, nothing), as_json)
    if found.more:
        tell(f"showing the first {limit}: raise --limit, or filter")


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Explain each hit: the words it contains, and the factors of its score.")
@click.option("--sessions", "in_sessions", is_flag=True, help="Search the text of past conversations instead.")
@click.option("--notes", "in_notes", is_flag=True, help="Search the notes of what you typed instead.")
@filter_options
@user_option
@caller_options
def search(
    words: tuple[str, ...],
    explain: bool,
    in_sessions: bool,
    in_notes: bool,
    personal: bool,
    as_person: bool,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Search memories for WORDS.

    The highest score comes first.

    \b
    Examples:
      holdfast memory search "login token"
      holdfast memory search cors proxy --agent dev --json
      holdfast memory search "user prefers" --type user_correction --explain
      holdfast memory search "commit style" --user
      holdfast memory search "rate limit" --sessions --since 30d
    """
    query = make_query(text=" ".join(words), **wanted)
    if in_sessions or in_notes:
        _refuse_filters(in_sessions, explain, in_notes and in_sessions, personal, wanted)
        workspace, caller = identify(as_person)
        if in_notes:
            print_notes(workspace, query, as_json)
        else:
            print_sessions(workspace, caller, query, as_json)
        return
    workspace, caller = identify_store(as_person, personal)
    with progress(READING):
        found = search_memories(workspace, caller, query, explain)
    tell_problems(found.problems, found.unread)
    data = [describe_hit(workspace, hit) for hit in found.hits]
    if explain:
        data = [{**one, "why": json_fields(reason)} for one, reason in zip(data, found.reasons, strict=True)]
    emit(data, [*hit_lines(found.hits, " ".join(words)), *(_explained(data) if explain and data else ())], as_json)


@click.command()
@key_argument
@user_option
@caller_options
def show(key: str, personal: bool, as_person: bool, as_json: bool) -> None:
    """Show a memory in full.

    Its text is quoted: it is a note, not an instruction. ID may be shortened to its last eight characters, or to
    their beginning, while that is unambiguous. If the project has no such memory, your personal memories are
    searched.

    \b
    Examples:
      holdfast memory show mem-2026-11-21-k7q2m9xa
      holdfast memory show k7q2 --json
    """
    workspace, caller = identify_store(as_person, personal)
    workspace, stored, uses = show_memory(workspace, caller, key)
    emit({**describe_entry(workspace, stored), "uses": uses.__dict__}, entry_lines(workspace, stored, uses), as_json)


@click.command()
@caller_options
def stats(as_person: bool, as_json: bool) -> None:
    """Count memories and show what needs attention.

    \b
    Examples:
      holdfast memory stats
      holdfast memory stats --json
    """
    figures = memory_stats(*identify(as_person))
    tell(figures.pop("unread", ""))
    emit(figures, _stats_lines(figures), as_json)


def _refuse_filters(in_sessions: bool, explain: bool, both: bool, personal: bool, wanted: dict[str, Any]) -> None:
    """Raise click.UsageError for options that are about memories."""
    applied = {"limit", *(("session", "since", "until") if in_sessions else ())}
    if explain or both or personal or any(value for name, value in wanted.items() if name not in applied):
        raise click.UsageError(
            "--sessions takes --limit, --session, --since and --until only; --notes takes --limit only"
        )


def _explained(data: list[dict[str, Any]]) -> Iterator[Line]:
    yield ""
    for one in data:
        why = one["why"]
        missing = f"; not in its title, tags or excerpt: {', '.join(why['elsewhere'])}" if why["elsewhere"] else ""
        yield f"{one['id']}  contains: {', '.join(why['words']) or '-'}{missing}"
        factors = (f"{name} {why[name]:.2f}" for name in ("share", "decay", "accesses", "confidence", "stale"))
        yield f"  score {score_text(one['score'])} = {' x '.join(factors)}"


def _stats_lines(figures: dict[str, Any]) -> Iterator[Line]:
    if not figures["total"]:
        yield NONE_YET
        return
    yield from table([(name, _counted(value)) for name, value in figures.items()])


def _counted(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count}" for name, count in value.items())
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)
