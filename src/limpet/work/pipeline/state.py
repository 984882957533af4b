"""Reads the pipeline's state from the session: the current step, the record of each agent and its gate, and whether the
seals of its evidence hold."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps
from limpet.ground.text.folding import fold
from limpet.ground.trust.signed import sign
from limpet.ground.values import Value
from limpet.work.pipeline.workflow import Workflow, WorkflowStep

PENDING, IN_PROGRESS, COMPLETED = "pending", "in_progress", "completed"
SKIPPED, REVALIDATE = "skipped", "needs_revalidation"
FINISHED = (COMPLETED, SKIPPED)
AUTOMATIC, BACKWARD, OVERRIDDEN = "automatic", "backward", "override"
"""Why a run went from one step to another."""
Session = Mapping[str, Any]

NONE, CLAIMED, VERIFIED = "none", "claimed", "verified"
SEALED_RUN = ("check", "command", "exit_code", "digest", "tree", "timestamp")
SEALED_FINISH = ("score", "evidence", "tree", "timestamp")
# Of a finish, where there are any: the number of criteria of which nothing was shown, and how a person let it pass
# without a check, and without a change since the work came back.
CLAIMS, WORD, UNCHANGED = "claims", "word", "unchanged"
UNMENDED = "nothing changed since the work came back"
WORK = "{work}"
_LONGEST = 20


def current_step(session: Session, workflow: Workflow) -> WorkflowStep | None:
    """Return the step in progress, else the first unfinished one; None when all are finished."""
    running = (step for step in workflow.steps if status_of(session, step.agent) == IN_PROGRESS)
    return next(running, None) or next_step(session, workflow)


def require_step(session: Session, workflow: Workflow) -> WorkflowStep:
    step = current_step(session, workflow)
    if step is None:
        hint = "To start another, run: limpet work start WORKFLOW"
        raise LimpetError("The pipeline is complete", workflow.name, hint)
    return step


def next_step(session: Session, workflow: Workflow, after: str = "") -> WorkflowStep | None:
    """Return the first unfinished step but that of the agent ``after``."""
    steps = (step for step in workflow.steps if step.agent != after)
    return next((step for step in steps if status_of(session, step.agent) not in FINISHED), None)


def record_of(session: Session, agent: str) -> Mapping[str, Any]:
    agents = session.get("agents")
    record = agents.get(agent) if isinstance(agents, dict) else None
    return record if isinstance(record, dict) else {}


def status_of(session: Session, agent: str) -> str:
    return str(record_of(session, agent).get("status") or PENDING)


def score_of(session: Session, agent: str) -> float | None:
    score = record_of(session, agent).get("score")
    return score if isinstance(score, (int, float)) else None


def gate_of(session: Session, agent: str) -> Mapping[str, Any]:
    gates = session.get("gates")
    gate = gates.get(agent) if isinstance(gates, dict) else None
    return gate if isinstance(gate, dict) else {}


def runs_of(session: Session, agent: str) -> list[dict[str, Any]]:
    """Return the commands run for its gate in this round, as the session has them: nothing says yet that they count."""
    runs = gate_of(session, agent).get("evidence")
    return [run for run in runs if isinstance(run, dict)] if isinstance(runs, list) else []


def state_of(session: Session) -> str:
    """Return "" before any work; ``clarity`` is plan."""
    project = session.get("project")
    state = str(project.get("state") or "") if isinstance(project, dict) else ""
    return "plan" if state == "clarity" else state


def run_of(session: Session) -> str:
    return str(session.get("run") or "")


def story_of(task: object) -> str:
    """Return the id of the story that a task stands for, or would: its own id, else its title; "" for no task."""
    return str(task.get("id") or task.get("title") or "") if isinstance(task, dict) else str(task or "")


def task_title(task: object) -> str:
    return str(task.get("title") or task.get("id") or "") if isinstance(task, dict) else str(task or "")


class Move(Value):
    """The result of one rule of the pipeline: ``changes`` as ``change_project`` takes them, ``kind`` and ``data`` for
    the audit log (no kind is no event), ``message`` what was done, in a sentence."""

    changes: dict[Any, Any]
    kind: str = ""
    data: dict[str, Any] = {}
    message: str = ""


class Limits(Value):
    """``gate``: the least score in percent, where nothing else sets one. ``loops``: an agent's rounds of correction."""

    gate: float
    loops: int


def read_limits(settings: Mapping[str, Any]) -> Limits:
    """``settings`` are the whole configuration."""
    return Limits(gate=float(settings["work"]["gate"]), loops=int(settings["work"]["loops"]))


def agent_changes(session: Session, agent: str, **fields: Any) -> dict[Any, Any]:
    if isinstance((session.get("agents") or {}).get(agent), dict):
        return {("agents", agent, name): value for name, value in fields.items()}
    return {("agents", agent): {name: value for name, value in fields.items() if value is not None}}


def next_id(items: list[Any], prefix: str) -> str:
    """Return the id after the highest that is in use: ``BL-004``."""
    numbers = [str(item.get("id", "")).removeprefix(f"{prefix}-") for item in items if isinstance(item, dict)]
    return f"{prefix}-{max((int(number) for number in numbers if number.isdecimal()), default=0) + 1:03}"


def refuse_open_deviation(session: Session) -> None:
    for one in session.get("deviations") or ():
        if isinstance(one, dict) and not one.get("resolved"):
            name = one.get("id") or "a deviation"
            hint = "First run: limpet work deviate --resolve"
            raise LimpetError(f"Deviation {name} is open: {one.get('reason') or 'no reason given'}", "", hint)


def whole(number: float) -> float:
    """Return an int where the number is one, so that it is written and read back the same."""
    return int(number) if float(number).is_integer() else number


def percent(score: float) -> str:
    return f"{score:g}"


class Seals(Value):
    """What evidence is compared with. ``project``, ``key``: what seals are bound to; without a key nothing counts as
    sealed. ``checks``: name -> command line, without secrets. ``tree``: the digest of the working tree's content, ""
    where it was not computed: then nothing new is verified."""

    project: str = ""
    key: bytes = b""
    checks: Mapping[str, str] = {}
    tree: str = ""


def seal(session: Session, agent: str, fields: Mapping[str, Any], names: tuple[str, ...], seals: Seals) -> str:
    return seal_of(seals, *_bound(session, agent, fields, names))


def seal_of(seals: Seals, *bound: object) -> str:
    return sign(dumps([seals.project, *bound]).encode("utf-8", "surrogatepass"), seals.key)


def holds_seal(record: Mapping[str, Any], seals: Seals, *bound: object) -> bool:
    mark = record.get("seal")
    if not seals.key or not isinstance(mark, str) or not mark.isascii():
        return False
    return hmac.compare_digest(mark, seal_of(seals, *bound))


def finish_of(session: Session, agent: str, seals: Seals) -> dict[str, Any]:
    """Return the sealed finish of this round, with the fields of ``finish_names``; empty where there is none."""
    found = gate_of(session, agent).get("finish")
    if not isinstance(found, dict) or not _is_sealed(session, agent, found, finish_names(found), seals):
        return {}
    return found


def finish_names(finish: Mapping[str, Any]) -> tuple[str, ...]:
    return (*SEALED_FINISH, *(name for name in (CLAIMS, WORD, UNCHANGED) if name in finish))


def evidence_of(session: Session, agent: str, seals: Seals) -> str:
    """Return ``none``, ``claimed`` or ``verified``: of a step that is completed as it was when it passed."""
    if status_of(session, agent) == COMPLETED:
        passed = finish_of(session, agent, seals).get("evidence")
        if passed == VERIFIED:
            return VERIFIED
    elif seals.checks and seals.tree and not any(unproven(session, agent, seals)):
        return VERIFIED
    has_any = score_of(session, agent) is not None or runs_of(session, agent) or gate_of(session, agent).get("finish")
    return CLAIMED if has_any else NONE


def unproven(session: Session, agent: str, seals: Seals) -> Iterator[str]:
    """Yield for each configured check what its newest run of this round lacks."""
    for name, command in seals.checks.items():
        runs = [run for run in runs_of(session, agent) if run.get("check") == name and run.get("command") == command]
        sealed = [run for run in runs if _is_sealed(session, agent, run, SEALED_RUN, seals)]
        run = max(sealed, key=lambda run: str(run.get("timestamp")), default=None)
        if run is None:
            yield f"check {name} has not run"
        elif run.get("exit_code") != 0:
            yield f"check {name} failed with exit code {run.get('exit_code')}"
        elif seals.tree and run.get("tree") != seals.tree:
            yield f"files changed since check {name} ran"


def output_path(session: Session, step: WorkflowStep) -> str:
    """Return the path from the project's root, with ``/`` at its end for a folder; "" for none."""
    return step.output.replace(WORK, folder_of(session))


def folder_of(session: Session) -> str:
    agreed = session.get("agreement")
    folder = agreed.get("folder") if isinstance(agreed, dict) else None
    return folder if isinstance(folder, str) and folder else new_folder(session)


def new_folder(session: Session) -> str:
    """Return a name that no other run has: ``harbour-k3j4``, after project or workflow."""
    project = session.get("project")
    name = (project.get("name") if isinstance(project, dict) else None) or session.get("workflow") or "work"
    slug = re.sub(r"[^a-z0-9]+", "-", fold(str(name)))[:_LONGEST].strip("-") or "work"
    run = str(session.get("run") or "")[:4]
    return f"{slug}-{run}" if run else slug


def _is_sealed(session: Session, agent: str, record: Mapping[str, Any], names: tuple[str, ...], seals: Seals) -> bool:
    return holds_seal(record, seals, *_bound(session, agent, record, names))


def _bound(session: Session, agent: str, fields: Mapping[str, Any], names: tuple[str, ...]) -> tuple[object, ...]:
    rounds = int(record_of(session, agent).get("loops") or 0)
    return session.get("run") or "", agent, rounds, [fields.get(name) for name in names]
