"""``limpet work spec``: scores the project's documents, and shows which need work."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from shlex import quote
from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.groups import Commands, SuggestingChoice
from limpet.cli.output import emit, json_option, require_workspace, runnable, table, tell
from limpet.cli.screen import Line, show_progress
from limpet.cli.spec_view import (
    UNKNOWN,
    checklist_lines,
    describe_document,
    describe_evaluation,
    describe_survey,
    outcome_lines,
)
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.storage.text_file import read_strictly
from limpet.operations.caller import from_root
from limpet.operations.work import documents
from limpet.rules.plan.sources import FRAMEWORK
from limpet.work.documents.evaluation import list_backlog, read_evaluation
from limpet.work.documents.form import PRIORITIES
from limpet.work.documents.requirements import describe_touched
from limpet.work.documents.rubrics import RubricAnswer, read_rubric_result
from limpet.work.documents.scan import story_folders

READING = "Reading documents"
# Of stories and tasks that other tools keep so many are named.
_SOURCES = 3
key_argument = click.argument("key", metavar="KEY")
SECTIONS = {"See": ("status", "log"), "Change": ("scan", "evaluate", "backlog")}


@click.group(cls=Commands, sections=SECTIONS)
def spec() -> None:
    """Score the project's documents and find stale ones.

    \b
    Examples:
      limpet work spec scan --write
      limpet work spec status
      limpet work spec evaluate architecture
    """


@spec.command("scan")
@click.option("--write", is_flag=True, help="Track the documents found.")
@json_option
def scan(write: bool, as_json: bool) -> None:
    """Find the project's documents and missing ones.

    \b
    Examples:
      limpet work spec scan
      limpet work spec scan --write
    """
    project = open_project()
    with show_progress(READING):
        found = documents.find_documents(project, track=write)
    keys = ("key", "path", "why", "type", "proposed")
    data = [{key: getattr(one, key) or None for key in keys} | {"proposed": one.proposed} for one in found]
    rows = [(one.key, one.path or "not written yet", one.why) for one in found]
    advice = "Tracked in .limpet/manifest.yaml." if write else "Nothing written. Run: limpet work spec scan --write"
    tasks = (one.path for one in found if one.type == "tasks" and one.path)
    sources = [*story_folders(project.workspace.root), *tasks]
    lines = [*table(rows), advice] if rows else ["No new documents."]
    lines += [f"To work on it: limpet work story import {quote(path)}" for path in sources[:_SOURCES]]
    emit({"found": data, "written": write, "stories": sources}, lines, as_json)


@spec.command("status")
@click.argument("key", metavar="[KEY]", required=False)
@click.option("--vague", is_flag=True, help="Offer up to three actions instead of one.")
@click.option("--protocol", "in_words", is_flag=True, help="Print how an agent works on the documents.")
@click.option("--log", "text", is_flag=False, flag_value="", help="Show the last five actions; with TEXT, add one.")
@json_option
def document_status(key: str | None, vague: bool, in_words: bool, text: str | None, as_json: bool) -> None:
    """Show the documents' scores and what to do next.

    This is what a session reads first. With KEY, details of that document are added.

    \b
    Examples:
      limpet work spec status
      limpet work spec status architecture
      limpet work spec status --vague --json
      limpet work spec status --protocol
      limpet work spec status --log "Rewrote the data flow section"
    """
    if text is not None:
        _show_log(text, as_json)
        return
    if in_words:
        with open(os.path.join(FRAMEWORK, "spec-protocol.md"), encoding="utf-8") as file:
            click.echo(runnable(file.read()), nl=False)
        return
    project = open_project()
    key = documents.resolve_key(project.workspace, key) if key else ""
    with show_progress(READING):
        found = documents.show_status(project, key, vague)
    if found.survey is None:
        advice = "No documents are tracked yet. Run: limpet work spec scan --write"
        emit(UNKNOWN | {"mode": found.mode, "next": []}, [advice], as_json)
        return
    data = describe_survey(found.survey, found.lines)
    data |= {"mode": found.mode, "next": [vars(one) for one in found.offers]}
    lines: list[Line] = [*found.lines, *(f"or: {one.action} {one.key} ({one.why})" for one in found.offers[1:])]
    if key:
        data["document"] = describe_document(found.known, found.problems)
        lines = [f"{one.action} {one.key} ({one.why})" for one in found.offers]
        for status in found.survey.statuses:
            if status.key == key:
                lines += map(describe_touched, status.requirements)
        lines += checklist_lines(found.known) if found.known else ()
        lines += [f"backlog {item.priority}: {item.item}" for item in found.problems]
    emit(data, lines, as_json)


@spec.command("evaluate")
@key_argument
@click.option("--answer", "answers", multiple=True, metavar="ID=yes|no|n/a", help="An answer. May be repeated.")
@click.option("--note", "notes", multiple=True, metavar="ID=TEXT", help="The reason; for a penalty, a quoted example.")
@click.option(
    "--answers",
    "file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="A YAML or JSON file of answers.",
)
@click.option("--keep", is_flag=True, help="Keep earlier answers that are not given now.")
@click.option("--path", metavar="FILE", default="", help="Path of the document.")
@click.option("--type", "kind", metavar="TYPE", default="", help="Rubric, if the key does not name one.")
@json_option
def evaluate_in_words(
    key: str,
    answers: tuple[str, ...],
    notes: tuple[str, ...],
    file: str | None,
    keep: bool,
    path: str,
    kind: str,
    as_json: bool,
) -> None:
    """Show or answer the checklist of a document.

    With answers, they are recorded and the score is shown. With --path alone the document is tracked at that path and
    its records are kept.

    \b
    Examples:
      limpet work spec evaluate architecture
      limpet work spec evaluate architecture --path docs/architecture.md
      limpet work spec evaluate architecture --answer components=yes --answer data_flow=no --note data_flow="no queue"
      limpet work spec evaluate billing-api --type api-docs --path docs/billing.md
    """
    project = open_project()
    given = given_answers(answers, notes, file)
    where = from_root(project.workspace, path) if path else ""
    key = key if where or kind else documents.resolve_key(project.workspace, key)
    if given or where:
        found = documents.evaluate_document(project, key, given, keep=keep, path=where, kind=kind)
    else:
        found = read_evaluation(project.workspace, key, kind)
    emit(describe_evaluation(found), outcome_lines(found) if given else checklist_lines(found), as_json)


@spec.command("backlog")
@click.argument("key", metavar="[KEY]", default="")
@click.argument("text", metavar="[TEXT]", default="")
@click.option("--priority", type=SuggestingChoice(PRIORITIES), default="medium", show_default=True, help="Urgency.")
@click.option("--done", "words", default="", metavar="WORDS", help="Remove the problem of KEY that contains WORDS.")
@json_option
def document_backlog(key: str, text: str, priority: str, words: str, as_json: bool) -> None:
    """List the problems of the documents, or add TEXT as one.

    The most urgent stand first. The manifest holds ten of them, the documents' details all.

    \b
    Examples:
      limpet work spec backlog
      limpet work spec backlog features "Search is not described" --priority high
      limpet work spec backlog features --done "search"
    """
    if words and (text or not key):
        raise click.UsageError("--done needs KEY, and no TEXT")
    if not (text or words):
        _list_problems(key, as_json)
        return
    project = open_project()
    key = documents.resolve_key(project.workspace, key)
    if words:
        item = documents.finish_problem(project, key, words)
        emit(vars(item), [f"Done: {item.item}"], as_json)
        return
    is_new = documents.add_problem(project, key, text, priority)
    line = f"{key}: {priority}" + ("" if is_new else ", already listed")
    emit({"artifact": key, "priority": priority, "new": is_new}, [line], as_json)


def _list_problems(key: str, as_json: bool) -> None:
    workspace = require_workspace()
    items, unread = list_backlog(workspace, documents.resolve_key(workspace, key) if key else "")
    tell(*unread)
    rows = [(item.priority, item.artifact, item.found or "-", item.item) for item in items]
    emit([vars(item) for item in items], table(rows) if rows else ["No problems."], as_json)


@spec.command("log", hidden=True)
@click.argument("text", metavar="[TEXT]", default="")
@json_option
def document_log(text: str, as_json: bool) -> None:
    """Show or add an action: `limpet work spec status --log`.

    \b
    Examples:
      limpet work spec log
    """
    _show_log(text, as_json)


def _show_log(text: str, as_json: bool) -> None:
    project = open_project()
    if text:
        documents.add_document_log(project, text)
    lines = documents.read_log(project.workspace)
    emit(list(lines), lines or ["Nothing logged yet."], as_json)


def given_answers(answers: Iterable[str], notes: Iterable[str], file: str | None) -> dict[str, RubricAnswer]:
    """Options count for more than the file. Raise LimpetError for what is no answer, and for a note without one."""
    found = read_answers(file) if file else {}
    for text in answers:
        name, value = _pair(text, "--answer", "ID=yes|no|n/a")
        found[name] = RubricAnswer(name, _result(name, value), found[name].note if name in found else "")
    for text in notes:
        name, value = _pair(text, "--note", "ID=TEXT")
        if name not in found:
            raise LimpetError("A note needs an answer", name, f"add --answer {name}=yes|no|n/a")
        found[name] = found[name].replace(note=value)
    return found


def read_answers(file: str) -> dict[str, RubricAnswer]:
    """The file, YAML or JSON, is a mapping of ids to results, or to result and note, or a list of such with their
    ids; under ``answers`` or ``checklist`` or at the top. Raises LimpetError."""
    text = read_strictly(file, file)
    try:
        data: Any = json.loads(text) if file.lower().endswith(".json") else load_yaml(text, file)
    except ValueError as error:
        raise LimpetError(f"Invalid JSON ({error})", file) from None
    if isinstance(data, Mapping):
        data = data.get("answers", data.get("checklist", data))
    if isinstance(data, Mapping):
        data = [{"id": key, **(row if isinstance(row, Mapping) else {"result": row})} for key, row in data.items()]
    if not isinstance(data, list) or not all(isinstance(row, Mapping) and row.get("id") for row in data):
        raise LimpetError("No answers found", file, "write `ID: yes`, `no` or `n/a`, one per line")
    found = {}
    for row in data:
        name, result = str(row["id"]), row.get("result")
        if result is not None:
            found[name] = RubricAnswer(name, _result(name, result), str(row.get("note") or ""))
    return found


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not mark or not name.strip():
        raise LimpetError(f"Invalid {option} {text!r}", hint=f"use {option} {form}")
    return name.strip(), value.strip()


def _result(name: str, value: object) -> str:
    result = read_rubric_result(value)
    if not result:
        raise LimpetError(f"{value!r} is not an answer", name, "use yes, no or n/a")
    return result
