"""``limpet gotcha``: notes, lists, searches and resolves recurring errors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from limpet.cli.completion import complete_tag
from limpet.cli.groups import Commands, SuggestingChoice
from limpet.cli.memory.view import (
    ID_STYLE,
    caller_options,
    key_argument,
    limit_option,
    shown_id,
    tell_kept,
    tell_problems,
    why_option,
)
from limpet.cli.output import emit, table
from limpet.cli.screen import is_terminal
from limpet.ground.text.escaping import clip
from limpet.memory.model.entry import CATEGORIES, SEVERITIES
from limpet.memory.model.results import Listing, Stored
from limpet.operations.memory.gotchas import known_gotchas, note_gotcha, resolve_gotcha
from limpet.operations.memory.view import describe_entry
from limpet.operations.project import Project


@click.group(cls=Commands)
def gotcha() -> None:
    """Record and search recurring errors.

    An error that occurs three times in a day is recorded automatically.

    \b
    Examples:
      limpet gotcha list --unresolved
      limpet gotcha add "pytest hangs without -p no:cacheprovider" --category test
    """


@gotcha.command("add")
@click.argument("text")
@click.option("--category", type=SuggestingChoice(CATEGORIES), help="Category; by default chosen from its words.")
@click.option("--severity", type=SuggestingChoice(SEVERITIES), help="Severity; by default chosen from its words.")
@click.option("--workaround", default="", metavar="TEXT", help="What to do about it.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", shell_complete=complete_tag, help="A tag.")
@click.option("--private", is_flag=True, help="For the active agent only.")
@why_option
@caller_options
def add_gotcha(project: Project, text: str, private: bool, why: str, as_json: bool, **fields: Any) -> None:
    """Record an error or a trap and print the new ID.

    The first line of TEXT is the title.

    \b
    Examples:
      limpet gotcha add "pytest hangs without -p no:cacheprovider" --category test
      limpet gotcha add "Migrations lock the table" --severity critical --workaround "Run them at night."
    """
    fields["scope"] = "private" if private else "shared"
    kept = note_gotcha(project, text, fields, why)
    tell_kept(project, kept, kept.stored.entry.id, as_json)


@gotcha.command("list")
@click.option("--category", type=SuggestingChoice(CATEGORIES), help="Only of this category.")
@click.option("--severity", type=SuggestingChoice(SEVERITIES), help="Only of this severity.")
@click.option("--unresolved", is_flag=True, help="Only unresolved ones.")
@limit_option
@caller_options
def list_gotchas(project: Project, unresolved: bool, limit: int, as_json: bool, **wanted: str | None) -> None:
    """List gotchas, critical and frequent ones first.

    \b
    Examples:
      limpet gotcha list
      limpet gotcha list --unresolved --category build
    """
    resolved = False if unresolved else None
    _emit(project, *known_gotchas(project, resolved=resolved, limit=limit, **wanted), as_json)


@gotcha.command("search")
@click.argument("words", nargs=-1, required=True)
@click.option("--unresolved", is_flag=True, help="Only unresolved ones.")
@limit_option
@caller_options
def search_gotchas(project: Project, words: tuple[str, ...], unresolved: bool, limit: int, as_json: bool) -> None:
    """Search gotchas for WORDS or for an error's text.

    \b
    Examples:
      limpet gotcha search "ECONNREFUSED 5432"
      limpet gotcha search migration lock --unresolved
    """
    resolved = False if unresolved else None
    _emit(project, *known_gotchas(project, " ".join(words), resolved=resolved, limit=limit), as_json)


@gotcha.command()
@key_argument
@click.option("--workaround", metavar="TEXT", help="What helped.")
@click.option("--reopen", is_flag=True, help="Mark it as unresolved again.")
@why_option
@caller_options
def resolve(project: Project, key: str, workaround: str | None, reopen: bool, why: str, as_json: bool) -> None:
    """Mark a gotcha as resolved. It stays, and is shown as resolved.

    \b
    Examples:
      limpet gotcha resolve k7q2m9xa --workaround "Pin the driver to 3.2."
      limpet gotcha resolve k7q2m9xa --reopen
    """
    kept = resolve_gotcha(project, key, not reopen, workaround, why)
    done = "Reopened" if reopen else "Resolved"
    tell_kept(project, kept, f'{done} "{kept.stored.entry.title}".', as_json)


def _emit(project: Project, gotchas: Sequence[Stored], listing: Listing, as_json: bool) -> None:
    tell_problems(listing.problems, listing.unread)
    rows = [("id", "severity", "category", "seen", "", "title"), *(_row(stored) for stored in gotchas)]
    lines = table(rows, heading=True, styles=ID_STYLE, spare=("seen", "severity")) if gotchas else ["No gotchas match."]
    emit([describe_entry(project.workspace, stored) for stored in gotchas], lines, as_json)


def _row(stored: Stored) -> tuple[object, ...]:
    entry = stored.entry
    state = "resolved" if entry.resolved else ""
    most = sys.maxsize if is_terminal() else 90
    helps = f" -> {clip(entry.workaround.splitlines()[0], most)}" if entry.workaround else ""
    title = clip(entry.title, most) + helps
    return shown_id(entry.id), entry.severity or "-", entry.category or "-", f"{entry.evidence_count}x", state, title
