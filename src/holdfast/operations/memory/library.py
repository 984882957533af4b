"""The memories as a job may use them: whose they are, and at which moment."""

from __future__ import annotations

from typing import Any

from holdfast.ground.clock import Clock
from holdfast.ground.config.settings import load_settings
from holdfast.ground.workspace import Workspace
from holdfast.memory.library import Library
from holdfast.memory.model.access import Reader


def open_library(workspace: Workspace, orders: dict[str, Any], reader: Reader, writer: str) -> Library:
    """The library at the orders' moment ``now``, for their ``session``."""
    settings, _ = load_settings(workspace)
    now = float(orders["now"])
    return Library(
        workspace.shared,
        settings["memory"],
        settings["retention"],
        reader,
        writer,
        Clock(now=lambda: now),
        session=str(orders.get("session") or ""),
    )
