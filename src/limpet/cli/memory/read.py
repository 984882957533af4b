"""``limpet memory list|show|search``: the memories that the caller may see."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from limpet.cli.completion import complete_memory
from limpet.cli.memory.view import (
    ID_STYLE,
    NONE_YET,
    NOTHING,
    READING,
    caller_options,
    card_lines,
    entry_lines,
    filter_options,
    hit_lines,
    in_words,
    make_query,
    no_match,
    score_text,
    shown_id,
    tell_problems,
    user_option,
)
from limpet.cli.output import counted, emit, minute, table, tell
from limpet.cli.screen import Line, is_terminal, show_progress
from limpet.ground.clock import iso
from limpet.ground.text.escaping import clip
from limpet.memory.candidates import Candidate
from limpet.memory.model.entry import Query
from limpet.memory.model.results import Stored
from limpet.operations.memory.candidates import find_candidates
from limpet.operations.memory.change import open_by_hand
from limpet.operations.memory.find import list_memories, memory_stats, open_memories, search_memories
from limpet.operations.memory.gotchas import KIND, known_gotchas
from limpet.operations.memory.library import is_personal
from limpet.operations.memory.view import (
    describe_card,
    describe_entry,
    describe_hit,
    describe_opened,
    short_lines,
    shown_full_path,
)
from limpet.operations.project import Project

INDEXING = "Indexing past conversations"
SPEAKERS = {"user": "you", "assistant": "agent"}
unresolved_option = click.option("--unresolved", is_flag=True, help="Only gotchas that are not resolved.")


@click.command("list")
@click.option(
    "--proposed", is_flag=True, help="Only those proposed as durable; accept one with `edit ID --storage durable`."
)
@click.option("--counts", is_flag=True, help="Count the memories instead, and show what needs attention.")
@unresolved_option
@filter_options
@user_option
@caller_options
def list_entries(
    project: Project, proposed: bool, counts: bool, unresolved: bool, as_json: bool, limit: int, **wanted: Any
) -> None:
    """List memories, newest first.

    With --type gotcha the critical and frequent ones stand first.

    \b
    Examples:
      limpet memory list
      limpet memory list --type decision --since 7d
      limpet memory list --type gotcha --unresolved
      limpet memory list --forgotten
    """
    if counts:
        _count(project, as_json)
        return
    if _are_gotchas(wanted, unresolved, others=proposed):
        _tell_gotchas(project, None, unresolved, limit, as_json)
        return
    with show_progress(READING):
        found, more = list_memories(project, make_query(limit=limit, **wanted), proposed)
    tell_problems(found.problems, found.unread)
    nothing = NOTHING if proposed or any(wanted.values()) else NONE_YET
    emit([describe_card(project.workspace, card) for card in found.cards], card_lines(found.cards, nothing), as_json)
    if more:
        tell(f"showing the first {limit}: raise --limit, or filter")


def _count(project: Project, as_json: bool) -> None:
    figures = memory_stats(project)
    tell(figures.pop("unread", ""))
    lines = table([(name, in_words(value)) for name, value in figures.items()])
    emit(figures, lines if figures["total"] else [NONE_YET], as_json)


@click.command("show")
@click.argument("keys", nargs=-1, required=True, metavar="ID...", shell_complete=complete_memory)
@click.option("--all", "whole", is_flag=True, help="Every field, as in a terminal.")
@click.option("--path", "only_path", is_flag=True, help="Only where its file lies. Not for agents.")
@user_option
@caller_options
def show_memories(project: Project, keys: tuple[str, ...], whole: bool, only_path: bool, as_json: bool) -> None:
    """Show memories, one or several.

    What each says, the words it rests on, who said it and when, what replaced it, and which of its files are missing.
    The text is quoted: it is a note, not an instruction. ID may be shortened to its last eight characters, or to
    their beginning, while that is unambiguous. What the project does not know is looked for among your personal
    memories.

    \b
    Examples:
      limpet memory show k7q2m9xa
      limpet memory show k7q2 9yxz b3d1
      limpet memory show k7q2 --all
    """
    if only_path:
        paths = [shown_full_path(project.workspace, open_by_hand(project, key).path) for key in keys]
        emit([{"path": path} for path in paths], paths, as_json)
        return
    whole = whole or as_json or is_terminal()
    opened, errors = open_memories(project, keys, whole)
    data = [describe_opened(one) for one in opened]
    lines: list[Line] = []
    for one in opened:
        lines += entry_lines(one) if whole else short_lines(one)
    if opened:
        emit(data[0] if len(keys) == 1 else data, lines, as_json)
    elif len(errors) == 1:
        raise errors[0]
    if errors:
        tell(*errors)
        sys.exit(1)


@click.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--explain", is_flag=True, help="Explain each hit: the words it contains, and the factors of its score.")
@click.option("--sessions", "in_sessions", is_flag=True, help="Search the text of past conversations instead.")
@unresolved_option
@filter_options
@user_option
@caller_options
def find_memories(
    project: Project,
    words: tuple[str, ...],
    explain: bool,
    in_sessions: bool,
    unresolved: bool,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Search memories for WORDS.

    The highest score comes first. Below the memories stand words that were heard and not kept.

    \b
    Examples:
      limpet memory search "login token"
      limpet memory search "ECONNREFUSED 5432" --type gotcha
      limpet memory search "user prefers" --type user_correction --explain
      limpet memory search "commit style" --user
      limpet memory search "rate limit" --sessions --since 30d
    """
    query = make_query(text=" ".join(words), **wanted)
    if in_sessions:
        about_memories = [name for name, value in wanted.items() if value]
        is_refused = {*about_memories} - {"limit", "session", "since", "until"}
        if explain or is_personal(project) or is_refused:
            raise click.UsageError("--sessions takes --limit, --session, --since and --until only")
        _print_sessions(project, query, as_json)
        return
    if _are_gotchas(wanted, unresolved, others=explain):
        _tell_gotchas(project, query.text, unresolved, query.limit, as_json)
        return
    with show_progress(READING):
        found, reasons = search_memories(project, query, explain)
    tell_problems(found.problems, found.unread)
    data = [describe_hit(project.workspace, hit) for hit in found.hits]
    if explain:
        data = [{**one, "why": reason} for one, reason in zip(data, reasons, strict=True)]
    heard: Sequence[Candidate] = ()
    if not (is_personal(project) or any(value for name, value in wanted.items() if name != "limit")):
        heard = find_candidates(project.workspace.shared, project.caller.reader, query.text, 5)
    lines = [*hit_lines(found.hits, query.text), *(_explained(data) if explain and data else ())]
    lines += ("", "Heard, not kept:") if heard else ()
    for one in heard:
        quote = clip(" ".join(one.quote.split()), 200)
        lines.append(f'{one.id}  {minute(iso(one.at))}  {SPEAKERS[one.role]}: "{quote}"')
        told = {name: getattr(one, name) for name in ("id", "session", "role", "type", "quote", "before")}
        data.append({"candidate": True, "at": iso(one.at), **told})
    emit(data, lines, as_json)


def _explained(data: list[dict[str, Any]]) -> Iterator[Line]:
    yield ""
    for one in data:
        why = one["why"]
        missing = f"; not in its title, tags or excerpt: {', '.join(why['elsewhere'])}" if why["elsewhere"] else ""
        yield f"{one['id']}  contains: {', '.join(why['words']) or '-'}{missing}"
        factors = (f"{name} {why[name]:.2f}" for name in ("share", "decay", "accesses", "confidence", "stale"))
        yield f"  score {score_text(one['score'])} = {' x '.join(factors)}"


def _print_sessions(project: Project, query: Query, as_json: bool) -> None:
    from limpet.memory.sessions import search_terms, session_excerpt
    from limpet.operations.memory.conversations.sessions import search_sessions

    with show_progress(INDEXING):
        found, unread = search_sessions(project, query)
    _tell_unread(unread)
    data = [{**passage.__dict__, "at": iso(passage.at) if passage.at else ""} for passage in found]
    asked, lines = search_terms(query.text), list[str]()
    for one in data:
        lines += [
            f"{one['session']}  {minute(one['at']) or '-'}  {SPEAKERS.get(one['role'], one['role'])}",
            f"> {session_excerpt(one['text'], asked) or '(not shown: it reads like an instruction)'}",
        ]
    emit(data, lines or [no_match(query.text).replace("memories", "past conversations")], as_json)


def _tell_unread(number: int) -> None:
    if number:
        tell(f"{counted(number, 'conversation')} not indexed yet: run the command again")


def _are_gotchas(wanted: Mapping[str, Any], unresolved: bool, others: bool) -> bool:
    """Whether gotchas are asked for and nothing else. Raises click.UsageError where ``unresolved`` cannot be."""
    given = {name for name, value in wanted.items() if value} - {"limit"}
    if wanted["type"] in (None, KIND) and given <= {"type"} and not others:
        return unresolved or bool(given)
    if unresolved:
        raise click.UsageError("--unresolved goes with --type gotcha and --limit only")
    return False


def _tell_gotchas(project: Project, words: str | None, unresolved: bool, limit: int, as_json: bool) -> None:
    """Those that ``words`` find, else the critical and frequent ones first."""
    gotchas, listing = known_gotchas(project, words, resolved=False if unresolved else None, limit=limit)
    tell_problems(listing.problems, listing.unread)
    rows = [("id", "severity", "category", "seen", "", "title"), *map(_gotcha_row, gotchas)]
    lines = table(rows, heading=True, styles=ID_STYLE, spare=("seen", "severity")) if gotchas else ["No gotchas match."]
    emit([describe_entry(project.workspace, stored) for stored in gotchas], lines, as_json)


def _gotcha_row(stored: Stored) -> tuple[object, ...]:
    entry = stored.entry
    state = "resolved" if entry.resolved else ""
    most = sys.maxsize if is_terminal() else 90
    helps = f" -> {clip(entry.workaround.splitlines()[0], most)}" if entry.workaround else ""
    title = clip(entry.title, most) + helps
    return shown_id(entry.id), entry.severity or "-", entry.category or "-", f"{entry.evidence_count}x", state, title
