"""``holdfast memory search``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.memory.options import (
    READING,
    caller_options,
    filter_options,
    make_query,
    tell_problems,
    user_option,
)
from holdfast.cli.memory.view import hit_lines, score_text
from holdfast.cli.output import emit
from holdfast.cli.screen import Line, progress
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.memory.find import search_memories
from holdfast.operations.memory.library import is_personal
from holdfast.operations.memory.view import describe_hit


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Explain each hit: the words it contains, and the factors of its score.")
@click.option("--sessions", "in_sessions", is_flag=True, help="Search the text of past conversations instead.")
@click.option("--notes", "in_notes", is_flag=True, help="Search the notes of what you typed instead.")
@filter_options
@user_option
@caller_options
def search(
    workspace: Workspace,
    caller: Caller,
    words: tuple[str, ...],
    explain: bool,
    in_sessions: bool,
    in_notes: bool,
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
        _refuse_filters(in_sessions, explain or (in_notes and in_sessions) or is_personal(workspace), wanted)
        from holdfast.cli.memory.sessions import print_notes, print_sessions

        if in_notes:
            print_notes(workspace, query, as_json)
        else:
            print_sessions(workspace, caller, query, as_json)
        return
    with progress(READING):
        found, reasons = search_memories(workspace, caller, query, explain)
    tell_problems(found.problems, found.unread)
    data = [describe_hit(workspace, hit) for hit in found.hits]
    if explain:
        data = [{**one, "why": reason} for one, reason in zip(data, reasons, strict=True)]
    emit(data, [*hit_lines(found.hits, " ".join(words)), *(_explained(data) if explain and data else ())], as_json)


def _refuse_filters(in_sessions: bool, refused: bool, wanted: dict[str, Any]) -> None:
    """Raise click.UsageError for options that are about memories."""
    applied = {"limit", *(("session", "since", "until") if in_sessions else ())}
    if refused or any(value for name, value in wanted.items() if name not in applied):
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
