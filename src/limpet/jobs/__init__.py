"""The jobs of the second process, a module each: ``run(workspace, orders) -> answer``.

``engine.worker`` starts the process, which has site-packages and time where the hook has neither. Orders come on stdin
and the answer goes to stdout, both as JSON.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from limpet.engine.record import record_crash
from limpet.ground.clock import Clock
from limpet.ground.event import Event
from limpet.ground.processes import Deadline
from limpet.ground.workspace import Workspace, workspace_at

# The jobs, a module each, and the seconds after which one is given up: nobody waits for it, and nobody would stop it.
# Those that read the whole index or whole conversations have the longest, and the one that waits for a model.
JOBS = {
    "refresh": 600,
    "capture": 300,
    "extract": 900,
    "catch_up": 600,
    "failure": 120,
    "command": 120,
    "lock": 60,
    "continuation": 60,
    "task": 60,
    "upkeep": 600,
    "tidy": 60,
    "rule_checks": 120,
}


def main(home: str, job: str) -> None:
    """Run a job for the ``.limpet`` folder ``home``; a failure goes into the metrics, nothing onto stderr."""
    workspace = workspace_at(os.path.dirname(os.path.abspath(home)))
    longest = JOBS[job]
    late = TimeoutError(f"timed out after {longest} s")
    with Deadline(longest, lambda: record_crash(workspace, Event(kind=f"job {job}", host=""), late, Clock())):
        _run(workspace, job)


def _run(workspace: Workspace, job: str) -> None:
    sys.addaudithook(
        _refuse_to_make({workspace.home, *({workspace.shared} if os.path.isdir(workspace.shared) else ())})
    )
    orders: dict[str, Any] = json.load(sys.stdin)
    try:
        answer = import_module(f"{__name__}.{job}").run(workspace, orders)
    except Exception as error:
        session = str(orders.get("session") or "")
        record_crash(workspace, Event(kind=f"job {job}", host="", session=session), error, Clock())
        sys.exit(1)
    with suppress(OSError):  # nobody may be waiting any more
        print(json.dumps(answer), flush=True)


def _refuse_to_make(homes: set[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """Return an audit hook that keeps a ``.limpet`` deleted which a person deletes while the job runs: it raises
    FileNotFoundError for whatever would make one of ``homes`` again."""

    def refuse(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "os.mkdir" and os.path.abspath(os.fsdecode(arguments[0])) in homes:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), arguments[0])

    return refuse
