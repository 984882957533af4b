"""``holdfast status``: on one screen where the project stands and whether anything needs attention."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from holdfast.cli.output import emit, json_option, require_workspace
from holdfast.cli.table import counted, table
from holdfast.engine.explain.mistakes import find_mistakes
from holdfast.ground.clock import Clock
from holdfast.ground.config.mirror import Mirror, read_mirror
from holdfast.ground.workspace import Workspace
from holdfast.hosts.registry import all_hosts
from holdfast.operations.conversations import newest_conversation
from holdfast.operations.history import read_metrics
from holdfast.rules.check.finding import ERROR
from holdfast.rules.plan.sources import read_sources
from holdfast.work.in_force import find_in_force

OWN = ("active_agent", "workflow", "task", "squad", "mode", "permission")
"""What a conversation may set for itself."""


@click.command()
@json_option
def status(as_json: bool) -> None:
    """Show project, hooks, work, rules, the last conversation and what is wrong.

    \b
    Examples:
      holdfast status
      holdfast status --json
    """
    workspace = require_workspace()
    mirror = read_mirror(workspace)
    hooks = _hooks(workspace)
    data = {
        "project": workspace.root,
        "hooks": {path: list(events) for _, path, events in hooks},
        **_work(mirror),
        "domains": _domains(workspace),
        "conversation": _conversation(workspace),
        "last_hook": _last_hook(workspace),
        "mistakes": _mistakes(workspace, mirror),
    }
    emit(data, table(list(_rows(data, hooks))), as_json)


def _hooks(workspace: Workspace) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return (host, settings file, the events that our hooks answer there)."""
    return [
        (host.NAME, _shown(found.path, workspace), found.events)
        for host in all_hosts()
        for found in host.registered(workspace.root)
    ]


def _work(mirror: Mirror) -> dict[str, Any]:
    session, settings = mirror.session, mirror.settings
    return {
        "agent": find_in_force(session).agent or None,
        "mode": session.get("mode") or settings["work"]["mode"],
        "permission": session.get("permission") or settings["guard"]["permission"],
        "workflow": session.get("workflow"),
        "task": session.get("task"),
        "squad": session.get("squad"),
    }


def _domains(workspace: Workspace) -> dict[str, int]:
    domains = read_sources(workspace).manifest.domains
    return {"active": sum(domain.active for domain in domains), "known": len(domains)}


def _conversation(workspace: Workspace) -> dict[str, Any] | None:
    found = newest_conversation(workspace)
    if found is None:
        return None
    fields = ("id", "last_activity", "bracket", "usage", "prompt_count", "compactions", "overrides")
    own = {name: found[name] for name in OWN if found.get(name)}
    return {**{name: found.get(name) for name in fields}, "own": own}


def _last_hook(workspace: Workspace) -> dict[str, Any] | None:
    lines = [line for line in read_metrics(workspace, last=50) if "event" in line]
    return {name: lines[-1].get(name) for name in ("time", "event", "tokens", "ms", "crash")} if lines else None


def _mistakes(workspace: Workspace, mirror: Mirror) -> dict[str, int]:
    findings = find_mistakes(workspace, Clock())
    errors = sum(finding.severity == ERROR for finding in findings)
    return {"errors": errors, "warnings": len(findings) - errors, "configuration": len(mirror.problems)}


def _rows(data: dict[str, Any], hooks: list[tuple[str, str, tuple[str, ...]]]) -> Iterator[tuple[str, str]]:
    yield "project", data["project"]
    in_words = [f"{host}: {', '.join(events)} ({path})" for host, path, events in hooks]
    yield "hooks", "; ".join(in_words) or "none: run `holdfast init`"
    for name in ("agent", "mode", "permission", "workflow", "task", "squad"):
        value = data[name]
        yield name, str(value.get("title") or value.get("id")) if isinstance(value, dict) else str(value or "-")
    yield "domains", f"{data['domains']['active']} of {data['domains']['known']} active"
    yield "conversation", _in_words(data["conversation"])
    yield "last hook", _hook_in_words(data["last_hook"])
    yield "rules", _rules_in_words(data["mistakes"])
    yield "configuration", _configuration_in_words(data["mistakes"]["configuration"])


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


def _rules_in_words(mistakes: dict[str, int]) -> str:
    errors, warnings = mistakes["errors"], mistakes["warnings"]
    if not errors and not warnings:
        return "no mistakes"
    return f"{counted(errors, 'error')}, {counted(warnings, 'warning')}: see `holdfast rules check`"


def _configuration_in_words(mistakes: int) -> str:
    return f"{counted(mistakes, 'mistake')}: see `holdfast config check`" if mistakes else "no mistakes"


def _shown(path: str, workspace: Workspace) -> str:
    root = os.path.realpath(workspace.root) + os.sep
    return path[len(root) :].replace(os.sep, "/") if path.startswith(root) else path
