"""What the guard decided, and the rules by which it does."""

from __future__ import annotations

import heapq
from itertools import chain, islice
from typing import Any

from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, newest_first
from limpet.ground.formats.schema import nearest
from limpet.ground.trust.allowance import (
    ALLOWED,
    DECIDED,
)
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.guard.call import memory_owners_of, read_table

_ACTS = "authority."


class GuardDecision(Value):
    """A decision of the guard.

    ``id``: the one by which a person allows the act, "" for a person's own word.
    ``answer``: ``allow``, ``ask`` or ``deny``; ``once`` for a person's word, whose ``reason`` is theirs.
    ``record``: of a person's word the decision that it overrides, and of an act that was let through by it too.
    ``place``: the event's own id, by which those of one second are in order.
    """

    id: str
    time: str
    answer: str
    rule: str
    reason: str
    act: str
    target: str
    tool: str
    agent: str
    session: str
    record: str
    data: dict[str, Any]
    place: str


def read_guard_decisions(workspace: Workspace, last: int, refused: bool = False) -> list[GuardDecision]:
    """Return the ``last`` decisions, the oldest first; ``refused``: only those that asked or denied."""
    found = [filter(None, map(_decision, events)) for events in newest_first(workspace.shared, "")]
    newest = heapq.merge(*found, key=lambda decision: (decision.time, decision.place), reverse=True)
    wanted = (one for one in newest if not refused or one.answer in ("ask", "deny"))
    return list(islice(wanted, last))[::-1]


def find_decision(workspace: Workspace, name: str) -> GuardDecision | None:
    found = map(_decision, chain.from_iterable(newest_first(workspace.shared, "")))
    return next((one for one in found if one and one.id == name), None)


def _decision(event: dict[str, Any]) -> GuardDecision | None:
    if event.get("kind") not in (DECIDED, ALLOWED):
        return None
    data, own = event_data(event), event["kind"] == ALLOWED
    texts = {name: str(data.get(name) or "") for name in ("rule", "act", "target", "tool")}
    return GuardDecision(
        id="" if own else str(data.get("id") or ""),
        time=str(event.get("time") or ""),
        answer="once" if own else str(data.get("answer") or ""),
        reason=str(event.get("why") or ""),
        agent=str(event.get("agent") or ""),
        session=str(event.get("session") or ""),
        record=str(data.get("id" if own else "allowed") or ""),
        data=data,
        place=str(event.get("id") or ""),
        **texts,
    )


def all_rules(workspace: Workspace | None) -> list[dict[str, Any]]:
    """Every rule, as the settings have it: ``when`` it is in force, what it ``says``, how to ``mend`` it, the setting
    that is its ``switch``; ``agents``: who may do what it is about."""
    table, settings = read_table(), load_settings(workspace)[0]["guard"]
    rules = []
    for name, row in table["rules"].items():
        owners = memory_owners_of(name.removeprefix(_ACTS), table, settings) if name.startswith(_ACTS) else ()
        told = {key: row[key] for key in ("article", "answers", "when", "says", "mend")}
        is_on = bool(settings["rules"][row["switch"]])
        rules.append({"id": name, **told, "switch": f"guard.rules.{row['switch']}", "on": is_on, "agents": owners})
    return rules


def find_guard_rule(workspace: Workspace | None, name: str) -> dict[str, Any]:
    """Raises LimpetError for an unknown one."""
    rules = {rule["id"]: rule for rule in all_rules(workspace)}
    if name not in rules:
        raise LimpetError(f"Unknown rule: {name}{nearest(name, list(rules))}", hint="Run: limpet guard explain")
    return rules[name]
