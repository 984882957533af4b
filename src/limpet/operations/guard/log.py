"""The guard's decisions as its audit log tells them, and what people allowed against them."""

from __future__ import annotations

import heapq
from itertools import islice
from typing import Any

from limpet.ground.event_log.read import data_of, newest_first
from limpet.ground.trust.allowance import ALLOWED, DECIDED
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace

LOGS = ""


class Decision(Value):
    """A decision of the guard.

    ``id``: the one by which a person allows the act, "" for a person's own word.
    ``time``: ISO 8601.
    ``answer``: ``allow``, ``ask`` or ``deny``; ``once`` for a person's word.
    ``rule``, ``reason``: which rule, and its sentence; of a person's word theirs.
    ``act``, ``target``, ``tool``: what was to be done, without secrets.
    ``agent``: whose call it was, "" for none.
    ``session``: the conversation.
    ``record``: of a person's word the decision that it overrides, and of an act that was let through by it too.
    ``data``: the whole of what was recorded.
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


def read_decisions(workspace: Workspace, last: int, refused: bool = False) -> list[Decision]:
    """Return the ``last`` decisions, the oldest first; ``refused``: only those that asked or denied."""
    logs = newest_first(workspace.shared, LOGS)
    found = [filter(None, map(_decision, events)) for events in logs]
    newest = heapq.merge(*found, key=lambda decision: (decision.time, decision.place), reverse=True)
    wanted = (one for one in newest if not refused or one.answer in ("ask", "deny"))
    return list(islice(wanted, last))[::-1]


def find_decision(workspace: Workspace, name: str) -> Decision | None:
    """Return the decision with this id, None for an unknown one."""
    logs = newest_first(workspace.shared, LOGS)
    return next((one for events in logs for one in map(_decision, events) if one and one.id == name), None)


def _decision(event: dict[str, Any]) -> Decision | None:
    if event.get("kind") not in (DECIDED, ALLOWED):
        return None
    data, own = data_of(event), event["kind"] == ALLOWED
    texts = {name: str(data.get(name) or "") for name in ("rule", "act", "target", "tool")}
    return Decision(
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
