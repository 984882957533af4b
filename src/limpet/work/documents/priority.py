"""Ranks the documents by what to do next: one action a session.

Broken before missing before the lowest score before the longest stale before the backlog; of equals the core types
first. The person decides.
"""

from __future__ import annotations

from collections.abc import Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.ground.values import Value
from limpet.work.documents.backlog import PRIORITIES
from limpet.work.documents.rubrics import load_rubrics
from limpet.work.documents.status import DocumentStatus

DIRECTED, VAGUE, UNPROMPTED = "directed", "vague", "unprompted"
MOST = {VAGUE: 3, UNPROMPTED: 1}
_ACTIONS = {"broken": "mend", "missing": "write", "draft": "evaluate", "wip": "evaluate", "stale": "evaluate"}
_DONE = 5


class Proposal(Value):
    """The next action on a document.

    ``action``: mend, write, evaluate, improve or backlog.
    ``key``: the document's.
    ``why``: the reason, for people.
    """

    action: str
    key: str
    why: str


def propose(statuses: Iterable[DocumentStatus], mode: str, target: str = "") -> tuple[Proposal, ...]:
    """Return the proposals for a mode: directed, one for the ``target``; vague, the first three; unprompted, the first.

    None where all is well. Raise LimpetError for a target that is not tracked.
    """
    ranked = rank_statuses(statuses)
    if mode != DIRECTED:
        return tuple(_proposal(one) for one in ranked if _rank(one)[0] < _DONE)[: MOST[mode]]
    known = {status.key: status for status in ranked}
    if target not in known:
        what = f"Document {target!r} is not tracked{nearest(target, known)}"
        raise LimpetError(what, hint="Run: limpet spec status")
    return (_proposal(known[target]),)


def for_agent(statuses: Iterable[DocumentStatus], agent: str) -> tuple[DocumentStatus, ...]:
    """Return the documents that an agent makes in a workflow; all of them without an agent."""
    made = {kind for kind, rubric in load_rubrics().items() if agent in rubric.agents}
    return tuple(status for status in statuses if not agent or status.type in made)


def rank_statuses(statuses: Iterable[DocumentStatus]) -> list[DocumentStatus]:
    """Return all of them, those that need work most first."""
    types = [*load_rubrics(), ""]

    def order(status: DocumentStatus) -> tuple[object, ...]:
        kind = types.index(status.type if status.type in types else "")
        return (*_rank(status), not status.core, status.state == "current", status.evaluated_at, kind, status.key)

    return sorted(statuses, key=order)


def _rank(status: DocumentStatus) -> tuple[int, float]:
    """Return (the class of what it needs, from the most urgent to _DONE; its place within the class)."""
    if status.state in ("broken", "missing"):
        return ("broken", "missing").index(status.state), 0
    if status.score < status.best:
        return 2, status.score
    if status.state != "current":
        return 3, status.evaluated_at
    return (4, PRIORITIES.index(status.need)) if status.need else (_DONE, 0)


def _proposal(status: DocumentStatus) -> Proposal:
    if status.state != "current":
        return Proposal(_ACTIONS[status.state], status.key, status.reason)
    if status.score < status.best:
        return Proposal("improve", status.key, f"level {status.score} of {status.max_score}")
    why = f"{status.need} priority in its backlog" if status.need else "no known problem"
    return Proposal("backlog" if status.need else "improve", status.key, why)
