"""Runs the configured checks, keeps the end of their output, and proposes checks that a project may want."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.storage.files import write_atomic
from holdfast.ground.storage.names import safe_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.project import Project, clean
from holdfast.operations.work.facts import seals_of
from holdfast.operations.work.pipeline import move, require_workflow
from holdfast.work.checks.proposal import propose_checks
from holdfast.work.checks.run import LATE, check_words, run_check
from holdfast.work.checks.tree import tree_digest
from holdfast.work.pipeline.records import Run, add_checks

FOLDER = "checks"


class Checked(Value):
    """A check that was run.

    ``output``: the path of the file that holds the last part of what it printed, "" where none could be written.
    ``late``: whether it was ended because it took too long.
    """

    name: str
    command: str
    exit_code: int
    output: str
    late: bool


def run_checks(
    project: Project,
    agent: str,
    tell: Callable[[str], object] = lambda line: None,
    now: Callable[[], float] = time.time,
) -> tuple[Checked, ...]:
    """Run every configured check and record the runs, sealed, for the gate of ``agent``, who is the current one; "" for
    no gate.

    Each is bound to the working tree as it was before it ran. ``tell`` is called with a line before each. Raises
    HoldfastError, before any of them has run, for a check whose command line cannot be run.
    """
    workspace, work = project.workspace, project.settings["work"]
    for name, line in work["checks"].items():
        check_words(name, line)
    facts = seals_of(workspace)
    if work["checks"] and agent and not facts.key:
        hint = "Run it where your state folder is readable. For details, run: holdfast doctor"
        raise HoldfastError("Cannot read the key that signs evidence", "", hint)
    runs, done = [], []
    for name, line in work["checks"].items():
        shown = clean(project, line)
        tell(f"check {name}: {shown}")
        tree = tree_digest(workspace.root)
        ended = run_check(name, line, workspace.root, float(work["check_seconds"]))
        runs.append(Run(name, shown, ended.exit_code, ended.digest, tree))
        output = _keep(project, name, ended.tail)
        done.append(Checked(name, shown, ended.exit_code, output, late=ended.exit_code == LATE))
    if runs and agent:
        at = now()
        move(project, lambda session: add_checks(session, require_workflow(project), agent, runs, facts, at))
    return tuple(done)


def proposals(workspace: Workspace) -> tuple[str, ...]:
    """Return the command that sets each check that the project's files point to, none where any is configured: a person
    who runs it agrees to the check."""
    if load_settings(workspace)[0]["work"]["checks"]:
        return ()
    found = propose_checks(workspace.root)
    return tuple(f'holdfast config set work.checks.{name} "{line}"' for name, line in found.items())


def _keep(project: Project, name: str, tail: bytes) -> str:
    path = os.path.join(project.workspace.cache, FOLDER, f"{safe_name(name)}.txt")
    try:
        write_atomic(path, clean(project, tail.decode("utf-8", "replace")), follow=False)
    except OSError:
        return ""
    return path
