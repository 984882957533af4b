"""What a run of the synchronization did, as every door tells it. Separate from ``sync``, which does it."""

from __future__ import annotations

from collections.abc import Mapping

from limpet.ground.values import Value

# What is kept apart -> what people are told of it.
FORGED, GAP, NEWER, STRANGER = "forged", "gap", "newer", "stranger"


class SyncReport(Value):
    """``sent``, ``received``: revisions; ``changed``: entries that were written here. ``beside``: ids of versions that
    stayed beside the one that they clash with. ``apart``: what did not count -> how many. ``restored``: revisions that
    had gone from the store. ``deleted``: entries that were sent as deleted;
    ``in_history``: the store keeps what they said. ``offline``: why nothing could be sent; ``refused``: why the store
    takes nothing from here. ``told``: the names of those of these that people were told of before."""

    sent: int = 0
    received: int = 0
    changed: int = 0
    deleted: int = 0
    restored: int = 0
    beside: tuple[str, ...] = ()
    apart: Mapping[str, int] = {}
    in_history: bool = False
    offline: str = ""
    refused: str = ""
    told: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
