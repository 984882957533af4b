"""What commands tell of the memories in figures: how many there are, which ids a shell offers, what extraction cost.

Separate from ``upkeep``, because status and shells only ask.
"""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.clock import seconds_of
from limpet.ground.event_log import event_data, read_events
from limpet.ground.workspace import Workspace
from limpet.memory.index.database import database_path
from limpet.memory.index.reading import counts, get_cards, know_tiers, open_index
from limpet.memory.model.entry import Card, Query
from limpet.memory.model.layout import Reader, owners

# More than this no shell shows.
OFFERED = 200
# A call is booked before it is made, so that one which never ends counts too.
LOG, CALL, OUTCOME = "extraction", "extraction.call", "extraction.outcome"


def memory_figures(
    workspace: Workspace, owners: tuple[str, ...] | None, settings: dict[str, Any], now: float
) -> dict[str, Any]:
    """Return counts by state, owner, type, sector, tier and storage, and ``index_bytes``; {} where there is no index.

    ``owners``: whose entries are counted, None for all. ``settings``: the configuration's section ``memory``.
    """
    index = open_index(workspace.shared)
    if index is None:
        return {}
    try:
        know_tiers(index, settings, now)
        return {**counts(index, owners), "index_bytes": os.path.getsize(database_path(workspace.shared))}
    finally:
        index.close()


def offered_cards(workspace: Workspace, reader: Reader) -> tuple[Card, ...]:
    """Return the newest cards that the reader may see, the archived ones too; none where there is no index."""
    index = open_index(workspace.shared)
    if index is None:
        return ()
    try:
        query = Query(owners=owners(reader), valid=False, states=("current", "archive"), limit=OFFERED)
        return tuple(get_cards(index, query))
    finally:
        index.close()


def spent(workspace: Workspace, since: float) -> dict[str, Any]:
    """Return what extraction cost since a time (seconds since 1970), as the hosts report it.

    ``calls``: how many were made. ``tokens_in``, ``tokens_out``. ``money``: US dollars.
    ``last``, ``outcome``: when the last one was made, and what came of it.
    """
    calls = [event for event in read_events(workspace.shared, CALL, LOG) if is_since(event, since)]
    outcomes = [event for event in read_events(workspace.shared, OUTCOME, LOG) if is_since(event, since)]
    told = _newest(outcomes)
    return {
        "calls": len(calls),
        "tokens_in": int(_sum(outcomes, "in")),
        "tokens_out": int(_sum(outcomes, "out")),
        "money": round(_sum(outcomes, "usd"), 6),
        "last": str(_newest(calls).get("time") or ""),
        "outcome": _outcome(event_data(told)) if told else "",
    }


def is_since(event: dict[str, Any], since: float) -> bool:
    """Return whether the event happened since a time."""
    return seconds_of(event.get("time")) >= int(since)


def _newest(events: list[dict[str, Any]]) -> dict[str, Any]:
    return max(events, key=lambda event: str(event.get("time")), default={})


def _sum(events: list[dict[str, Any]], name: str) -> float:
    return sum(_number(event_data(event).get(name)) for event in events)


def _outcome(data: dict[str, Any]) -> str:
    if data.get("problem"):
        return f"failed: {data['problem']}"
    kept = sum(int(_number(data.get(name))) for name in ("added", "superseded"))
    return f"{kept} kept, {int(_number(data.get('dropped')))} dropped"


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
