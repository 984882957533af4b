"""The settings that act: they spend, run, delete, write or make people wait, so a file of the project sets them only
with the user's word on the exact value (decision 46)."""

from __future__ import annotations

KeyPath = tuple[str, ...]

ACTING: tuple[KeyPath, ...] = (
    ("recovery",),
    ("retention",),
    ("hosts",),
    ("context", "allowances_ms"),
    ("context", "total_ms"),
    ("rules", "checks"),
    ("rules", "check_seconds"),
    ("memory", "undo_days"),
    ("memory", "semantic"),
    ("memory", "capture_model"),
    ("memory", "extraction"),
    ("agents", "activation"),
    ("work", "lock", "instruction_file"),
    ("work", "checks"),
    ("work", "check_seconds"),
)
"""Sections and settings, by their key paths."""


def is_acting(path: KeyPath) -> bool:
    """Return whether the setting at a key path acts."""
    return any(path[: len(acting)] == acting for acting in ACTING)
