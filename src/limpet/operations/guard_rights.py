"""What a person lets agents do (permission mode, one act past the guard), and what holds agents to the constitution.
Separate from the guard's decisions, which are told without all that a change needs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.config.mirror import read_mirror
from limpet.ground.config.settings import origins, read_layers
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor, event_data, newest_first
from limpet.ground.recording import record
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import read_shipped
from limpet.ground.storage.user_folders import state_folder
from limpet.ground.trust.allowance import (
    ALLOWED,
    DECIDED,
    Allowance,
    allowance_path,
    allowance_purpose,
    is_decision,
)
from limpet.ground.trust.approvals import HOUR
from limpet.ground.trust.giving import ELSEWHERE, REFUSED, make_key, refuse_untrusted
from limpet.ground.trust.signed import signed_record
from limpet.ground.workspace import Workspace
from limpet.operations.approval import Obtain
from limpet.operations.guard import GuardDecision, find_decision
from limpet.operations.project import open_unasked
from limpet.operations.work.moves import ChosenWork, choose_work
from limpet.rules.plan.sources import read_sources, shipped_constitution
from limpet.work.in_force import CONVERSATION_KEYS, PERMISSIONS, find_in_force, find_modes, resolve_permission
from limpet.work.project import NAME
from limpet.work.session import read_state

KEY = "permission"
# What a mode has agents do, None for none.
MEANS = {
    "explore": "agents ask before all that is not known as reading",
    "ask": "agents ask before all that changes something",
    "auto": "agents ask before nothing; what the guard denies stays denied",
    None: "the coding agent's own mode decides",
}
LOG = "Run: limpet guard log --denied"
GUARD, EVENT, PROGRAM, WORDS = "guard", "event", "program", "words"


def find_mode(workspace: Workspace, conversation: str) -> tuple[str, str]:
    """Return the permission mode in force in the conversation ("" for the project), and what sets it."""
    project, state = open_unasked(workspace), read_state(workspace, conversation)
    name = find_modes(find_in_force(project.session, state), project.settings)[1]
    if state.get(CONVERSATION_KEYS[KEY]):
        return name, f"session {conversation}"
    return name, NAME if project.session.get(KEY) else origins(read_layers(workspace))["guard", KEY]


def set_permission_mode(
    workspace: Workspace, obtain: Obtain, name: str | None, conversation: str | None, now: float
) -> ChosenWork:
    """None clears the mode, so that the host's own decides. Raises LimpetError for an unknown one."""
    found = resolve_permission(name) if name else None
    if name and found is None:
        raise LimpetError(f"Unknown permission mode: {name}", hint=f"Use {', '.join(PERMISSIONS)}.")
    where = f"conversation {conversation}" if conversation else "this project"
    obtain(f"Set the permission mode of {where} to {found or 'none'}: {MEANS[found]}")
    chosen = choose_work(open_unasked(workspace), KEY, found, conversation)
    actor = Actor(writer="limpet guard mode", now=now, retention=read_mirror(workspace).settings["retention"])
    record(workspace, actor, "guard.mode", {KEY: found, "in": chosen.place})
    return chosen


def allow_once(workspace: Workspace, obtain: Obtain, name: str, reason: str, now: float, writer: str) -> GuardDecision:
    """Let the act of this decision through once, within an hour, on a person's word. Raises LimpetError without a
    reason, for an unknown decision, one that the guard did not make or that allowed the act anyway, in a project that
    is not trusted, and where the user's state folder cannot be written."""
    refuse_untrusted(workspace)
    if not reason.strip():
        raise LimpetError("A reason is needed", "--reason", "It is kept in the guard's log.")
    found = find_decision(workspace, name)
    if found is None:
        raise LimpetError("Unknown decision", name, LOG)
    act = str(found.data.get("digest") or "")
    if not is_decision(found.id, act, found.act, str(found.data.get("mark") or "")):
        raise LimpetError("The guard did not write this record", name, "Do not allow it: somebody edited the log.")
    if found.answer == "allow":
        raise LimpetError("This act was allowed", name, LOG)
    act_in_words = found.act or f"{found.tool} {found.target}".strip()
    obtain(f"Let {found.agent or 'the agent'} do once: {act_in_words} ({reason.strip()})")
    _write(workspace.state, Allowance(act=act, record=found.id, reason=reason.strip(), until=now + HOUR))
    actor = Actor(writer=writer, now=now, retention=read_mirror(workspace).settings["retention"], why=reason.strip())
    record(workspace, actor, ALLOWED, {"id": found.id, "rule": found.rule, "act": found.act, "tool": found.tool})
    return found


def _write(state: str, allowance: Allowance) -> None:
    path = allowance_path(state, allowance.act)
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        write_durably(path, signed_record(allowance.__dict__, allowance_purpose(state), make_key()))
    except OSError as error:
        raise LimpetError(REFUSED.format(error.strerror), state_folder(), ELSEWHERE) from error


def constitution_checks(workspace: Workspace | None) -> list[dict[str, Any]]:
    """Every article in force with its checks; without a project the packaged ones, which never fired. The ``kind`` of a
    check: ``guard``, ``event`` (a command that leaves one), ``program`` (each time, without a trace) or ``words``.
    ``last``: when it last fired, ISO 8601; "" where it never did, and for what leaves no trace."""
    articles = read_sources(workspace).constitution.articles if workspace else shipped_constitution().articles
    rows = read_shipped("constitution-checks")["articles"]
    last = _last_fired(workspace, rows) if workspace else {}
    described = []
    for article in articles:
        checks = []
        for kind, name, key in _checks(rows.get(article.numeral, {})):
            checks.append({"kind": kind, "name": name, "last": last.get(key, "")})
        about = {"numeral": article.numeral, "title": article.title, "severity": article.severity}
        described.append({**about, "checks": checks})
    return described


def find_articles(workspace: Workspace | None, name: str) -> list[dict[str, Any]]:
    """By numeral or title; all of them for ``constitution``."""
    asked = name.lower()
    found = []
    for one in constitution_checks(workspace):
        if asked in ("constitution", one["numeral"].lower(), one["title"].lower()):
            found.append(one)
    return found


def _checks(row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    yield from ((GUARD, rule, rule) for rule in row.get(GUARD, ()))
    yield from ((EVENT, name, kind) for kind, name in row.get("events", {}).items())
    yield from ((PROGRAM, name, "") for name in row.get(PROGRAM, ()))
    if words := row.get(WORDS, "All of it."):
        yield WORDS, words, ""


def _last_fired(workspace: Workspace, rows: Mapping[str, Any]) -> dict[str, str]:
    """No more of a log is read than is needed."""
    wanted: set[str] = set()
    for row in rows.values():
        wanted.update(row.get(GUARD, ()), row.get("events", {}))
    found: dict[str, str] = {}
    for events in newest_first(workspace.shared, ""):
        left = set(wanted)
        for event in events:
            kind = str(event.get("kind") or "")
            name = str(event_data(event).get("rule") or "") if kind == DECIDED else kind
            if name in left:
                left.discard(name)
                found[name] = max(str(event.get("time") or ""), found.get(name, ""))
            if not left:
                break
    return found
