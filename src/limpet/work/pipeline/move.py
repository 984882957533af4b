"""The result of a pipeline rule: changes for the session, an event for the audit log, words for people.

Separate from the rules, because every one of them returns it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value

Session = Mapping[str, Any]


class Move(Value):
    """The result of one rule of the pipeline.

    ``changes``: as ``work.project.change_project`` takes them.
    ``kind``, ``data``: the event for the audit log; no kind is none.
    ``message``: what was done, in a sentence.
    """

    changes: dict[Any, Any]
    kind: str = ""
    data: dict[str, Any] = {}
    message: str = ""


class Limits(Value):
    """The configured limits of a gate.

    ``gate``: the least score in percent, where nothing else sets one.
    ``loops``: the rounds of correction that an agent has.
    """

    gate: float
    loops: int


def read_limits(settings: Mapping[str, Any]) -> Limits:
    """Return the limits that the whole configuration sets."""
    return Limits(gate=float(settings["work"]["gate"]), loops=int(settings["work"]["loops"]))


def agent_changes(session: Session, agent: str, **fields: Any) -> dict[Any, Any]:
    """Return the changes that give an agent's record these fields, its others kept; None clears one."""
    if isinstance((session.get("agents") or {}).get(agent), dict):
        return {("agents", agent, name): value for name, value in fields.items()}
    return {("agents", agent): {name: value for name, value in fields.items() if value is not None}}


def next_id(items: list[Any], prefix: str) -> str:
    """Return the id after the highest that is in use: ``BL-004``."""
    numbers = [str(item.get("id", "")).removeprefix(f"{prefix}-") for item in items if isinstance(item, dict)]
    return f"{prefix}-{max((int(number) for number in numbers if number.isdecimal()), default=0) + 1:03}"


def refuse_open_deviation(session: Session) -> None:
    """Raise LimpetError while a deviation interrupts the work."""
    for one in session.get("deviations") or ():
        if isinstance(one, dict) and not one.get("resolved"):
            name = one.get("id") or "a deviation"
            hint = "First run: limpet work deviate --resolve"
            raise LimpetError(f"Deviation {name} is open: {one.get('reason') or 'no reason given'}", "", hint)


def whole(number: float) -> float:
    """Return the number as an int where it is one, so that it is written and read back the same."""
    return int(number) if float(number).is_integer() else number


def percent(score: float) -> str:
    """Return the number without needless places: ``97`` or ``97.5``."""
    return f"{score:g}"
