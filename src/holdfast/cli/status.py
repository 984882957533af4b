"""``holdfast status``: the state of the project on one screen, and whether anything needs attention."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.output import emit, find_project, json_option
from holdfast.cli.table import counted, table
from holdfast.ground.clock import Clock
from holdfast.hosts.project_status import project_status
from holdfast.operations.trust import TrustState, trust_state


@click.command()
@json_option
def status(as_json: bool) -> None:
    """Show project, hooks, work, rules, the last conversation and what is wrong.

    \b
    Examples:
      holdfast status
      holdfast status --json
    """
    workspace = find_project()
    trusted = trust_state(workspace)
    if not trusted.since:
        data = {"project": workspace.root, "trust": trusted.__dict__}
        emit(data, table([("project", workspace.root), ("trust", _trust_in_words(trusted))]), as_json)
        return
    found = project_status(workspace, Clock()) | {"trust": trusted.__dict__}
    data = {**found, "hooks": {path: list(events) for _, path, events in found["hooks"]}}
    emit(data, table(list(_rows(found))), as_json)


def _rows(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield "project", data["project"]
    yield "trust", _trust_in_words(TrustState(**data["trust"]))
    hooks = [f"{host}: {', '.join(events)} ({path})" for host, path, events in data["hooks"]]
    yield "hooks", "; ".join(hooks) or "none: run `holdfast init`"
    for name in ("agent", "mode", "permission", "workflow", "task", "squad"):
        value = data[name]
        yield name, str(value.get("title") or value.get("id")) if isinstance(value, dict) else str(value or "-")
    yield "domains", f"{data['domains']['active']} of {data['domains']['known']} active"
    yield "conversation", _in_words(data["conversation"])
    yield "last hook", _hook_in_words(data["last_hook"])
    if data["extraction"]:
        yield "model", _extraction_in_words(data["extraction"])
    yield "rules", _rules_in_words(data["mistakes"])
    mistakes = data["mistakes"]["configuration"]
    yield "configuration", f"{counted(mistakes, 'mistake')}: see `holdfast config check`" if mistakes else "no mistakes"


def _trust_in_words(state: TrustState) -> str:
    if not state.since:
        came = f"it was moved here from {state.moved_from}" if state.moved_from else "it came from elsewhere"
        return f"none: {came}; nothing of it is read. See `holdfast trust`"
    waiting = (
        f"; {counted(len(state.waiting), 'setting')} changed that act: see `holdfast trust`" if state.waiting else ""
    )
    return f"since {state.since}{waiting}"


def _in_words(found: dict[str, Any] | None) -> str:
    if found is None:
        return "none yet"
    remaining = (found["usage"] or {}).get("remaining")
    window = "" if remaining is None else f", {remaining:g}% of the window left"
    counts = f"{counted(found['prompt_count'], 'prompt')}, {counted(found['compactions'], 'compaction')}"
    own = f"; its own: {', '.join(f'{name} {value}' for name, value in found['own'].items())}" if found["own"] else ""
    return f"{found['id']}: {found['bracket'] or 'no bracket yet'}{window}; {counts}{own}; {found['last_activity']}"


def _hook_in_words(found: dict[str, Any] | None) -> str:
    if found is None:
        return "never ran here"
    start = f"{found['event']} at {found['time']}"
    if found["crash"]:
        return f"{start}: failed with {found['crash']}, see `holdfast debug`"
    return f"{start}: {found['tokens'] or 0} tokens in {found['ms']} ms"


def _extraction_in_words(found: dict[str, Any]) -> str:
    cost = f"{found['tokens_in']:,} tokens in, {found['tokens_out']:,} out, {found['money']:.4f} USD"
    last = f"; last {found['last']}: {found['outcome'] or 'no outcome yet'}" if found["calls"] else ""
    return f"{found['model'] or 'none any more'}: {counted(found['calls'], 'call')} in 30 days, {cost}{last}"


def _rules_in_words(mistakes: dict[str, int]) -> str:
    errors, warnings = mistakes["errors"], mistakes["warnings"]
    if not errors and not warnings:
        return "no mistakes"
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}: see `holdfast rules check`"
