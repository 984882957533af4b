"""``limpet memory upkeep``: the index, the files and the daily maintenance."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import click

from limpet.cli.memory.options import caller_options, tell_problems
from limpet.cli.memory.view import count_memories
from limpet.cli.output import emit, json_fields
from limpet.cli.screen import progress
from limpet.cli.table import counted
from limpet.memory.model.results import Refreshed
from limpet.memory.upkeep.planning import Action, Cleaned
from limpet.operations.memory.library import open_library
from limpet.operations.memory.upkeep import maintain
from limpet.operations.project import Project

SOUND = "Memories OK"
IDLE = "No maintenance needed"
SKIPPED = "Maintenance skipped: only a person may run it."
INDEXING = "Indexing memories"
WORDS = {
    "FoldAccess": "count accesses",
    "FileSession": "file conversation",
    "Share": "share",
    "Archive": "archive",
    "Restore": "restore",
    "Purge": "delete",
}


@click.command()
@click.option("--rebuild", is_flag=True, help="Rebuild the index from the files instead of updating it.")
@click.option("--check", is_flag=True, help="Only check the files. Exit code 1 if there is a problem.")
@click.option("--dry-run", is_flag=True, help="Show what maintenance would do without doing it.")
@caller_options
def upkeep(project: Project, rebuild: bool, check: bool, dry_run: bool, as_json: bool) -> None:
    """Update the index and run the daily maintenance.

    It picks up files edited by hand, counts uses, archives what has expired, files ended conversations, and deletes
    what was forgotten long ago. Limpet does this once a day when a session starts. For an agent, only the index is
    updated.

    \b
    Examples:
      limpet memory upkeep
      limpet memory upkeep --dry-run
      limpet memory upkeep --rebuild
      limpet memory upkeep --check
    """
    if rebuild + check + dry_run > 1:
        raise click.UsageError("--rebuild, --check and --dry-run cannot be combined")
    if check:
        _check(project, as_json)
    with progress(INDEXING) as report:
        index, cleaned = maintain(project, rebuild, dry_run, report)
    lines = []
    if index:
        tell_problems(index.problems)
        counts = f"{index.changed} changed, {index.removed} removed, " if project.caller.reader.person else ""
        memories = f"Indexed {count_memories(index.total)}"
        lines.append(memories if rebuild else f"Index updated: {counts}{index.total} total")
    done = cleaned or Cleaned(done=(), drafts=())
    data = {"index": _index_data(index) if index else None, **_data(done, dry_run)}
    data["applied"] = bool(data["applied"] and cleaned)
    emit(data, [*lines, *(_lines(cleaned) if cleaned else [SKIPPED])], as_json)
    sys.exit(1 if any(each.problem for each in done.done) else 0)


def _check(project: Project, as_json: bool) -> NoReturn:
    with progress("Checking memories"):
        problems = open_library(project).verify()
    total = counted(len(problems), "problem") if problems else SOUND
    emit([json_fields(problem) for problem in problems], [*map(str, problems), total], as_json)
    sys.exit(1 if problems else 0)


def _index_data(done: Refreshed) -> dict[str, Any]:
    return {"changed": done.changed, "removed": done.removed, "total": done.total, "problems": len(done.problems)}


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
    reason = getattr(action, "reason", "")
    return about + (f" ({reason})" if reason else "")
