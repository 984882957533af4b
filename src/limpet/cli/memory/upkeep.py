"""``limpet memory write|export|import|upkeep|restore``: what is written down, carried elsewhere and kept in order."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.groups import SuggestingChoice
from limpet.cli.memory.view import caller_options, tell_problems, user_option, why_option
from limpet.cli.output import counted, emit, json_fields, json_option, tell
from limpet.cli.screen import show_progress
from limpet.memory.files.copies import list_copies
from limpet.memory.files.portable import FORMATS
from limpet.memory.model.ids import short_id
from limpet.memory.upkeep import Cleaned
from limpet.operations.memory.copies import restore_copy
from limpet.operations.memory.library import export_memories, import_memories, open_library
from limpet.operations.memory.upkeep import maintain
from limpet.operations.memory.write import WrittenMemory, left_open, write_answers
from limpet.operations.project import Project


@click.command("write")
@click.argument("answers", nargs=-1, metavar='"ID: SENTENCE"...')
@json_option
def write_memories(answers: tuple[str, ...], as_json: bool) -> None:
    """Write down what was said, a sentence for each.

    Without arguments, list the candidates. A sentence stands alone, in at most 20 words. Each argument is one of:

    \b
      "ID: SENTENCE"                   write it
      "ID: drop"                       it is not worth a memory
      "ID: repeats MEMORY"             that memory says it already
      "ID: replaces MEMORY: SENTENCE"  that memory held until now
      "ID: ends MEMORY"                that memory no longer holds
      "TYPE: SENTENCE"                 your own finding: decision, gotcha, lesson, ...

    \b
    Examples:
      limpet memory write
      limpet memory write "k7q2m9: The import uses four workers." "9c1d4f: drop"
      limpet memory write "gotcha: The linter reads its settings from the parent folder."
    """
    project = open_project()
    results = write_answers(project, answers) if answers else []
    waiting = left_open(project, 6)
    lines = [*map(_line, results), *_open_lines(waiting, bool(results))]
    emit({"answers": [result.__dict__ for result in results], "open": waiting}, lines, as_json)
    if any(result.problem for result in results):
        sys.exit(1)


def _line(result: WrittenMemory) -> str:
    if result.problem:
        return f"{result.name}  {result.problem}"
    about = f" {short_id(result.about)} by" if result.did == "replaced" else ""
    about = f" {short_id(result.about)}, which only a person changes:" if result.did == "beside" else about
    entry = f'{about} {short_id(result.id)} "{result.title}"' if result.id else ""
    notice = f" ({result.notice})" if result.notice else ""
    return f"{result.name}  {result.did}{entry}{notice}"


def _open_lines(waiting: Sequence[Mapping[str, Any]], answered: bool) -> Iterator[str]:
    if not (waiting or answered):
        yield "Nothing waits to be written down."
    if waiting:
        yield "Said, not yet written down:"
    for one in waiting:
        speaker = "agent" if one.get("role") == "assistant" else "person"
        before = f' (after: "{one["before"]}")' if one.get("before") else ""
        near = "".join(f' near: {key} "{title}"' for key, title in one.get("near") or ())
        yield f'{one["id"]} {speaker}: "{one.get("quote")}"{before}{near}'
    if waiting:
        yield 'Answer: limpet memory write "ID: SENTENCE" "ID: drop"'


@click.command()
@click.argument("target", metavar="FILE", type=click.Path())
@click.option(
    "--format", "form", type=SuggestingChoice(FORMATS), help="Format; by default the file's extension decides."
)
@click.option("--index", "with_index", is_flag=True, help="Add an index.json, in the archive or beside the file.")
@caller_options
def export(project: Project, target: str, form: str | None, with_index: bool, as_json: bool) -> None:
    """Export memories to a new file.

    FILE is JSON, or a tar of Markdown files. Current and archived memories are exported, without secrets.

    \b
    Examples:
      limpet memory export memories.json
      limpet memory export memories.tar --index
    """
    with show_progress("Exporting memories"):
        used, count, problems = export_memories(project, target, form or "", with_index)
    tell_problems(problems)
    data = {"file": os.path.abspath(target), "format": used, "entries": count}
    emit(data, [f"Exported {counted(count, 'memory')} to {target}"], as_json)


@click.command("import")
@click.argument("source", metavar="FILE", type=click.Path())
@why_option
@caller_options
def import_entries(project: Project, source: str, why: str, as_json: bool) -> None:
    """Import memories from a file or folder.

    FILE is an export, a Markdown file or a folder of them. Existing memories are left unchanged. Not for agents.
    Exit code 1 if something could not be imported.

    \b
    Examples:
      limpet memory import memories.json
      limpet memory import ../notes/memories
    """
    with show_progress("Importing memories"):
        done = import_memories(project, source, why)
    data = {
        "added": done.added,
        "renamed": [{"from": old, "to": new} for old, new in done.renamed],
        "known": done.known,
        "twins": [{"title": title, "of": key} for title, key in done.twins],
        "problems": [json_fields(problem) for problem in done.problems],
    }
    new = counted(len(done.added) + len(done.renamed), "memory")
    emit(data, [f"Imported {new}; {done.known} existed already"], as_json)
    tell(*(f"{old} is the ID of another memory here; imported as {name}" for old, name in done.renamed))
    tell(*(f'"{title}" is what {short_id(key)} says already; not imported' for title, key in done.twins))
    tell(*map(str, done.problems))
    raise SystemExit(1 if done.problems else 0)


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
    with show_progress("Indexing memories") as report:
        index, cleaned = maintain(project, rebuild, dry_run, report)
    lines, figures = [], None
    if index:
        tell_problems(index.problems)
        counts = f"{index.changed} changed, {index.removed} removed, " if project.caller.reader.person else ""
        memories = f"Indexed {counted(index.total, 'memory')}"
        lines.append(memories if rebuild else f"Index updated: {counts}{index.total} total")
        figures = {name: getattr(index, name) for name in ("changed", "removed", "total")}
        figures["problems"] = len(index.problems)
    done = cleaned.done if cleaned else ()
    actions = []
    for one in done:
        actions.append({**one.action.__dict__, "do": type(one.action).__name__, "problem": one.problem})
    data = {
        "index": figures,
        "applied": bool(cleaned) and not dry_run,
        "actions": actions,
        "drafts": list(cleaned.drafts) if cleaned else [],
    }
    lines += _lines(cleaned) if cleaned else ["Maintenance skipped: only a person may run it."]
    emit(data, lines, as_json)
    sys.exit(1 if any(one.problem for one in done) else 0)


@click.command("restore")
@click.argument("day", default="", metavar="[DAY]")
@click.option("--list", "only_list", is_flag=True, help="List the days that have a copy, and restore nothing.")
@yes_option
@user_option
@caller_options
def restore(project: Project, day: str, only_list: bool, agreed: bool, as_json: bool) -> None:
    """Bring back what is missing from a daily copy.

    Limpet keeps one a day, `memory.copies` of them; without a DAY it is the newest one. What is there is left as it is,
    and what was forgotten stays away: `undo` restores that. Not for agents.

    \b
    Examples:
      limpet memory restore
      limpet memory restore --list
      limpet memory restore 2026-11-21
    """
    if only_list:
        days = list_copies(project.workspace.shared)[::-1]
        emit(days, days or ["No daily copy yet."], as_json)
        return
    day, memories, heard = restore_copy(project, day, obtain_for(project.workspace, agreed))
    line = f"Restored {counted(memories, 'memory')} and {counted(heard, 'file')} of what was heard, of {day}."
    data = {"day": day, "memories": memories, "candidates": heard}
    emit(data, [line if memories or heard else "Nothing is missing."], as_json)


def _check(project: Project, as_json: bool) -> NoReturn:
    with show_progress("Checking memories"):
        problems = open_library(project).verify()
    total = counted(len(problems), "problem") if problems else "Memories OK"
    emit([json_fields(problem) for problem in problems], [*map(str, problems), total], as_json)
    sys.exit(1 if problems else 0)


def _lines(cleaned: Cleaned) -> Iterator[str]:
    words = {
        "FoldAccess": "count accesses",
        "FileSession": "file conversation",
        "Share": "share",
        "Archive": "archive",
        "Purge": "delete",
    }
    for done in cleaned.done:
        action, reason = done.action, getattr(done.action, "reason", "")
        about = f"{getattr(action, action.fields[0])}{f' ({reason})' if reason else ''}"
        failed = f": failed: {done.problem}" if done.problem else ""
        yield f"{words[type(action).__name__]}: {about}{failed}"
    yield from (f"delete half-written {path}" for path in cleaned.drafts)
    if not cleaned.done and not cleaned.drafts:
        yield "No maintenance needed"
