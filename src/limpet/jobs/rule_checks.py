"""The job that checks rules by what the agent wrote, when it stops."""

from __future__ import annotations

from typing import Any

from limpet.ground.clock import seconds_of
from limpet.ground.workspace import Workspace
from limpet.operations.rules.checks import MOST_PLACES, CheckedTurn, check_turn


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Check and record; return ``found``: rule -> whether it is kept, and ``broken``: [key, rule, places] of those of
    which the agent is told, also where a check could not run.

    ``orders``: the fields of ``Turn``; ``since`` as ISO 8601.
    """
    judged = check_turn(workspace, CheckedTurn(**{**orders, "since": seconds_of(orders["since"])}))
    return {
        "found": {one.key: one.kept for one in judged if one.kept is not None},
        "broken": [[one.key, one.text, one.places[:MOST_PLACES]] for one in judged if one.tells and not one.kept],
    }
