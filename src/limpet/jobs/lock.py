"""The job that takes, lifts or shows the session lock, for ``/limpet`` and for an exit in words."""

from __future__ import annotations

from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.caller import Caller
from limpet.operations.project import Project, open_as
from limpet.operations.surroundings import Surroundings
from limpet.operations.work.lock import enter_project, explain_lock, leave, resume_project, show_lock

VERBS = {"enter": enter_project, "resume": resume_project, "exit": leave, "status": show_lock, "help": explain_lock}


def run(workspace: Workspace, orders: dict[str, Any]) -> dict[str, Any]:
    """Do it; return ``lines`` for the person, whether the lock ``changed``, and the ``lock`` as it is now.

    Where something went wrong a line says what, and ``lock`` is left out. ``orders``: ``do`` (enter, resume, exit,
    status, help), ``by`` for the audit log, ``now`` in seconds since 1970, and perhaps ``session`` and ``language``.
    """
    caller = Caller(
        reader=WHOLE_STORE,
        by=str(orders["by"]),
        now=float(orders["now"]),
        surroundings=Surroundings(conversation=str(orders.get("session") or "")),
        language=str(orders.get("language") or ""),
    )
    try:
        project = open_as(workspace, caller)
        done = VERBS[orders["do"]](project)
    except LimpetError as error:
        return {"lines": [f"Nothing was changed: {error}"], "changed": False}
    return {"lines": list(done.lines), "changed": done.changed, "lock": _lock(project)}


def _lock(project: Project) -> object:
    try:
        return project.session.get("lock")
    except LimpetError:
        return None
