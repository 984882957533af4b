"""The settings that act: they spend, run, delete, write, make people wait or loosen the guard, so a file of the project
sets them only with the user's word on the exact value (decision 46)."""

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
    ("memory", "capture_model"),
    ("memory", "extraction"),
    ("agents", "activation"),
    ("work", "gate"),
    ("work", "approve"),
    ("work", "lock", "instruction_file"),
    ("work", "checks"),
    ("work", "check_seconds"),
    ("guard",),
)
"""Sections and settings, by their key paths."""

TIGHTENING: tuple[tuple[KeyPath, object], ...] = (
    (("guard", "permission"), "explore"),
    (("guard", "unclear"), "deny"),
    (("guard", "rules"), True),
)
"""Values of sections and settings that act which only make the guard stricter, and so need nobody's word."""


def is_acting(path: KeyPath, value: object) -> bool:
    """Return whether a value of the setting at a key path acts."""
    for strict, wanted in TIGHTENING:
        if path[: len(strict)] == strict and value == wanted:
            return False
    return any(path[: len(acting)] == acting for acting in ACTING)
