"""Copilot CLI: its events, tools and settings."""

from __future__ import annotations

from limpet.transcripts.copilot import LOG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HOST = "copilot-cli"


def is_ours(payload: dict[str, Any]) -> bool:
    """Return whether a payload is Copilot CLI's: each has a time, and names its own log or no transcript at all."""
    named = payload.get("transcript_path") or payload.get("transcriptPath")
    return "timestamp" in payload and (not named or (isinstance(named, str) and named.endswith(LOG)))
