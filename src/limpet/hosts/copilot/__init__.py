"""Copilot CLI: its events, tools and settings."""

from __future__ import annotations

import os

from limpet.transcripts.copilot import LOG, copilot_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOST = "copilot-cli"


def is_ours(payload: dict[str, Any]) -> bool:
    """Return whether a payload is Copilot CLI's: each has a time, and names its own log or no transcript at all."""
    named = payload.get("transcript_path") or payload.get("transcriptPath")
    return "timestamp" in payload and (not named or (isinstance(named, str) and named.endswith(LOG)))


def hook_places(root: str) -> tuple[str, ...]:
    folder = os.path.join(root, ".github", "copilot")
    project = (os.path.join(folder, name) for name in ("settings.local.json", "settings.json"))
    return (*project, os.path.join(copilot_home(), "settings.json"))
