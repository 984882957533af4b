"""Figures of what the hook did lately, for ``limpet debug``."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.config.mirror import mirror_path, read_mirror
from limpet.ground.config.settings import load_settings
from limpet.ground.workspace import Workspace
from limpet.memory.model.access import Reader, owners
from limpet.operations.conversations import newest_conversation, read_conversation
from limpet.operations.history import read_metrics, summarize
from limpet.operations.memory.figures import memory_figures
from limpet.operations.rules.view import list_domains
from limpet.rules.plan.store import plan_state

FIELDS = ("id", "last_activity", "bracket", "usage", "prompt_count", "compactions", "overrides", "last", "history")


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
        "domains": [{**domain, "loaded_last": domain["name"] in loaded} for domain in list_domains(workspace)],
        "metrics": summarize(read_metrics(workspace, last, name)),
        "memory": memory_figures(workspace, owners(reader), settings, now) if reader else {},
        "cache": _cache(workspace),
    }


def _cache(workspace: Workspace) -> dict[str, Any]:
    mirror = mirror_path(workspace)
    before = os.path.getsize(mirror) if os.path.exists(mirror) else 0  # reading makes it anew where it is old
    size, current = plan_state(workspace, str(read_mirror(workspace).settings["rules"]["match"]))
    return {"folder": workspace.cache, "plan_bytes": size, "plan_current": current, "mirror_bytes": before}
