"""``limpet registry``, ``limpet decide`` and ``limpet health``."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

import click

from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import counted, emit, find_trusted, json_fields, json_option, require_workspace, table
from limpet.cli.screen import Line, show_progress, styled
from limpet.operations import registry as operations
from limpet.operations.symbols import forget_scan, scan_project
from limpet.registry.artifacts import RegistryArtifact
from limpet.registry.decision import Advice, ArtifactMatch, gravity
from limpet.registry.files import read_inventory
from limpet.registry.health import HEALTHY, Health
from limpet.registry.inventory import Inventory
from limpet.registry.map import category_of
from limpet.registry.symbols.index import Scan

LIST, SHOW, IMPACT, SCAN = "list", "show", "impact", "scan"
INSTALL = 'pip install "limpet[scan]"'
MOST_SKIPPED = 5


@click.command()
@click.argument("action", type=SuggestingChoice((LIST, SHOW, IMPACT, SCAN)), default=LIST)
@click.argument("artifact", metavar="[ID]", default="")
@click.option("--write", is_flag=True, help="With list: write the project's own artifacts to .limpet/registry.yaml.")
@click.option("--forget", is_flag=True, help="With scan: remove what was scanned, and tell agents no more.")
@json_option
def registry(action: str, artifact: str, write: bool, forget: bool, as_json: bool) -> None:
    """List what the framework and your project consist of.

    With show one artifact by its ID is shown, with impact what depends on it. They are found by their files: nothing is
    added or removed here. With --write the map by category is written, with checksums for `limpet health`.

    With scan the code is read: an agent that writes again what is there is told then, once in a conversation. Python is
    always read; JavaScript, TypeScript, Go, Java and Rust with the extra `scan`. A later scan reads what changed only.

    \b
    Examples:
      limpet registry list
      limpet registry list --write
      limpet registry show template/task
      limpet registry impact agent/architect
      limpet registry scan
    """
    if (action in (LIST, SCAN)) == bool(artifact):
        raise click.UsageError(f"{action} takes {'no ID' if artifact else 'an ID'}")
    if write and action != LIST:
        raise click.UsageError("--write needs list")
    if forget and action != SCAN:
        raise click.UsageError("--forget needs scan")
    if action == SCAN:
        _run_scan(forget, as_json)
        return
    if write:
        path, count = operations.write_map(require_workspace(), time.time())
        emit(
            {"written": path, "count": count},
            [f"Wrote {path}: {counted(count, 'artifact')} of the project's own"],
            as_json,
        )
        return
    found = read_inventory(find_trusted())
    if action == LIST:
        emit([_fields(one) for one in found.artifacts], _listed(found), as_json)
        return
    one = operations.find_artifact(found, artifact)
    needed = operations.needed_by(found, one)
    if action == SHOW:
        emit({**_fields(one), "dependents": list(needed)}, _shown(one, needed), as_json)
        return
    data = {"id": one.id, "dependents": list(needed), "impact": gravity(len(needed))}
    emit(data, [f"{one.id}: {_impact(len(needed))}", *(f"  {name}" for name in needed)], as_json)


@click.command("decide")
@click.argument("intent")
@json_option
def decide(intent: str, as_json: bool) -> None:
    """Say whether what you want is there already.

    The answer is REUSE, ADAPT or CREATE.

    The score of a match is 0.6 x the words of INTENT that it has + 0.4 x the likeness of its purpose: REUSE from 90%,
    ADAPT from 60%.

    \b
    Examples:
      limpet decide "I need a template for documenting API endpoints"
      limpet decide "a gate before a release" --json
    """
    advice = operations.advise(find_trusted(), intent)
    matches = [_match_data(match) for match in advice.matches]
    data = {
        "decision": advice.decision,
        "sentence": advice.sentence,
        "matches": matches,
        "impact": list(advice.impact),
        "words": list(advice.words),
    }
    emit(data, _advice(advice), as_json)


@click.command("health")
@click.option("--strict", is_flag=True, help="Exit with code 1 unless everything is healthy.")
@click.option("--fix", is_flag=True, help="Put right what is shipped or derived; each file is named first.")
@json_option
def health(strict: bool, fix: bool, as_json: bool) -> None:
    """Check whether the framework is whole. It advises: the exit code is 0.

    \b
    Examples:
      limpet health
      limpet health --strict
      limpet health --fix
    """
    workspace = find_trusted()
    for planned in list(operations.plan_repairs(workspace, time.time())) if fix else ():
        click.echo(f"Writing {planned.shown}", err=as_json)
        operations.repair(planned)
    found = operations.check_health(workspace)
    checks = []
    for check in found.checks:
        faults = [dict(fault.__dict__) for fault in check.faults]
        checks.append({**check.__dict__, "says": check.says, "faults": faults})
    emit({"status": found.status, "checks": checks}, _health(found), as_json)
    if strict and found.status != HEALTHY:
        sys.exit(1)


def _run_scan(forget: bool, as_json: bool) -> None:
    workspace = require_workspace()
    if forget:
        forget_scan(workspace, time.time())
        emit({"forgotten": True}, ["Forgot the scan: agents are not told any more what exists."], as_json)
        return
    with show_progress("Scanning") as report:
        scan = scan_project(workspace, time.time(), report)
    emit(json_fields(scan), _scan_lines(scan), as_json)


def _scan_lines(scan: Scan) -> Iterator[str]:
    yield f"Scanned {counted(scan.files, 'file')} ({scan.read} new or changed): {counted(scan.symbols, 'symbol')}."
    if scan.unread:
        by_language = ", ".join(f"{count} {language}" for language, count in sorted(scan.unread.items()))
        yield f"Left out for want of a grammar: {by_language}. Run: {INSTALL}"
    for path in scan.skipped[:MOST_SKIPPED]:
        yield f"Left out, as it is a link, too large or not readable: {path}"
    if len(scan.skipped) > MOST_SKIPPED:
        yield f"... and {len(scan.skipped) - MOST_SKIPPED} more"


def _fields(one: RegistryArtifact) -> dict[str, object]:
    return {name: value for name, value in one.__dict__.items() if name != "body"}


def _listed(found: Inventory) -> Iterator[Line]:
    kinds = dict.fromkeys(artifact.type for artifact in found.artifacts)
    for kind in kinds:
        yield styled((category_of(kind).capitalize(), "bold"))
        rows = []
        for artifact in found.artifacts:
            if artifact.type == kind:
                rows.append((artifact.id, f"{artifact.purpose}{' (yours)' if artifact.own else ''}"))
        yield from table(rows, indent="  ")
    yield counted(len(found.artifacts), "artifact")


def _shown(one: RegistryArtifact, needed: tuple[str, ...]) -> Iterator[Line]:
    yield styled((one.id, "bold"))
    yield one.purpose
    facts = (
        ("path", one.path),
        ("keywords", ", ".join(one.keywords)),
        ("needs", ", ".join(one.dependencies)),
        ("needed by", f"{len(needed)} (limpet registry impact {one.id})" if needed else "nothing"),
        ("adaptability", f"{one.adaptability:g}"),
        ("checksum", one.checksum),
    )
    yield from table([row for row in facts if row[1]])


def _impact(number: int) -> str:
    return f"{number} depend on it ({gravity(number)} impact)" if number else "nothing depends on it"


def _advice(advice: Advice) -> Iterator[Line]:
    yield styled((advice.decision, "bold"), f": {advice.sentence}")
    if advice.impact:
        yield f"A change meets {', '.join(advice.impact)} ({gravity(len(advice.impact))} impact)."
    if advice.matches:
        rows: list[tuple[str, ...]] = [("match", "score", "words", "purpose", "adaptability", "met")]
        for match in advice.matches:
            parts = (f"{part:.2f}" for part in (match.score, match.keyword, match.purpose))
            rows.append((match.artifact.id, *parts, f"{match.artifact.adaptability:g}", ", ".join(match.words)))
        yield ""
        yield from table(rows, heading=True, spare=("adaptability", "purpose", "words"))


def _match_data(match: ArtifactMatch) -> dict[str, object]:
    return {
        "id": match.artifact.id,
        "path": match.artifact.path,
        "score": match.score,
        "keyword_score": match.keyword,
        "purpose_score": match.purpose,
        "words": list(match.words),
        "purpose_words": list(match.purpose_words),
        "adaptability": match.artifact.adaptability,
    }


def _health(found: Health) -> Iterator[Line]:
    rows = [(f"{check.name}:", check.says) for check in found.checks]
    yield from table([*rows, ("Status:", found.status)])
    for check in found.checks:
        for fault in check.faults:
            yield f"{fault.where}: {fault.what} -> {fault.hint}"
