"""Runs the configured checks, keeps the end of their output, and proposes checks that a project may want."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.storage.files import write_atomic
from holdfast.ground.storage.names import safe_name
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.work.facts import seals_of
from holdfast.operations.work.pipeline import make, require_workflow
from holdfast.work.checks.proposal import propose_checks
from holdfast.work.checks.run import LATE, check_words, run_check
from holdfast.work.checks.tree import tree_digest
from holdfast.work.pipeline.evidence import Facts
from holdfast.work.pipeline.records import Run, add_checks
from holdfast.work.pipeline.view import current_step
from holdfast.work.pipeline.workflow import workflow_under_way
from holdfast.work.project import read_project

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
    workspace: Workspace,
    caller: Caller,
    agent: str,
    tell: Callable[[str], object] = lambda line: None,
    now: Callable[[], float] = time.time,
) -> tuple[Checked, ...]:
    """Run every configured check and record the runs, sealed, for the gate of ``agent``, who is the current one; "" for
    no gate.

    Each is bound to the working tree as it was before it ran. ``tell`` is called with a line before each. Raises
    HoldfastError, before any of them has run, for a check whose command line cannot be run.
    """
    work = load_settings(workspace)[0]["work"]
    for name, line in work["checks"].items():
        check_words(name, line)
    facts = _require_seal(workspace) if work["checks"] and agent else seals_of(workspace)
    runs, done = [], []
    for name, line in work["checks"].items():
        shown = without_secrets(workspace, line)
        tell(f"check {name}: {shown}")
        tree = tree_digest(workspace.root)
        ended = run_check(name, line, workspace.root, float(work["check_seconds"]))
        runs.append(Run(check=name, command=shown, exit_code=ended.exit_code, digest=ended.digest, tree=tree))
        output = _keep(workspace, name, ended.tail)
        late = ended.exit_code == LATE
        done.append(Checked(name=name, command=shown, exit_code=ended.exit_code, output=output, late=late))
    if runs and agent:
        at = now()
        make(
            workspace,
            caller.replace(now=at),
            lambda session: add_checks(session, require_workflow(workspace, session), agent, runs, facts, at),
        )
    return tuple(done)


def failed_checks(workspace: Workspace, caller: Caller) -> tuple[str, ...]:
    """Run every configured check, for the gate of the current step where a workflow is under way; return why those that
    failed did. Raise HoldfastError for a check that cannot be run."""
    session, _ = read_project(workspace)
    workflow = workflow_under_way(workspace, session)
    step = current_step(session, workflow) if workflow else None
    done = run_checks(workspace, caller, step.agent if step else "")
    return tuple(
        f"check {one.name} failed with exit code {one.exit_code} (output: {one.output or 'not kept'})"
        for one in done
        if one.exit_code
    )


def proposals(workspace: Workspace) -> tuple[str, ...]:
    """Return the command that sets each check that the project's files point to, none where any is configured: a person
    who runs it agrees to the check."""
    if load_settings(workspace)[0]["work"]["checks"]:
        return ()
    found = propose_checks(workspace.root)
    return tuple(f'holdfast config set work.checks.{name} "{line}"' for name, line in found.items())


def _require_seal(workspace: Workspace) -> Facts:
    facts = seals_of(workspace)
    if not facts.key:
        what = "Cannot read the key that signs evidence"
        raise HoldfastError(what, "", "Run it where your state folder is readable. For details, run: holdfast doctor")
    return facts


def _keep(workspace: Workspace, name: str, tail: bytes) -> str:
    path = os.path.join(workspace.cache, FOLDER, f"{safe_name(name)}.txt")
    try:
        write_atomic(path, without_secrets(workspace, tail.decode("utf-8", "replace")), follow=False)
    except OSError:
        return ""
    return path
