"""The figures that people look at: of the metrics that the hook recorded, of memories, of caches."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from contextlib import closing
from statistics import median
from typing import Any

from limpet.context.pipeline import STANDING
from limpet.ground.clock import seconds_of
from limpet.ground.config.mirror import mirror_path, read_mirror
from limpet.ground.event_log import event_data, read_events
from limpet.ground.workspace import Workspace
from limpet.memory.index.database import database_path
from limpet.memory.index.reading import counts, get_cards, know_tiers, open_index
from limpet.memory.model.entry import Card, Query
from limpet.memory.model.layout import Reader, owners
from limpet.operations.conversations import Line, newest_conversation, read_conversation, read_metrics
from limpet.operations.rules.view import count_rules_by_domain
from limpet.rules.plan.store import plan_state

FIELDS = ("id", "last_activity", "bracket", "usage", "prompt_count", "compactions", "overrides", "last", "history")
# More than this no shell shows.
OFFERED = 200
# A call is booked before it is made, so that one which never ends counts too.
LOG, CALL, OUTCOME = "extraction", "extraction.call", "extraction.outcome"


def summarize(lines: list[Line]) -> dict[str, Any]:
    """Times are milliseconds."""
    events, layers = defaultdict(list), defaultdict(list)
    left_out: Counter[str] = Counter()
    notes: Counter[str] = Counter()
    for line in lines:
        if "event" in line:
            events[str(line["event"])].append(line)
        for name, milliseconds in (line["layers"] if isinstance(line.get("layers"), dict) else {}).items():
            layers[name].append(milliseconds)
        left_out.update(f"{name}: {why}" for name, why in line.get("out", []) if why != STANDING)
        notes.update(line.get("notes", []))
    return {
        "lines": len(lines),
        "events": {kind: _event_figures(found) for kind, found in events.items()},
        "layers_ms": {name: _figures(found) for name, found in layers.items()},
        "left_out": dict(left_out.most_common()),
        "notes": dict(notes.most_common()),
        "crashes": [line for line in lines if "crash" in line],
    }


def _event_figures(lines: list[Line]) -> dict[str, Any]:
    tokens = [line["tokens"] for line in lines if "tokens" in line]
    milliseconds = [line["ms"] for line in lines if "ms" in line]
    sent = [one for one in tokens if one]
    figures = {"count": len(lines), "blocks": len(sent), "tokens": sum(sent), "largest": max(sent, default=0)}
    return {**figures, "ms": _figures(milliseconds) if milliseconds else None}


def _figures(values: list[float]) -> dict[str, float]:
    return {"median": round(median(values), 3), "max": round(max(values), 3)}


def hook_figures(workspace: Workspace, session: str, last: int, reader: Reader | None, now: float) -> dict[str, Any]:
    """``session``: "" for the newest conversation; ``reader``: who may see the memories, None for nobody."""
    conversation = read_conversation(workspace, session) if session else newest_conversation(workspace)
    loaded = (conversation or {}).get("history", {}).get("domains_last", [])
    from limpet.ground.config.settings import load_settings  # with YAML, which no hook has

    settings = load_settings(workspace)[0]["memory"]
    name = str(conversation["id"]) if session and conversation else ""
    mirror = mirror_path(workspace)
    mirrored = os.path.getsize(mirror) if os.path.exists(mirror) else 0  # reading makes it anew where it is old
    size, current = plan_state(workspace, str(read_mirror(workspace).settings["rules"]["match"]))
    return {
        "conversation": {name: conversation.get(name) for name in FIELDS} if conversation else None,
        "domains": [{**one.__dict__, "loaded_last": one.name in loaded} for one in count_rules_by_domain(workspace)],
        "metrics": summarize(read_metrics(workspace, last, name)),
        "memory": memory_figures(workspace, owners(reader), settings, now) if reader else {},
        "cache": {"folder": workspace.cache, "plan_bytes": size, "plan_current": current, "mirror_bytes": mirrored},
    }


def memory_figures(
    workspace: Workspace, owners: tuple[str, ...] | None, settings: dict[str, Any], now: float
) -> dict[str, Any]:
    """{} where there is no index. ``owners``: None for all; ``settings``: the configuration's section ``memory``."""
    index = open_index(workspace.shared)
    if index is None:
        return {}
    with closing(index):
        know_tiers(index, settings, now)
        return {**counts(index, owners), "index_bytes": os.path.getsize(database_path(workspace.shared))}


def offered_cards(workspace: Workspace, reader: Reader) -> tuple[Card, ...]:
    """The newest cards, archived ones too; none where there is no index."""
    index = open_index(workspace.shared)
    if index is None:
        return ()
    with closing(index):
        query = Query(owners=owners(reader), valid=False, states=("current", "archive"), limit=OFFERED)
        return tuple(get_cards(index, query))


def spent(workspace: Workspace, since: float) -> dict[str, Any]:
    """``since``: seconds since 1970; ``money``: US dollars; ``last``, ``outcome``: of the newest call."""
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
