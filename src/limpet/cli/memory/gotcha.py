"""Gotchas in the lists of ``limpet memory``: with their severity, how often each was seen, and what helps."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from limpet.cli.memory.view import ID_STYLE, shown_id, tell_problems
from limpet.cli.output import emit, table
from limpet.cli.screen import is_terminal
from limpet.ground.text.escaping import clip
from limpet.memory.model.results import Stored
from limpet.operations.memory.gotchas import KIND, known_gotchas
from limpet.operations.memory.view import describe_entry
from limpet.operations.project import Project

unresolved_option = click.option("--unresolved", is_flag=True, help="Only gotchas that are not resolved.")


def are_gotchas(wanted: Mapping[str, Any], unresolved: bool, others: bool) -> bool:
    """Whether gotchas are asked for and nothing else. Raises click.UsageError where ``unresolved`` cannot be."""
    given = {name for name, value in wanted.items() if value} - {"limit"}
    if wanted["type"] in (None, KIND) and given <= {"type"} and not others:
        return unresolved or bool(given)
    if unresolved:
        raise click.UsageError("--unresolved goes with --type gotcha and --limit only")
    return False


def tell_gotchas(project: Project, words: str | None, unresolved: bool, limit: int, as_json: bool) -> None:
    """Those that ``words`` find, else the critical and frequent ones first."""
    gotchas, listing = known_gotchas(project, words, resolved=False if unresolved else None, limit=limit)
    tell_problems(listing.problems, listing.unread)
    rows = [("id", "severity", "category", "seen", "", "title"), *map(_row, gotchas)]
    lines = table(rows, heading=True, styles=ID_STYLE, spare=("seen", "severity")) if gotchas else ["No gotchas match."]
    emit([describe_entry(project.workspace, stored) for stored in gotchas], lines, as_json)


def _row(stored: Stored) -> tuple[object, ...]:
    entry = stored.entry
    state = "resolved" if entry.resolved else ""
    most = sys.maxsize if is_terminal() else 90
    helps = f" -> {clip(entry.workaround.splitlines()[0], most)}" if entry.workaround else ""
    title = clip(entry.title, most) + helps
    return shown_id(entry.id), entry.severity or "-", entry.category or "-", f"{entry.evidence_count}x", state, title
