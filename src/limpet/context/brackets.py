"""Brackets: how much of the window remains decides which layers speak, how much, and which memory comes along."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMES = ("FRESH", "MODERATE", "DEPLETED", "CRITICAL")


def bracket_of(remaining: float, settings: dict[str, Any]) -> str:
    """Return the bracket at ``remaining`` percent of the window (chati.dev V7.1 section 3.1)."""
    floors = settings["brackets"]
    return next((name for name in NAMES[:3] if remaining >= floors[name]), "CRITICAL")


def active_layers(bracket: str, executor: str, settings: dict[str, Any]) -> tuple[str, ...]:
    """Return the layers that a bracket and an executor both allow; what the user typed (L7) always speaks."""
    allowed = settings["executors"].get(executor, settings["executors"]["agent"])["layers"]
    return tuple(layer for layer in settings["layers"][bracket] if layer in allowed or layer == "L7")


def memory_level(bracket: str, executor: str, settings: dict[str, Any]) -> str:
    """Return none, relevant, metadata, chunks or full (chati.dev V7.1, Context Engine and memory layer)."""
    wants = settings["executors"].get(executor, settings["executors"]["agent"])["memory"]
    return str(settings["memory"][bracket]) if wants else "none"
