"""What extraction by a model cost, as the event log tells; ``extraction`` itself takes far more to import."""

from __future__ import annotations

from typing import Any

from limpet.ground.event_log.read import data_of, read_events
from limpet.ground.timestamps import seconds_of
from limpet.ground.workspace import Workspace

# A call is booked before it is made, so that one which never ends counts too.
LOG, CALL, OUTCOME = "extraction", "extraction.call", "extraction.outcome"


def spent(workspace: Workspace, since: float) -> dict[str, Any]:
    """Return what extraction cost since a time (seconds since 1970), as the hosts report it.

    ``calls``: how many were made. ``tokens_in``, ``tokens_out``. ``money``: US dollars.
    ``last``, ``outcome``: when the last one was made, and what came of it.
    """
    calls, outcomes = (
        [event for event in read_events(workspace.shared, kind, LOG) if is_since(event, since)]
        for kind in (CALL, OUTCOME)
    )
    totals = {name: sum(_number(data_of(event).get(name)) for event in outcomes) for name in ("in", "out", "usd")}
    newest, told = (max(events, key=lambda event: str(event.get("time")), default={}) for events in (calls, outcomes))
    return {
        "calls": len(calls),
        "tokens_in": int(totals["in"]),
        "tokens_out": int(totals["out"]),
        "money": round(totals["usd"], 6),
        "last": str(newest.get("time") or ""),
        "outcome": _outcome(data_of(told)) if told else "",
    }


def is_since(event: dict[str, Any], since: float) -> bool:
    """Return whether the event happened since a time."""
    return seconds_of(event.get("time")) >= int(since)


def _outcome(data: dict[str, Any]) -> str:
    if data.get("problem"):
        return f"failed: {data['problem']}"
    kept = sum(int(_number(data.get(name))) for name in ("added", "superseded"))
    return f"{kept} kept, {int(_number(data.get('dropped')))} dropped"


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
