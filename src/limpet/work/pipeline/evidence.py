"""The evidence of a gate: runs of checks and the finish of a step, sealed with the user's key, and what they prove."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterator, Mapping
from typing import Any

from limpet.ground.formats.json_text import dumps
from limpet.ground.text.words import fold
from limpet.ground.trust.signed import sign
from limpet.ground.values import Value
from limpet.work.pipeline.state import COMPLETED, Session, gate_of, record_of, runs_of, score_of, status_of
from limpet.work.pipeline.workflow import WorkflowStep

NONE, CLAIMED, VERIFIED = "none", "claimed", "verified"
SEALED_RUN = ("check", "command", "exit_code", "digest", "tree", "timestamp")
SEALED_FINISH = ("score", "evidence", "tree", "timestamp")
# Of a finish, where there are any: the number of criteria of which nothing was shown, and how a person let it pass
# without a check.
CLAIMS, WORD = "claims", "word"
WORK = "{work}"
_LONGEST = 20


class Seals(Value):
    """What evidence is compared with.

    ``project``, ``key``: what seals are bound to; without a key nothing counts as sealed.
    ``checks``: the configured checks, name -> command line, without secrets.
    ``tree``: the digest of the working tree's content, "" where it was not computed: then nothing new is verified.
    """

    project: str = ""
    key: bytes = b""
    checks: Mapping[str, str] = {}
    tree: str = ""


def seal(session: Session, agent: str, fields: Mapping[str, Any], names: tuple[str, ...], seals: Seals) -> str:
    """Return the seal of a record's fields: of this project, run, agent and round."""
    return seal_of(seals, *_bound(session, agent, fields, names))


def seal_of(seals: Seals, *bound: object) -> str:
    """Return the seal that binds these values to the project and the user's key."""
    return sign(dumps([seals.project, *bound]).encode("utf-8", "surrogatepass"), seals.key)


def holds_seal(record: Mapping[str, Any], seals: Seals, *bound: object) -> bool:
    mark = record.get("seal")
    if not seals.key or not isinstance(mark, str) or not mark.isascii():
        return False
    return hmac.compare_digest(mark, seal_of(seals, *bound))


def finish_of(session: Session, agent: str, seals: Seals) -> dict[str, Any]:
    """Return the step's sealed finish of this round (score, evidence, tree, timestamp, and what else ``finish_names``
    has), empty where there is none."""
    found = gate_of(session, agent).get("finish")
    if not isinstance(found, dict) or not _is_sealed(session, agent, found, finish_names(found), seals):
        return {}
    return found


def finish_names(finish: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the fields of a finish that its seal binds."""
    return (*SEALED_FINISH, *(name for name in (CLAIMS, WORD) if name in finish))


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
        run = _newest(session, agent, name, command, seals)
        if run is None:
            yield f"check {name} has not run"
        elif run.get("exit_code") != 0:
            yield f"check {name} failed with exit code {run.get('exit_code')}"
        elif seals.tree and run.get("tree") != seals.tree:
            yield f"files changed since check {name} ran"


def output_path(session: Session, step: WorkflowStep) -> str:
    """Return the path of the step's output from the project's root, with ``/`` at its end for a folder; "" for none."""
    return step.output.replace(WORK, folder_of(session))


def folder_of(session: Session) -> str:
    """Return the name of the run's folder, as it was when the run began."""
    agreed = session.get("agreement")
    folder = agreed.get("folder") if isinstance(agreed, dict) else None
    return folder if isinstance(folder, str) and folder else new_folder(session)


def new_folder(session: Session) -> str:
    """Return a name for the run's folder that no other run has: ``harbour-k3j4``, after project or workflow."""
    project = session.get("project")
    name = (project.get("name") if isinstance(project, dict) else None) or session.get("workflow") or "work"
    slug = re.sub(r"[^a-z0-9]+", "-", fold(str(name)))[:_LONGEST].strip("-") or "work"
    run = str(session.get("run") or "")[:4]
    return f"{slug}-{run}" if run else slug


def _newest(session: Session, agent: str, name: str, command: str, seals: Seals) -> dict[str, Any] | None:
    runs = [run for run in runs_of(session, agent) if run.get("check") == name and run.get("command") == command]
    sealed = [run for run in runs if _is_sealed(session, agent, run, SEALED_RUN, seals)]
    return max(sealed, key=lambda run: str(run.get("timestamp")), default=None)


def _is_sealed(session: Session, agent: str, record: Mapping[str, Any], names: tuple[str, ...], seals: Seals) -> bool:
    return holds_seal(record, seals, *_bound(session, agent, record, names))


def _bound(session: Session, agent: str, fields: Mapping[str, Any], names: tuple[str, ...]) -> tuple[object, ...]:
    rounds = int(record_of(session, agent).get("loops") or 0)
    return session.get("run") or "", agent, rounds, [fields.get(name) for name in names]
