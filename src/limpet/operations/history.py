"""Reads the metrics that the hook recorded, and sums them up for people."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from statistics import median
from typing import Any

from limpet.context.pipeline import STANDING
from limpet.ground.config.mirror import mirror_path, read_mirror
from limpet.ground.config.settings import load_settings
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import Reader, owners
from limpet.operations.conversations import Line, newest_conversation, read_conversation, read_metrics
from limpet.operations.memory.figures import memory_figures
from limpet.operations.rules.view import listed_domains
from limpet.rules.plan.store import plan_state

FIELDS = ("id", "last_activity", "bracket", "usage", "prompt_count", "compactions", "overrides", "last", "history")


def summarize(lines: list[Line]) -> dict[str, Any]:
    """Return the figures in lines of metrics.

    ``lines``: their number.
    ``events``: by kind the count, tokens and milliseconds.
    ``layers_ms``: by layer median and maximum in milliseconds.
    ``left_out``, ``notes``: how often each occurred.
    ``crashes``: the lines of crashes, whole.
    """
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
    """Return conversation, domains, metrics of the ``last`` events, memories and caches.

    ``session`` is the conversation's id or its beginning, the newest one where it is empty; ``reader`` is who may see
    the memories, None for nobody. Raises LimpetError for an unknown conversation.
    """
    conversation = read_conversation(workspace, session) if session else newest_conversation(workspace)
    loaded = (conversation or {}).get("history", {}).get("domains_last", [])
    settings = load_settings(workspace)[0]["memory"]
    name = str(conversation["id"]) if session and conversation else ""
    return {
        "conversation": {name: conversation.get(name) for name in FIELDS} if conversation else None,
        "domains": [{**domain, "loaded_last": domain["name"] in loaded} for domain in listed_domains(workspace)],
        "metrics": summarize(read_metrics(workspace, last, name)),
        "memory": memory_figures(workspace, owners(reader), settings, now) if reader else {},
        "cache": _cache(workspace),
    }


def _cache(workspace: Workspace) -> dict[str, Any]:
    mirror = mirror_path(workspace)
    before = os.path.getsize(mirror) if os.path.exists(mirror) else 0  # reading makes it anew where it is old
    size, current = plan_state(workspace, str(read_mirror(workspace).settings["rules"]["match"]))
    return {"folder": workspace.cache, "plan_bytes": size, "plan_current": current, "mirror_bytes": before}
