"""``holdfast memory rebuild|refresh|verify|clean``: the index, the files' health, and the daily maintenance."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from holdfast.cli.memory.options import caller_options, identify, tell_problems
from holdfast.cli.memory.view import count_memories
from holdfast.cli.output import emit, json_fields
from holdfast.cli.table import counted
from holdfast.memory.upkeep.actions import Action, Cleaned
from holdfast.operations.memory.library import open_library
from holdfast.operations.memory.upkeep import keep_up

SOUND = "Memories OK"
IDLE = "Nothing to clean"
WORDS = {
    "FoldAccess": "count accesses",
    "FileSession": "file conversation",
    "Expire": "archive",
    "Share": "share",
    "Archive": "archive",
    "Retier": "change tier",
    "Propose": "propose as durable",
    "Purge": "delete",
}


@click.command()
@caller_options
def rebuild(as_person: bool, as_json: bool) -> None:
    """Rebuild the index from the files.

    \b
    Examples:
      holdfast memory rebuild
    """
    library = open_library(*identify(as_person))
    with _progress_bar() as progress:
        done = library.rebuild(progress)
    tell_problems(done.problems)
    data = {"total": done.total, "problems": len(done.problems)}
    emit(data, [f"Indexed {count_memories(done.total)}"], as_json)


@click.command()
@caller_options
def refresh(as_person: bool, as_json: bool) -> None:
    """Update the index after files were edited by hand. Other commands do so themselves.

    \b
    Examples:
      holdfast memory refresh
    """
    library = open_library(*identify(as_person))
    with _progress_bar() as progress:
        done = library.refresh(whole=True, progress=progress)
    tell_problems(done.problems)
    data = {"changed": done.changed, "removed": done.removed, "total": done.total, "problems": len(done.problems)}
    emit(data, [f"Index updated: {done.changed} changed, {done.removed} removed, {done.total} total"], as_json)


@click.command()
@caller_options
def verify(as_person: bool, as_json: bool) -> None:
    """Check the files and print every problem as FILE:LINE: WHAT (FIX). Exit code 1 if there is any.

    \b
    Examples:
      holdfast memory verify
      holdfast memory verify --json
    """
    problems = open_library(*identify(as_person)).verify()
    total = counted(len(problems), "mistake") if problems else SOUND
    emit([json_fields(problem) for problem in problems], [*map(str, problems), total], as_json)
    sys.exit(1 if problems else 0)


@click.command()
@click.option("--dry-run", is_flag=True, help="Show what would be done without doing it.")
@caller_options
def clean(dry_run: bool, as_person: bool, as_json: bool) -> None:
    """Run the daily maintenance now: tiers, ended conversations, the archive, deletion of what was forgotten long ago.

    Holdfast runs it once a day, when a session starts.

    \b
    Examples:
      holdfast memory clean --dry-run
      holdfast memory clean
    """
    cleaned = keep_up(*identify(as_person), dry_run)
    emit(_data(cleaned, dry_run), _lines(cleaned), as_json)
    sys.exit(1 if any(done.problem for done in cleaned.done) else 0)


@contextmanager
def _progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Yield a function that takes (files done, files in all) and shows them on stderr, if that is a terminal."""
    with click.progressbar(length=1, label="index", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield progress


def _data(cleaned: Cleaned, dry_run: bool) -> dict[str, object]:
    actions = [
        {**done.action.__dict__, "do": type(done.action).__name__, "problem": done.problem} for done in cleaned.done
    ]
    return {"applied": not dry_run, "actions": actions, "drafts": list(cleaned.drafts)}


def _lines(cleaned: Cleaned) -> Iterator[str]:
    for done in cleaned.done:
        failed = f": failed: {done.problem}" if done.problem else ""
        yield f"{WORDS[type(done.action).__name__]}: {_object(done.action)}{failed}"
    yield from (f"delete half-written {path}" for path in cleaned.drafts)
    if not cleaned.done and not cleaned.drafts:
        yield IDLE


def _object(action: Action) -> str:
    """Return the object of an action, which is its first field, and the reason."""
    about = str(getattr(action, action.fields[0]))
    tier = getattr(action, "tier", "")
    reason = getattr(action, "reason", "")
    return about + (f" to {tier}" if tier else "") + (f" ({reason})" if reason else "")
