"""The state of a project on one screen: hooks, work, rules, the last conversation and mistakes. It stands in this room
because it asks every host for its hooks, and the engine for mistakes."""

from __future__ import annotations

import os
from typing import Any

from limpet.engine.mistakes import find_mistakes
from limpet.ground.clock import Clock
from limpet.ground.config.mirror import read_mirror
from limpet.ground.config.settings import config_mistakes
from limpet.ground.trust.consent import inherited_root
from limpet.ground.workspace import Workspace, find_workspace, outer_root
from limpet.hosts.checks import FAIL, FIX, Check
from limpet.hosts.git_hook import lost_hook
from limpet.hosts.injectors import find_injectors
from limpet.hosts.registry import all_hosts
from limpet.operations.agents.known import check_agents
from limpet.operations.conversations import last_heard, newest_conversation, read_metrics
from limpet.operations.figures import spent
from limpet.operations.memory.waiting import count_kept, has_proved_wish, waiting
from limpet.operations.rules.view import DomainFigures, are_large, count_rules_by_domain
from limpet.rules.check.domain import ERROR
from limpet.rules.format.manifest import AT_WORK, ON_DEMAND
from limpet.rules.plan.compiler import SHIPPED, SQUAD
from limpet.work.conversation import read_private
from limpet.work.in_force import find_in_force, find_modes, is_at_work
from limpet.work.lock import is_locked


def project_status(workspace: Workspace, clock: Clock, folder: str = "") -> dict[str, Any]:
    """Return the state of the project, as data, for a session started in ``folder`` (its root where none is given).

    ``place``: which ``.limpet`` counts and why, "" where it is the one in ``folder`` and no other is near.
    ``clients``: by their titles, when each was last heard here, "" for never.
    ``hooks``: (host, settings file, events) for each file with hooks of ours that such a session obeys.
    ``problems``: (what, how to mend it) of hooks that cannot work, and of the project's own agent files.
    ``agent``, ``mode``, ``permission``, ``workflow``, ``task``, ``squad``: the project's own, None for none.
    ``lock``: since when the session is locked, None where it is not.
    ``domains``: how many are ``active`` and ``known``, and the names of those that ``wait`` for a use.
    ``conversation``, ``last_hook``: the newest one, and the figures of the last event; None where there was none.
    ``extraction``: what the model of ``memory.capture_model`` cost in the last 30 days, None where none was asked.
    ``rules``: how many of the ``own`` hold, the names of their ``domains``, and how many ``shipped`` come unasked.
    ``memories``: as ``waiting.count_kept`` counts them.
    ``waiting``: how many captured memories nobody looked at; ``proposed``: how many rules are proposed.
    ``others``: (what happens, how to have one) of other tools that add text to prompts here.
    ``mistakes``: how many ``errors`` and ``warnings`` the rules have, None where they are too large to be looked
    through here, and how many mistakes the ``configuration``.
    """
    mirror = read_mirror(workspace)
    session, settings = mirror.session, mirror.settings
    folder = folder or workspace.root
    hooks: list[tuple[str, str, tuple[str, ...]]] = []
    checks: list[Check] = []
    for host in all_hosts():
        in_force = host.in_force(folder)
        hooks += [(host.NAME, _from_root(each.path, workspace), each.events) for each in in_force]
        checks += host.check(folder) if in_force else ()
    heard, titles = last_heard(workspace), {host.NAME: host.TITLE for host in all_hosts()}
    problems = [(check.what, check.hint) for check in checks if check.status == FAIL]
    problems += [(f"{finding.where}: {finding.what}", finding.hint) for finding in check_agents(workspace)]
    events = [line for line in read_metrics(workspace, last=50) if "event" in line]  # jobs write lines too
    last = events[-1] if events else None
    found = find_in_force(session)
    mode, permission = find_modes(found, settings)
    if lost := lost_hook(workspace.root):
        problems.append((f"{lost} no longer asks the guard before a push", FIX))
    domains = count_rules_by_domain(workspace)
    model, cost = str(settings["memory"]["capture_model"]), spent(workspace, clock.now() - 30 * 86_400.0)
    return {
        "project": workspace.root,
        "place": _place(workspace, folder),
        "clients": {titles[name]: heard.get(name, "") for name, _, _ in hooks},
        "hooks": hooks,
        "problems": problems,
        "agent": found.agent or None,
        "mode": mode or None,
        "permission": permission or None,
        "lock": str((session.get("lock") or {}).get("since") or "?") if is_locked(session) else None,
        "workflow": session.get("workflow"),
        "task": session.get("task"),
        "squad": session.get("squad"),
        "rules": _rules(domains),
        "memories": count_kept(workspace),
        "domains": _domains(domains, settings, is_at_work(found, is_locked(session), settings)),
        "conversation": _conversation(workspace),
        "last_hook": {name: last.get(name) for name in ("time", "event", "tokens", "ms", "crash")} if last else None,
        "extraction": {"model": model, **cost} if model or cost["calls"] else None,
        "waiting": waiting(workspace),
        "proposed": _proposed(workspace, settings, clock.now()),
        "others": [*find_injectors(workspace)],
        "mistakes": {**_mistakes(workspace, domains, clock), "configuration": len(config_mistakes(workspace))},
    }


def _mistakes(workspace: Workspace, domains: list[DomainFigures], clock: Clock) -> dict[str, int | None]:
    if are_large(domains):
        return {"errors": None, "warnings": None}
    findings = find_mistakes(workspace, clock)
    errors = sum(finding.severity == ERROR for finding in findings)
    return {"errors": errors, "warnings": len(findings) - errors}


def _domains(found: list[DomainFigures], settings: dict[str, Any], is_working: bool) -> dict[str, Any]:
    known = [one for one in found if one.kind != SQUAD]
    active = [one for one in known if one.state != "inactive"]
    waiting = {ON_DEMAND: not settings["rules"]["full"], AT_WORK: not is_working}
    waits = [one.name for one in active if waiting.get(one.state)]
    return {"active": len(active) - len(waits), "known": len(known), "wait": waits}


def _rules(found: list[DomainFigures]) -> dict[str, Any]:
    active = [one for one in found if one.state == "active" and one.rules]
    own = [one for one in active if one.origin != SHIPPED]
    shipped = [one.rules for one in active if one.origin == SHIPPED and one.kind in ("global", "always")]
    return {"own": sum(one.rules for one in own), "domains": [one.name for one in own], "shipped": sum(shipped)}


def _proposed(workspace: Workspace, settings: dict[str, Any], now: float) -> int:
    if not (has_proved_wish(workspace, settings["learning"]) or os.path.isdir(workspace.path("knowledge"))):
        return 0
    from limpet.operations.learning.proposals import count_rules  # which few projects need

    return count_rules(workspace, now)


def _place(workspace: Workspace, folder: str) -> str:
    below = os.path.relpath(folder, workspace.root)
    if below.startswith(os.pardir):
        return "its .limpet, because this git worktree has none"
    said = [f"its .limpet, found above {below}"] if below != os.curdir else []
    if workspace.is_linked:
        said.append("rules of this git worktree, memories of its repository")
    outer = outer_root(workspace)
    if outer and inherited_root(workspace):
        said.append(f"its own rules, then the rules in {outer}; its own settings and memories")
    elif outer:
        said.append(f"only its own .limpet: the one in {outer} is not trusted")
    elif around := find_workspace(os.path.dirname(workspace.root)):
        said.append(f"only its own .limpet: the one in {around.root} is outside its git repository")
    return "; ".join(said)


def _conversation(workspace: Workspace) -> dict[str, Any] | None:
    found = newest_conversation(workspace)
    if found is None:
        return None
    fields = ("id", "last_activity", "bracket", "usage", "prompt_count", "compactions", "overrides")
    may_set = ("active_agent", "workflow", "task", "squad", "mode", "permission")
    own = {name: found[name] for name in may_set if found.get(name)}
    private = read_private(str(found["id"]))
    paused = private is not None and private.paused
    return {**{name: found.get(name) for name in fields}, "own": own, "paused": paused}


def _from_root(path: str, workspace: Workspace) -> str:
    """Return the path from the project's root where it lies below; settings files are named without links."""
    root = os.path.realpath(workspace.root) + os.sep
    return path[len(root) :].replace(os.sep, "/") if path.startswith(root) else path
