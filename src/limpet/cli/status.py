"""``limpet status``: the state of the project on one screen, and whether anything needs attention."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.output import SHORT_ID, counted, emit, find_any_project, home_as_tilde, json_option, minute, table
from limpet.cli.screen import Line
from limpet.cli.status_rows import Row, ago, memories_in_words, work_rows
from limpet.ground.clock import Clock
from limpet.hosts.project_status import project_status
from limpet.operations.trust_record import TrustState, trust_state

# Domains of the project that are named.
NAMED = 3


@click.command("status")
@click.option("--watch", "watching", is_flag=True, help="Go on showing the newest conversation, until you type q.")
@json_option
def show_status_page(watching: bool, as_json: bool) -> None:
    """Show the state of this project on one screen.

    \b
    Examples:
      limpet status
      limpet status --watch
      limpet status --json
    """
    if watching:
        from limpet.cli.watch import watch_project  # whose modules a plain status does without

        if as_json:
            raise click.UsageError("--watch and --json cannot be combined")
        watch_project()
        return
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
    for part in (_everyday, work_rows, _problems):
        if group := list(part(data)):
            rows += [("", ""), *group] if rows else group
    return table(rows, styles=("bold",))


def _everyday(data: dict[str, Any]) -> Iterator[Row]:
    yield "project", home_as_tilde(data["project"])
    if data["place"]:
        yield "uses", data["place"]
    state = TrustState(**data["trust"])
    if state.waiting or state.changed:
        yield "trust", _trust_in_words(state)
    clients = [f"{title}, {_heard(at)}" for title, at in data["clients"].items()]
    yield "works in", "; ".join(clients) or "no client yet.\nRun: limpet init"
    yield "rules", _rules_in_words(data)
    yield "memories", memories_in_words(data["memories"])
    yield "now", _in_words(data["conversation"])


def _problems(data: dict[str, Any]) -> Iterator[Row]:
    last = data["last_hook"]
    if last and last["crash"]:
        event = str(last["event"]).replace("_", " ")
        yield "last hook", f"{ago(last['time'])}, {event}: failed with {last['crash']}.\nRun: limpet log --hook"
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
        f"since {minute(state.since)[:10]}",
        f"settings wait for your consent: {waiting}" if waiting else "",
        f"rules changed since: {changed}" if changed else "",
    )
    return "; ".join(filter(None, parts)) + (".\nRun: limpet trust" if waiting or changed else "")


def _in_words(found: dict[str, Any] | None) -> str:
    if found is None:
        return "no conversation yet"
    name = found["id"][:SHORT_ID]
    if found["paused"]:
        return f"{name}: paused, nothing is sent or kept"
    remaining = (found["usage"] or {}).get("remaining")
    window = "" if remaining is None else f"window {remaining:.0f}% free, "
    compactions = f", {counted(found['compactions'], 'compaction')}" if found["compactions"] else ""
    own = f"; its own {', '.join(f'{name} {value}' for name, value in found['own'].items())}" if found["own"] else ""
    return f"{name}: {window}{counted(found['prompt_count'], 'prompt')}{compactions}{own}"


def _heard(stamp: str) -> str:
    return f"last heard {ago(stamp)}" if stamp else "not heard yet"


def _rules_in_words(data: dict[str, Any]) -> str:
    rules, mistakes = data["rules"], data["mistakes"]
    names = ", ".join(name.lower() for name in rules["domains"][:NAMED])
    more = ", ..." if len(rules["domains"]) > NAMED else ""
    own = f"{rules['own']} of yours ({names}{more})" if names else "none of yours"
    lines = [f"{own}, {rules['shipped']} shipped"]
    if data["proposed"]:
        lines += [f"{counted(data['proposed'], 'rule')} proposed.", "Run: limpet review"]
    if mistakes["errors"] is None:
        lines += ["Too large to look for mistakes here.", "Run: limpet rules check"]
    elif mistakes["errors"] or mistakes["warnings"]:
        found = f"{counted(mistakes['errors'], 'error')}, {counted(mistakes['warnings'], 'warning')}."
        lines += [found, "Run: limpet rules check"]
    return "\n".join(lines)
