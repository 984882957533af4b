"""Runs the configured checks, keeps the end of their output, and proposes checks that a project may want."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.event_log.record import record
from limpet.ground.storage.files import write_if_possible
from limpet.ground.storage.names import safe_name
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.gotchas.signatures import find_error
from limpet.operations.project import Project, clean
from limpet.operations.work.gate.facts import seals_of, tree_of
from limpet.operations.work.pipeline import move, require_workflow
from limpet.work.checks.environment import Environment, agreed_environment
from limpet.work.checks.proposal import propose_checks
from limpet.work.checks.run import LATE, check_words, run_check
from limpet.work.checks.runners import count_tests
from limpet.work.pipeline.records import Run, add_checks
from limpet.work.session import note_failed_check

FOLDER, REFUSED = "checks", "work.refused"
NO_TESTS = 5
"""The exit code of a check in which no test ran, as pytest gives it."""
# Names of variables that a line tells, and characters of an error.
_NAMED = 4
LONGEST_ERROR = 200


class Checked(Value):
    """A check that was run.

    ``output``: the path of the file that holds the last part of what it printed, "" where none could be written.
    ``late``: whether it was ended because it took too long.
    ``tests``: how many tests ran, None where its runner is not known.
    ``error``: the line of its output that says what went wrong, without secrets, "" for none.
    """

    name: str
    command: str
    exit_code: int
    output: str
    late: bool
    tests: int | None = None
    error: str = ""


def run_checks(
    project: Project,
    agent: str,
    tell: Callable[[str], object] = lambda line: None,
    now: Callable[[], float] = time.time,
) -> tuple[Checked, ...]:
    """Run every configured check and record the runs, sealed, for the gate of ``agent``, who is the current one; "" for
    no gate.

    Each is bound to the working tree as it was before it ran, and gets the environment in which the user agreed to it.
    One whose runner is known and in which no test ran counts as failed. ``tell`` is called with a line before each, and
    where one failed with a line on what its environment was without. Raises LimpetError, before any of them has run,
    for a check whose command line cannot be run.
    """
    workspace, work = project.workspace, project.settings["work"]
    around = agreed_environment(workspace, os.environ)
    for name, line in work["checks"].items():
        check_words(name, line, around.variables.get("PATH"))
    facts = seals_of(workspace)
    if work["checks"] and agent and not facts.key:
        hint = "Run it where your state folder is readable. For details, run: limpet doctor"
        raise LimpetError("Cannot read the key that signs evidence", "", hint)
    runs, done = [], []
    for name, line in work["checks"].items():
        shown = clean(project, line)
        tell(f"check {name}: {shown}")
        tree = tree_of(project)
        ended = run_check(name, line, workspace.root, float(work["check_seconds"]), around.variables)
        tests = count_tests(line, ended.tail.decode("utf-8", "replace"))
        code = NO_TESTS if tests == 0 and not ended.exit_code else ended.exit_code
        runs.append(Run(name, shown, code, ended.digest, tree))
        tail = clean(project, ended.tail.decode("utf-8", "replace"))
        output, error = _keep(project, name, tail), clip(find_error(tail)[0], LONGEST_ERROR) if code else ""
        done.append(Checked(name, shown, code, output, late=ended.exit_code == LATE, tests=tests, error=error))
    if (around.left_out or around.other_path) and any(one.exit_code for one in done):
        tell(_about(around))
    if any(one.exit_code for one in done):
        note_failed_check(workspace, project.caller.conversation)
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
    return tuple(f'limpet config set work.checks.{name} "{line}"' for name, line in found.items())


def why_failed(one: Checked) -> str:
    """Return how a check failed: ``ran no test``, else its exit code."""
    return "ran no test" if one.tests == 0 else f"failed with exit code {one.exit_code}"


def failures(checks: Sequence[Checked]) -> list[str]:
    """Return a line for each check that failed, with its command and the error where its output tells one."""
    failed = ((one, f": {one.error}" if one.error else "") for one in checks if one.exit_code)
    return [f"check {one.name} (`{one.command}`) {why_failed(one)}{error}" for one, error in failed]


def record_refusal(project: Project, gate: str, reasons: Sequence[str]) -> None:
    """Record that a gate, named by its story or its agent, refused for these reasons; nothing without any."""
    if reasons:
        actor = project.actor.replace(agent=project.caller.reader.agent or project.in_force.agent)
        record(project.workspace, actor, REFUSED, {"gate": gate, "reasons": list(reasons)})


def _about(around: Environment) -> str:
    """Return a line on how the environment of the checks differs from the present one."""
    names = ", ".join(around.left_out[:_NAMED])
    more = f" and {len(around.left_out) - _NAMED} more" if len(around.left_out) > _NAMED else ""
    parts = [f"without {names}{more}"] if names else []
    parts += ["with the PATH of then, not that of now"] if around.other_path else []
    again = "to agree to those of now: limpet config set work.checks.NAME COMMAND"
    return f"checks run in the environment agreed to on {around.since}, {' and '.join(parts)} ({again})"


def _keep(project: Project, name: str, tail: str) -> str:
    path = os.path.join(project.workspace.cache, FOLDER, f"{safe_name(name)}.txt")
    return path if write_if_possible(path, tail) else ""
