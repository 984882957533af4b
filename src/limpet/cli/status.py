"""``limpet status``: the state of the project on one screen, and whether anything needs attention."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.output import SHORT_ID, counted, emit, find_any_project, home_as_tilde, json_option, table
from limpet.cli.screen import Line
from limpet.context.rules_layers import PERMISSIONS
from limpet.ground.clock import Clock, parse_timestamp
from limpet.hosts.project_status import project_status
from limpet.operations.trust_record import TrustState, trust_state

Row = tuple[str, str]


@click.command("status")
@json_option
def show_status_page(as_json: bool) -> None:
    """Show the state of this project on one screen.

    \b
    Examples:
      limpet status
      limpet status --json
    """
    workspace = find_any_project()
    trusted = trust_state(workspace)
    if not trusted.since:
        data = {"project": workspace.root, "trust": trusted.__dict__}
        emit(data, table([("project", home_as_tilde(workspace.root)), ("trust", _trust_in_words(trusted))]), as_json)
        return
    found = project_status(workspace, Clock(), os.getcwd()) | {"trust": trusted.__dict__}
    data = {**found, "hooks": {path: list(events) for _, path, events in found["hooks"]}}
    emit(data, _screen(found), as_json)


def _screen(data: dict[str, Any]) -> Iterator[Line]:
    rows: list[Row] = []
    for part in (_place, _work, _lately, _problems):
        if group := list(part(data)):
            rows += [("", ""), *group] if rows else group
    return table(rows, styles=("bold",))


def _place(data: dict[str, Any]) -> Iterator[Row]:
    yield "project", home_as_tilde(data["project"])
    if data["place"]:
        yield "uses", data["place"]
    yield "trust", _trust_in_words(TrustState(**data["trust"]))
    hooks = [f"{host}: {counted(len(events), 'hook')} in {path}" for host, path, events in data["hooks"]]
    yield "hooks", "; ".join(hooks) or "not installed.\nRun: limpet init"
    yield "rules", _rules_in_words(data["domains"], data["mistakes"])


def _work(data: dict[str, Any]) -> Iterator[Row]:
    for name in ("agent", "mode", "permission", "workflow", "task", "squad"):
        value = data[name]
        if value and name == "permission":
            yield name, f"[{value}] {PERMISSIONS.get(value, '')}".rstrip()
        elif value:
            yield name, str(value.get("title") or value.get("id")) if isinstance(value, dict) else str(value)
    if data["lock"]:
        yield "session lock", f"since {_ago(data['lock'])}"


def _lately(data: dict[str, Any]) -> Iterator[Row]:
    yield "conversation", _in_words(data["conversation"])
    yield "last hook", _hook_in_words(data["last_hook"])
    if data["proposed"]:
        yield "proposed", f"{counted(data['proposed'], 'rule')} proposed.\nRun: limpet review"
    if data["waiting"]:
        what = "memory" if data["waiting"] == 1 else "memories"
        yield "to review", f"{data['waiting']} {what} captured since your last look.\nRun: limpet review"
    if found := data["extraction"]:
        cost = f"{found['tokens_in']:,} tokens in, {found['tokens_out']:,} out, {found['money']:.4f} USD"
        last = f"; last {_ago(found['last'])}: {found['outcome'] or 'no outcome yet'}" if found["calls"] else ""
        model = found["model"] or "none any more"
        yield "model", f"{model}: {counted(found['calls'], 'call')} in 30 days, {cost}{last}"


def _problems(data: dict[str, Any]) -> Iterator[Row]:
    mistakes = data["mistakes"]["configuration"]
    if mistakes:
        yield "configuration", f"{counted(mistakes, 'mistake')}.\nRun: limpet doctor"
    yield from (("others", f"{what}\n({hint})") for what, hint in data["others"])
    yield from (("problem", f"{what}\n({hint})") for what, hint in data["problems"])


def _trust_in_words(state: TrustState) -> str:
    if not state.since:
        return f"not trusted, so nothing of it is read. {state.reason}.\nRun: limpet trust"
    waiting = ", ".join(state.waiting)
    changed = ", ".join(path.rpartition("/")[2] for path in state.changed)
    parts = (
        f"since {state.since[:10]}",
        f"settings wait for your consent: {waiting}" if waiting else "",
        f"rules changed since: {changed}" if changed else "",
    )
    return "; ".join(filter(None, parts)) + (".\nRun: limpet trust" if waiting or changed else "")


def _in_words(found: dict[str, Any] | None) -> str:
    if found is None:
        return "none yet"
    remaining = (found["usage"] or {}).get("remaining")
    window = "" if remaining is None else f", {remaining:g}% of the window left"
    compactions = f", {counted(found['compactions'], 'compaction')}" if found["compactions"] else ""
    counts = f"{counted(found['prompt_count'], 'prompt')}{compactions}"
    own = f"; its own {', '.join(f'{name} {value}' for name, value in found['own'].items())}" if found["own"] else ""
    bracket = f"{found['bracket']}{window}, " if found["bracket"] else ""
    paused = "paused, nothing is sent or kept; " if found["paused"] else ""
    return f"{found['id'][:SHORT_ID]}: {paused}{bracket}{counts}, {_ago(found['last_activity'])}{own}"


def _hook_in_words(found: dict[str, Any] | None) -> str:
    if found is None:
        return "has not run here yet"
    start = f"{_ago(found['time'])}, {str(found['event']).replace('_', ' ')}"
    if found["crash"]:
        return f"{start}: failed with {found['crash']}.\nRun: limpet log --hook"
    return f"{start}, {found['tokens'] or 0} tokens, {found['ms'] or 0:.0f} ms"


def _ago(stamp: object) -> str:
    try:
        passed = time.time() - parse_timestamp(str(stamp)).timestamp()
    except (ValueError, OverflowError):
        return str(stamp)
    for seconds, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if passed >= seconds:
            return f"{counted(int(passed // seconds), unit)} ago"
    return "just now"


def _rules_in_words(domains: dict[str, Any], mistakes: dict[str, int]) -> str:
    errors, warnings = mistakes["errors"], mistakes["warnings"]
    waiting = f"; {', '.join(domains['wait'])} on demand" if domains["wait"] else ""
    active = f"{domains['active']} of {domains['known']} domains on{waiting}"
    if not errors and not warnings:
        return active
    return f"{active}; {counted(errors, 'error')}, {counted(warnings, 'warning')}.\nRun: limpet rules check"
