"""The state of a project on one screen: hooks, work, rules, the last conversation and mistakes. It stands in this room
because it asks every host for its hooks, and the engine for mistakes."""

from __future__ import annotations

import os
from typing import Any

from holdfast.engine.explain.mistakes import find_mistakes
from holdfast.ground.clock import Clock
from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.workspace import Workspace
from holdfast.hosts.registry import all_hosts
from holdfast.operations.conversations import newest_conversation
from holdfast.operations.history import read_metrics
from holdfast.operations.memory.conversations.extraction import spent
from holdfast.rules.check.finding import ERROR
from holdfast.rules.plan.sources import read_sources
from holdfast.work.in_force import find_in_force, is_at_work
from holdfast.work.lock.lock import is_locked

# The newest lines of metrics among which the last event is looked for; jobs write lines too.
LATELY = 50
# The seconds of which the cost of a model is told.
MONTH = 30 * 86_400.0
# Fields that a conversation may set for itself.
OWN = ("active_agent", "workflow", "task", "squad", "mode", "permission")


def project_status(workspace: Workspace, clock: Clock) -> dict[str, Any]:
    """Return the state of the project, as data.

    ``project``: the path of its root.
    ``hooks``: (host, settings file, events) for each file with hooks of ours.
    ``agent``, ``mode``, ``permission``, ``workflow``, ``task``, ``squad``: the project's own, None for none.
    ``domains``: how many are ``active`` and ``known``.
    ``conversation``: the newest one, None where none was seen.
    ``last_hook``: the figures of the last event, None where there was none.
    ``extraction``: what the model of ``memory.capture_model`` cost in the last 30 days, None where none was asked.
    ``mistakes``: how many ``errors`` and ``warnings`` the rules have, and how many mistakes the ``configuration``.
    """
    mirror = read_mirror(workspace)
    session, settings = mirror.session, mirror.settings
    hooks = [
        (host.NAME, _from_root(found.path, workspace), found.events)
        for host in all_hosts()
        for found in host.registered(workspace.root)
    ]
    domains = read_sources(workspace).manifest.domains
    events = [line for line in read_metrics(workspace, last=LATELY) if "event" in line]
    findings = find_mistakes(workspace, clock)
    errors = sum(finding.severity == ERROR for finding in findings)
    found = find_in_force(session)
    at_work = is_at_work(found, is_locked(session), settings)
    return {
        "project": workspace.root,
        "hooks": hooks,
        "agent": found.agent or None,
        "mode": session.get("mode") or (settings["work"]["mode"] if at_work else None),
        "permission": session.get("permission") or (settings["guard"]["permission"] if at_work else None),
        "workflow": session.get("workflow"),
        "task": session.get("task"),
        "squad": session.get("squad"),
        "domains": {"active": sum(domain.active for domain in domains), "known": len(domains)},
        "conversation": _conversation(workspace),
        "last_hook": {name: events[-1].get(name) for name in ("time", "event", "tokens", "ms", "crash")}
        if events
        else None,
        "extraction": _extraction(workspace, str(settings["memory"]["capture_model"]), clock),
        "mistakes": {"errors": errors, "warnings": len(findings) - errors, "configuration": len(mirror.problems)},
    }


def _extraction(workspace: Workspace, model: str, clock: Clock) -> dict[str, Any] | None:
    found = spent(workspace, clock.now() - MONTH)
    return {"model": model, **found.__dict__} if model or found.calls else None


def _conversation(workspace: Workspace) -> dict[str, Any] | None:
    found = newest_conversation(workspace)
    if found is None:
        return None
    fields = ("id", "last_activity", "bracket", "usage", "prompt_count", "compactions", "overrides")
    own = {name: found[name] for name in OWN if found.get(name)}
    return {**{name: found.get(name) for name in fields}, "own": own}


def _from_root(path: str, workspace: Workspace) -> str:
    """Return the path from the project's root where it lies below; settings files are named without links."""
    root = os.path.realpath(workspace.root) + os.sep
    return path[len(root) :].replace(os.sep, "/") if path.startswith(root) else path
