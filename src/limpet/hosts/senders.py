"""Tells which host really sent an event: some run the hooks of another one's settings too (decision 12)."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLAUDE, COPILOT = "claude-code", "copilot-cli"


def find_sender(host: str, payload: dict[str, Any]) -> str:
    """Return the host that sent the payload to a hook line of ``host``, "" where its own hooks hear the event as well.

    Copilot CLI runs Claude Code's lines beside its own, and nothing in a payload tells which of them it was.
    """
    if host != CLAUDE or "timestamp" not in payload:
        return host
    from limpet.hosts.copilot import hook_places, is_ours

    if not is_ours(payload):
        return host
    root = os.environ.get("COPILOT_PROJECT_DIR") or str(payload.get("cwd") or os.getcwd())
    has_own = any(f" {COPILOT} " in (read_text(path, STATE_BYTES) or "") for path in hook_places(root))
    return "" if has_own else COPILOT
