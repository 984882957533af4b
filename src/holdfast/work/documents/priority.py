"""Ranks the documents by what to do next: one action a session.

Broken before missing before the lowest score before the longest stale before the backlog; of equals the core types
first. The person decides.
"""

from __future__ import annotations

from collections.abc import Iterable

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.schema import nearest
from holdfast.ground.values import Value
from holdfast.work.documents.backlog import PRIORITIES
from holdfast.work.documents.rubrics import load_rubrics
from holdfast.work.documents.status import Standing

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


def propose(standings: Iterable[Standing], mode: str, target: str = "") -> tuple[Proposal, ...]:
    """Return what to offer: directed, what the ``target`` needs; vague, the first three; unprompted, the first.

    Nothing where all is well. Raises HoldfastError for a target that is not tracked.
    """
    ranked = rank_standings(standings)
    if mode == DIRECTED:
        return (_proposal(_find(ranked, target)),)
    return tuple(_proposal(one) for one in ranked if _class(one) < _DONE)[: MOST[mode]]


def rank_standings(standings: Iterable[Standing]) -> list[Standing]:
    """Return all of them, what needs work most first."""
    return sorted(standings, key=_sort_key)


def _find(standings: list[Standing], target: str) -> Standing:
    for standing in standings:
        if standing.key == target:
            return standing
    known = [standing.key for standing in standings]
    raise HoldfastError(f"no document {target!r} is tracked{nearest(target, known)}", hint="see `holdfast spec status`")


def _class(standing: Standing) -> int:
    if standing.state in ("broken", "missing"):
        return ("broken", "missing").index(standing.state)
    if standing.score < standing.best:
        return 2
    if standing.state != "current":
        return 3
    return 4 if standing.need else _DONE


def _sort_key(standing: Standing) -> tuple[float | str, ...]:
    group = _class(standing)
    within = {2: standing.score, 3: standing.evaluated_at, 4: (*PRIORITIES, "").index(standing.need)}
    return (
        group,
        within.get(group, 0),
        not standing.core,
        standing.state == "current",
        standing.evaluated_at,
        _order(standing),
        standing.key,
    )


def _order(standing: Standing) -> int:
    """Return where its type stands among the rubrics."""
    types = list(load_rubrics())
    return types.index(standing.type) if standing.type in types else len(types)


def _proposal(standing: Standing) -> Proposal:
    if standing.state != "current":
        return Proposal(_ACTIONS[standing.state], standing.key, standing.reason)
    if standing.score < standing.best:
        return Proposal("improve", standing.key, f"level {standing.score} of {standing.max_score}")
    why = f"{standing.need} priority in its backlog" if standing.need else "nothing is wrong with it"
    return Proposal("backlog" if standing.need else "improve", standing.key, why)
