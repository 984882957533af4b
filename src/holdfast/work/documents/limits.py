"""How much the state may hold and say: chat-spec's sizes as settings, apart from what keeps to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.config.defaults import DEFAULTS
from holdfast.ground.values import Value


class Limits(Value):
    """The most problems and lines of log in the manifest, and the most tokens of what a session reads first."""

    backlog: int
    log: int
    tokens: int


def read_limits(settings: Mapping[str, Any]) -> Limits:
    """Return the limits of a configuration."""
    found = settings["work"]["spec"]
    return Limits(backlog=found["backlog"], log=found["log"], tokens=found["cold_start_tokens"])


STANDARD = read_limits(DEFAULTS)
"""Where nobody set others."""
