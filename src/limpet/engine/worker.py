"""Work that the hook hands to a second process: what reads YAML and Markdown, writes memories, or may take its time.

The hook runs without site-packages and never waits long; the second process has both, and goes on where the hook
could not wait for it. ``jobs`` is what it runs.
"""

from __future__ import annotations

from limpet.ground.formats.json_text import dumps, loads
from limpet.ground.processes import own_command
from limpet.ground.spawned import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.ground.clock import Patience
    from limpet.ground.spawned import OpenedProcess, Spawned
    from limpet.ground.workspace import Workspace


def start_job(workspace: Workspace, job: str, given: dict[str, Any]) -> None:
    """Start a job and go; a machine that refuses costs the job."""
    _start(workspace, job, given, answered=False)


def run_job(workspace: Workspace, job: str, given: dict[str, Any], patience: Patience) -> dict[str, Any] | None:
    """None where the job fails or is late; it is not broken off then."""
    return run_jobs(workspace, (job,), given, patience)[0]


def run_jobs(
    workspace: Workspace, jobs: tuple[str, ...], given: dict[str, Any], patience: Patience
) -> list[dict[str, Any] | None]:
    """Jobs run side by side."""
    processes = [_start(workspace, job, given, answered=True) for job in jobs]
    return [_answer_of(process, patience) for process in processes]


def run_command(workspace: Workspace, words: tuple[str, ...], patience: Patience) -> str | None:
    """None where it fails or is late."""
    process = _launch(own_command("limpet.__main__", *words), workspace.root, b"", answered=True)
    raw = _output_of(process, patience)
    return None if raw is None else raw.decode("utf-8", "replace")


def start_module(workspace: Workspace, module: str, *words: str) -> None:
    _launch(own_command(module, *words), workspace.root, b"", answered=False)


def _answer_of(process: Spawned | OpenedProcess | None, patience: Patience) -> dict[str, Any] | None:
    raw = _output_of(process, patience)
    try:
        answer = None if raw is None else loads(raw.decode("utf-8", "replace"))
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _output_of(process: Spawned | OpenedProcess | None, patience: Patience) -> bytes | None:
    try:
        return process.read_output(patience) if process else None
    except (OSError, ValueError):
        return None


def _start(workspace: Workspace, job: str, given: dict[str, Any], answered: bool) -> Spawned | OpenedProcess | None:
    command = own_command("limpet.jobs", workspace.home, job, workspace.state)
    try:
        orders = dumps(given).encode("utf-8", "surrogatepass")
    except ValueError:
        return None
    return _launch(command, workspace.root, orders, answered)


def _launch(command: list[str], root: str, given: bytes, answered: bool) -> Spawned | OpenedProcess | None:
    try:
        return spawn(command, root, given, answered)
    except (OSError, ValueError):
        return None
