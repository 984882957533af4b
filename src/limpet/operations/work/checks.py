"""What opens a gate: the configured checks, run here; what evidence names, looked for; and the terms of the run, agreed
to and kept."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from limpet.ground.clock import iso, seconds_of
from limpet.ground.config.settings import load_settings
from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.git import commit_times, content_ids
from limpet.ground.recording import record
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.files import write_if_possible
from limpet.ground.text.escaping import clip
from limpet.ground.trust.consent import find_consent
from limpet.ground.trust.signed import read_key, read_signed, signed_record
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.capture.outcomes import activity, same_command
from limpet.memory.signatures import find_error
from limpet.operations.approval import Obtain
from limpet.operations.commit import commit
from limpet.operations.project import Project, clean
from limpet.operations.work.facts import checks_of, move, output_digest, read_output, require_workflow, tree_of
from limpet.operations.work.situation import seals_of
from limpet.transcripts.registry import transcript_of
from limpet.work.checks import (
    LATE,
    Environment,
    agreed_environment,
    check_words,
    count_tests,
    keep_environment,
    propose_checks,
    run_check,
    tree_digest,
)
from limpet.work.outputs import lies_inside, path_of
from limpet.work.pipeline.gate import GATE_REFUSED
from limpet.work.pipeline.overview import (
    Agreement,
    agreement_changes,
    agreement_of,
    thresholds_of,
    weakened,
    workflow_digest,
)
from limpet.work.pipeline.records import CheckRun, add_checks
from limpet.work.pipeline.state import WORK, Move, Seals, Session, folder_of, new_folder, output_path
from limpet.work.pipeline.workflow import Workflow
from limpet.work.session import note_failed_check
from limpet.work.stories.evidence import is_done
from limpet.work.stories.store import iterate_stories
from limpet.work.stories.story import Story

FOLDER = "checks"
# In the worktree's state: the tree on which all checks passed last.
PASSED = "passed"
NO_TESTS = 5
"""The exit code of a check in which no test ran, as pytest gives it."""
# Names of variables that a line tells, and characters of an error.
_NAMED = 4
LONGEST_ERROR = 200
CLAIM = ""
FILE, STORY, CHECK, COMMAND = "file", "story", "check", "command"
_QUOTED = re.compile(r"`([^`]+)`")
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,7}$")


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


def run_checks(project: Project, agent: str, tell: Callable[[str], object] = lambda line: None) -> tuple[Checked, ...]:
    """Run every configured check and record the runs, sealed, for the gate of ``agent``, who is the current one; "" for
    no gate. Each is bound to the working tree as it was before it ran, and gets the environment in which the user
    agreed to it. One whose runner is known and in which no test ran counts as failed. ``tell`` is called with a line
    before each, and where one failed with a line on what its environment was without. Raises LimpetError, before any of
    them has run, for a command line that cannot be run."""
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
        runs.append(CheckRun(name, shown, code, ended.digest, tree))
        tail = clean(project, ended.tail.decode("utf-8", "replace"))
        path = os.path.join(workspace.cache, FOLDER, f"{safe_name(name)}.txt")
        output = path if write_if_possible(path, tail) else ""
        error = clip(find_error(tail)[0], LONGEST_ERROR) if code else ""
        done.append(Checked(name, shown, code, output, late=ended.exit_code == LATE, tests=tests, error=error))
    if (around.left_out or around.other_path) and any(one.exit_code for one in done):
        tell(_about(around))
    if any(one.exit_code for one in done):
        note_failed_check(workspace, project.caller.conversation)
    if runs and not any(run.exit_code or run.tree != runs[0].tree for run in runs):
        _keep_passed(project, runs[0].tree)
    if runs and agent:
        at = time.time()
        move(project, lambda session: add_checks(session, require_workflow(project), agent, runs, facts, at))
    return tuple(done)


def failures_of_tree(project: Project) -> list[str]:
    """What is wrong with the working tree as it is: the checks run, but where all of them passed on it already."""
    if not project.settings["work"]["checks"]:
        return []
    known = read_signed(project.workspace.kept(PASSED), PASSED) or {}
    if (known.get("tree"), known.get("checks")) == (tree_of(project), checks_of(project)):
        return []
    return failures(run_checks(project, ""))


def proposed_checks(workspace: Workspace) -> tuple[str, ...]:
    """As commands that set them, none where any is configured: a person who runs one agrees to the check."""
    if load_settings(workspace)[0]["work"]["checks"]:
        return ()
    found = propose_checks(workspace.root)
    return tuple(f'limpet config set work.checks.{name} "{line}"' for name, line in found.items())


def set_check(workspace: Workspace) -> str:
    """The command that sets one, with the project's own check where that is known."""
    return (*proposed_checks(workspace), 'limpet config set work.checks.tests "COMMAND"')[0]


def why_failed(one: Checked) -> str:
    return "ran no test" if one.tests == 0 else f"failed with exit code {one.exit_code}"


def failures(checks: Sequence[Checked]) -> list[str]:
    failed = ((one, f": {one.error}" if one.error else "") for one in checks if one.exit_code)
    return [f"check {one.name} (`{one.command}`) {why_failed(one)}{error}" for one, error in failed]


def record_refusal(project: Project, gate: str, reasons: Sequence[str]) -> None:
    """``gate``: named by its story or its agent. Nothing is recorded without a reason."""
    if reasons:
        actor = project.actor.replace(agent=project.caller.reader.agent or project.in_force.agent)
        record(project.workspace, actor, GATE_REFUSED, {"gate": gate, "reasons": list(reasons)})


class Proof:
    """What a project has that evidence may name; each kind is read when evidence is first looked at for it."""

    def __init__(self, project: Project, checks: Iterable[tuple[str, str]], builds: bool) -> None:
        """``checks``: (name, command line) of those that succeeded; ``builds``: whether stories are to be done in the
        step."""
        self._project = project
        self._checks = tuple(checks)
        self._builds = builds

    def kind_of(self, words: str) -> str:
        """Return FILE, STORY, CHECK or COMMAND, CLAIM where the evidence is none that could be found."""
        names = _names(words)
        if self._files(words):
            return FILE
        if names & self._stories:
            return STORY
        if any(name in names or line in words for name, line in self._checks):
            return CHECK
        said = {same_command(text) for text in (*_QUOTED.findall(words), words)}
        return COMMAND if said & self._commands else CLAIM

    def absent(self, words: str) -> str:
        """The path that the evidence names and that is not there, "" for none."""
        named = [text for text in (*_QUOTED.findall(words), words.strip()) if not any(map(str.isspace, text))]
        paths = (path_of(text) for text in named if _is_path(text))
        gone = (path for path in paths if path and not os.path.exists(self._place(path)))
        return next((path for path in gone if path not in self._known), "")

    def unchanged(self, evidence: Iterable[str], since: str) -> tuple[str, ...]:
        """The files that the evidence names and that are as they were at this moment; none for ""."""
        named: set[str] = set()
        for words in evidence:
            named.update(self._files(words))
        begun, root = seconds_of(since) if since else 0.0, self._project.workspace.root
        if not (named and begun):
            return ()
        ids, times = content_ids(root) or {}, commit_times(root, sorted(named), begun)

        def is_as_it_was(name: str) -> bool:
            is_committed = bool(ids.get(name)) and times is not None and name not in times
            return is_committed or os.path.getmtime(self._place(name)) < begun

        return tuple(filter(is_as_it_was, sorted(named)))

    def _files(self, words: str) -> list[str]:
        return [name for name in dict.fromkeys((path_of(words), *_names(words))) if os.path.isfile(self._place(name))]

    def _place(self, path: str) -> str:
        root = self._project.workspace.root
        return os.path.join(root, path) if _is_path(path) and lies_inside(root, path) else ""

    @property
    def _known(self) -> set[str]:
        return {line for _, line in self._checks} | self._commands

    @cached_property
    def _stories(self) -> set[str]:
        found = iterate_stories(self._project.workspace)
        return {name for name, story in found if isinstance(story, Story) and (is_done(story) or not self._builds)}

    @cached_property
    def _commands(self) -> set[str]:
        state, root = self._project.conversation, self._project.workspace.root
        reader, path = transcript_of(str(state.get("host") or "")), str(state.get("transcript") or "")
        if not reader or not path:
            return set()
        messages = reader.read_messages(path, reader.epoch_start(path), root=root)[0]
        runs = activity(messages).runs
        return {redact(run.command, known=self._project.secrets) for run in runs if not run.failing}


def begin_agreement(project: Project, session: Session, workflow: Workflow) -> dict[Any, Any]:
    """``session`` names the run. Checks for which no environment was kept get that of now."""
    workspace, folder = project.workspace, new_folder(session)
    if project.settings["work"]["checks"] and not agreed_environment(workspace, os.environ).since:
        keep_environment(workspace, os.environ, project.caller.now)
    outputs = {}
    for step in workflow.steps:
        content = read_output(workspace, output_path(session, step)) if step.output and WORK not in step.output else {}
        if content:
            outputs[step.agent] = output_digest(content)
    tree = tree_digest(workspace.root, folder)
    terms = _terms(project, session, workflow, folder).replace(tree=tree, outputs=outputs)
    return agreement_changes(session["run"], terms, seals_of(workspace))


def run_began(project: Project) -> str:
    agreed = agreement_of(project.session, seals_of(project.workspace))
    return agreed.timestamp if agreed else ""


def hold_agreement(project: Project, obtain: Obtain) -> None:
    """See to it that the run under way goes on under the terms that were agreed to: what asks for less now, and terms
    that are missing or were written by hand, count on a person's word only; what asks for more counts from now on.
    Raises LimpetError without that word, and where nothing can be sealed."""
    session, workflow, seals = project.session, require_workflow(project), seals_of(project.workspace)
    if not seals.key:
        hint = "Run it where your state folder is readable. For details, run: limpet doctor"
        raise LimpetError("Cannot read the key that signs evidence", "", hint)
    agreed = agreement_of(session, seals)
    now = _terms(project, session, workflow, folder_of(session))
    if agreed is None:
        checks = "; ".join(f"check {name}: {line}" for name, line in now.checks.items()) or "no checks"
        terms = f"{checks}; approved by you: {', '.join(now.approve) or 'nothing'}"
        obtain(f"Go on with this run of {workflow.name}, whose terms are not on record, under those of now: {terms}")
        _renew(project, now, seals, "terms of the run were not on record")
        return
    less = weakened(agreed.replace(checks={**agreed.checks, **_consented(project)}), now)
    if less:
        obtain(f"Go on with this run of {workflow.name} though it asks for less than when it began: {'; '.join(less)}")
    if less or _content(now) != _content(agreed):
        renewed = now.replace(tree=agreed.tree, outputs=agreed.outputs, timestamp=agreed.timestamp)
        _renew(project, renewed, seals, "; ".join(less))


def _about(around: Environment) -> str:
    names = ", ".join(around.left_out[:_NAMED])
    more = f" and {len(around.left_out) - _NAMED} more" if len(around.left_out) > _NAMED else ""
    parts = [f"without {names}{more}"] if names else []
    parts += ["with the PATH of then, not that of now"] if around.other_path else []
    again = 'to agree to those of now: limpet config set work.checks.NAME "COMMAND"'
    return f"checks run in the environment agreed to on {around.since}, {' and '.join(parts)} ({again})"


def _names(words: str) -> set[str]:
    return {word.lstrip(",;:()`'\"").rstrip(".,;:()`'\"") for word in words.split()}


def _is_path(text: str) -> bool:
    return _ENDING.search(text) is not None or ("/" in text and any(map(str.isalpha, text)))


def _keep_passed(project: Project, tree: str) -> None:
    key = read_key()
    if key is not None:
        record = {"tree": tree, "checks": checks_of(project)}
        write_if_possible(project.workspace.kept(PASSED), signed_record(record, PASSED, key))


def _terms(project: Project, session: Session, workflow: Workflow, folder: str) -> Agreement:
    return Agreement(
        folder=folder,
        workflow=workflow_digest(workflow),
        checks=checks_of(project),
        thresholds=thresholds_of(session, workflow, project.limits),
        approve=tuple(project.settings["work"]["approve"]),
        timestamp=iso(project.caller.now),
    )


def _consented(project: Project) -> dict[str, str]:
    consent = find_consent(project.workspace)
    lines = project.settings["work"]["checks"].items()
    return {
        name: clean(project, line) for name, line in lines if consent and consent.covers(f"work.checks.{name}", line)
    }


def _renew(project: Project, terms: Agreement, seals: Seals, reason: str) -> None:
    def decide(session: Session) -> Move:
        data = {"reason": reason, "checks": dict(terms.checks), "approve": list(terms.approve)}
        return Move(agreement_changes(str(session.get("run") or ""), terms, seals), "work.agreed", data)

    commit(project, decide)


def _content(terms: Agreement) -> tuple[object, ...]:
    return terms.workflow, dict(terms.checks), dict(terms.thresholds), terms.approve
