"""The size limits of the documents' state: chat-spec's figures as settings, shared by the modules that keep to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.ground.config.defaults import DEFAULTS
from holdfast.ground.values import Value


class Limits(Value):
    """The most that the state may hold.

    ``backlog``: problems in the manifest.
    ``log``: lines of log in the manifest.
    ``hashes``: watched files that a detail names one by one.
    ``tokens``: estimated tokens of the lines that a session reads first.
    """

    backlog: int
    log: int
    hashes: int
    tokens: int


def read_limits(settings: Mapping[str, Any]) -> Limits:
    """Return the limits of a configuration."""
    found = settings["work"]["spec"]
    return Limits(backlog=found["backlog"], log=found["log"], hashes=found["hashes"], tokens=found["cold_start_tokens"])


STANDARD = read_limits(DEFAULTS)
"""Where nobody set others."""
