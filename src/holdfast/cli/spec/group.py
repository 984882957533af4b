"""``holdfast spec``: scores the project's documents, and shows which need work."""

from __future__ import annotations

import os

import click

from holdfast.cli.caller import caller_of
from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.cli.spec.input import given_answers
from holdfast.cli.spec.view import (
    UNKNOWN,
    checklist_lines,
    describe_document,
    describe_evaluation,
    describe_survey,
    document_lines,
    outcome_lines,
)
from holdfast.cli.table import table
from holdfast.operations.paths import from_root
from holdfast.operations.work import documents
from holdfast.rules.plan.sources import FRAMEWORK
from holdfast.work.documents.backlog import PRIORITIES
from holdfast.work.documents.bookkeeping import list_backlog
from holdfast.work.documents.evaluation import read_evaluation

key_argument = click.argument("key", metavar="KEY")


@click.group()
def spec() -> None:
    """Score the project's documents, see which are stale, and what to do next.

    \b
    Examples:
      holdfast spec scan --write
      holdfast spec status
      holdfast spec evaluate architecture
    """


@spec.command()
@click.option("--write", is_flag=True, help="Track what was found.")
@json_option
def scan(write: bool, as_json: bool) -> None:
    """Find documents of the project, and those that it ought to have.

    \b
    Examples:
      holdfast spec scan
      holdfast spec scan --write
    """
    workspace = require_workspace()
    found = documents.find_documents(workspace, caller_of(workspace) if write else None)
    data = [{"key": one.key, "path": one.path or None, "why": one.why} for one in found]
    rows = [(one.key, one.path or "not written yet", one.why) for one in found]
    advice = "tracked in .holdfast/manifest.yaml" if write else "nothing is written: holdfast spec scan --write"
    lines = [*table(rows), advice] if rows else ["nothing new"]
    emit({"found": data, "written": write}, lines, as_json)


@spec.command()
def protocol() -> None:
    """Print how an agent works on the documents: one action a session, in which order, and what is written when.

    \b
    Examples:
      holdfast spec protocol
    """
    with open(os.path.join(FRAMEWORK, "spec-protocol.md"), encoding="utf-8") as file:
        click.echo(file.read(), nl=False)


@spec.command()
@click.argument("key", metavar="[KEY]", required=False)
@click.option("--vague", is_flag=True, help="Offer up to three things to do, not one.")
@json_option
def status(key: str | None, vague: bool, as_json: bool) -> None:
    """Show what a session reads first; with KEY also what is known of that document.

    \b
    Examples:
      holdfast spec status
      holdfast spec status architecture
      holdfast spec status --vague --json
    """
    found = documents.show_status(require_workspace(), key or "", vague)
    if found.survey is None:
        emit(UNKNOWN | {"mode": found.mode, "next": []}, ["no spec state yet: holdfast spec scan --write"], as_json)
        return
    data = describe_survey(found.survey, found.lines)
    data |= {"mode": found.mode, "next": [vars(one) for one in found.offers]}
    lines = [*found.lines, *(f"or: {one.action} {one.key} ({one.why})" for one in found.offers[1:])]
    if key:
        data["document"] = describe_document(found.known, found.problems)
        lines = [f"{one.action} {one.key} ({one.why})" for one in found.offers]
        touched = next(one.requirements for one in found.survey.statuses if one.key == key)
        lines += document_lines(found.known, found.problems, touched)
    emit(data, lines, as_json)


@spec.command("evaluate")
@key_argument
@click.option("--answer", "answers", multiple=True, metavar="ID=yes|no|n/a", help="An answer; may be repeated.")
@click.option("--note", "notes", multiple=True, metavar="ID=TEXT", help="Why; of a penalty the cited example.")
@click.option("--answers", "file", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="YAML or JSON.")
@click.option("--keep", is_flag=True, help="Answers of the last evaluation that are not given stay.")
@click.option("--path", metavar="FILE", default="", help="Where the document lies.")
@click.option("--type", "kind", metavar="TYPE", default="", help="The rubric, where the key does not name it.")
@json_option
def evaluate_document(
    key: str,
    answers: tuple[str, ...],
    notes: tuple[str, ...],
    file: str | None,
    keep: bool,
    path: str,
    kind: str,
    as_json: bool,
) -> None:
    """Print the checklist of the document KEY, or record answers and show the score. With --path and no answer the
    document is tracked there, and what is recorded of it stays.

    \b
    Examples:
      holdfast spec evaluate architecture
      holdfast spec evaluate architecture --path docs/architecture.md
      holdfast spec evaluate architecture --answer components=yes --answer data_flow=no --note data_flow="no queue"
      holdfast spec evaluate billing-api --type api-docs --path docs/billing.md
    """
    workspace = require_workspace()
    given = given_answers(answers, notes, file)
    where = from_root(workspace, path) if path else ""
    if given or where:
        caller = caller_of(workspace)
        found = documents.evaluate(workspace, caller, key, given, keep=keep, path=where, kind=kind)
    else:
        found = read_evaluation(workspace, key, kind)
    emit(describe_evaluation(found), outcome_lines(found) if given else checklist_lines(found), as_json)


@spec.group()
def backlog() -> None:
    """Keep problems that wait: the most urgent ten stand in the manifest, all of them with their documents.

    \b
    Examples:
      holdfast spec backlog add architecture "Add a data flow diagram" --priority high
      holdfast spec backlog list
    """


@backlog.command()
@key_argument
@click.argument("text")
@click.option("--priority", type=click.Choice(PRIORITIES), default="medium", show_default=True, help="How urgent.")
@json_option
def add(key: str, text: str, priority: str, as_json: bool) -> None:
    """Note TEXT as a problem of the document KEY.

    \b
    Examples:
      holdfast spec backlog add features "Search is not described"
    """
    workspace = require_workspace()
    is_new = documents.add_problem(workspace, caller_of(workspace), key, text, priority)
    line = f"{key}: {priority}" + ("" if is_new else ", known before")
    emit({"artifact": key, "priority": priority, "new": is_new}, [line], as_json)


@backlog.command()
@key_argument
@click.argument("words")
@json_option
def done(key: str, words: str, as_json: bool) -> None:
    """Take the problem of KEY whose text holds WORDS off the backlog.

    \b
    Examples:
      holdfast spec backlog done features "search"
    """
    workspace = require_workspace()
    item = documents.finish_problem(workspace, caller_of(workspace), key, words)
    emit(vars(item), [f"done: {item.item}"], as_json)


@backlog.command("list")
@click.argument("key", metavar="[KEY]", default="")
@json_option
def list_problems(key: str, as_json: bool) -> None:
    """List the problems, all or those of the document KEY, the most urgent first.

    \b
    Examples:
      holdfast spec backlog list
      holdfast spec backlog list architecture
    """
    items, unread = list_backlog(require_workspace(), key)
    for problem in unread:
        click.echo(f"holdfast: {problem}", err=True)
    rows = [(item.priority, item.artifact, item.found or "-", item.item) for item in items]
    emit([vars(item) for item in items], table(rows) if rows else ["nothing"], as_json)


@spec.command()
@click.argument("text", metavar="[TEXT]", required=False)
@json_option
def log(text: str | None, as_json: bool) -> None:
    """Show the last five things that were done, or note TEXT as one.

    \b
    Examples:
      holdfast spec log
      holdfast spec log "Rewrote the data flow section"
    """
    workspace = require_workspace()
    if text is not None:
        documents.add_log(workspace, caller_of(workspace), text)
    lines = documents.read_log(workspace)
    emit(list(lines), lines or ["nothing"], as_json)
