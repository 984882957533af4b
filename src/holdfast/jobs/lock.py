"""The session lock from the hook: what ``/holdfast`` and an exit in words do, and the lines that answer them."""

from __future__ import annotations

from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.access import PERSON
from holdfast.operations.caller import Caller, Surroundings
from holdfast.operations.work.lock import explain, leave, resume, show

VERBS = {"resume": resume, "exit": leave, "status": show, "help": explain}


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """``orders``: ``do`` (resume, exit, status, help), ``by``, ``now``, ``session``, ``language``. The answer:
    ``lines`` for the person, whether the lock ``changed``, and the ``lock`` as it is now, which is left out where
    something went wrong; what did is one of the lines."""
    caller = Caller(
        reader=PERSON,
        by=str(orders["by"]),
        now=float(orders["now"]),
        surroundings=Surroundings(conversation=str(orders.get("session") or "")),
        language=str(orders.get("language") or ""),
    )
    try:
        turned = VERBS[orders["do"]](workspace, caller)
    except HoldfastError as error:
        return {"lines": [f"Nothing was changed: {error}"], "changed": False}
    return {"lines": list(turned.lines), "changed": turned.changed, "lock": turned.session.get("lock")}
