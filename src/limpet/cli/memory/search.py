"""``limpet memory search``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from limpet.cli.memory.options import READING, caller_options, filter_options, make_query, tell_problems, user_option
from limpet.cli.memory.view import hit_lines, score_text
from limpet.cli.output import emit
from limpet.cli.screen import Line, progress
from limpet.cli.table import minute
from limpet.ground.clock import iso
from limpet.ground.text.escaping import clip
from limpet.memory.candidates.candidate import Candidate
from limpet.operations.memory.candidates import find_candidates
from limpet.operations.memory.find import search_memories
from limpet.operations.memory.library import is_personal
from limpet.operations.memory.view import describe_hit
from limpet.operations.project import Project

SPEAKERS = {"user": "you", "assistant": "agent"}
# Candidates that are shown below the memories, and characters of one.
HEARD, SHOWN = 5, 200


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Explain each hit: the words it contains, and the factors of its score.")
@click.option("--sessions", "in_sessions", is_flag=True, help="Search the text of past conversations instead.")
@filter_options
@user_option
@caller_options
def search(
    project: Project,
    words: tuple[str, ...],
    explain: bool,
    in_sessions: bool,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Search memories for WORDS.

    The highest score comes first. Below the memories stand words that were heard and that nobody wrote down yet.

    \b
    Examples:
      limpet memory search "login token"
      limpet memory search cors proxy --agent dev --json
      limpet memory search "user prefers" --type user_correction --explain
      limpet memory search "commit style" --user
      limpet memory search "rate limit" --sessions --since 30d
    """
    query = make_query(text=" ".join(words), **wanted)
    if in_sessions:
        _refuse_filters(explain or is_personal(project), wanted)
        from limpet.cli.memory.sessions import print_sessions

        print_sessions(project, query, as_json)
        return
    with progress(READING):
        found, reasons = search_memories(project, query, explain)
    tell_problems(found.problems, found.unread)
    data = [describe_hit(project.workspace, hit) for hit in found.hits]
    if explain:
        data = [{**one, "why": reason} for one, reason in zip(data, reasons, strict=True)]
    is_filtered = any(value for name, value in wanted.items() if name != "limit")
    heard = (
        ()
        if is_filtered or is_personal(project)
        else find_candidates(project.workspace.shared, project.caller.reader, query.text, HEARD)
    )
    lines = [*hit_lines(found.hits, query.text), *(_explained(data) if explain and data else ()), *_heard_lines(heard)]
    emit([*data, *map(_describe, heard)], lines, as_json)


def _refuse_filters(refused: bool, wanted: dict[str, Any]) -> None:
    """Raise click.UsageError for options that are about memories."""
    applied = ("limit", "session", "since", "until")
    if refused or any(value for name, value in wanted.items() if name not in applied):
        raise click.UsageError("--sessions takes --limit, --session, --since and --until only")


def _heard_lines(heard: Sequence[Candidate]) -> Iterator[Line]:
    if heard:
        yield from ("", "Heard, not written down:")
    for one in heard:
        yield f'{one.id}  {minute(iso(one.at))}  {SPEAKERS[one.role]}: "{clip(" ".join(one.quote.split()), SHOWN)}"'


def _describe(one: Candidate) -> dict[str, Any]:
    told = ("id", "session", "role", "type", "quote", "before")
    return {"candidate": True, "at": iso(one.at), **{name: getattr(one, name) for name in told}}


def _explained(data: list[dict[str, Any]]) -> Iterator[Line]:
    yield ""
    for one in data:
        why = one["why"]
        missing = f"; not in its title, tags or excerpt: {', '.join(why['elsewhere'])}" if why["elsewhere"] else ""
        yield f"{one['id']}  contains: {', '.join(why['words']) or '-'}{missing}"
        factors = (f"{name} {why[name]:.2f}" for name in ("share", "decay", "accesses", "confidence", "stale"))
        yield f"  score {score_text(one['score'])} = {' x '.join(factors)}"
