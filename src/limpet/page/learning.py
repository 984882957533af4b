"""The pages of what work teaches: the knowledge, how sure it is and why, what contradicts, what is proposed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from limpet.learning.model import CONTRADICT, WEAKEN, is_contested
from limpet.learning.observations import ref_of
from limpet.learning.store import read_stores
from limpet.memory.model.entry import Query
from limpet.operations.learning.consolidate import Explained, HistoryStep, explain_entry
from limpet.operations.learning.decisions import read_decisions
from limpet.operations.learning.proposals import list_claims, list_proposals
from limpet.operations.memory.candidates import CONFLICT
from limpet.operations.memory.find import list_memories, open_memories
from limpet.operations.project import Project

MOST = 50
_AGAINST = re.compile(r"The person's (\S+) contradicts this")


def view_learning(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    stores, mistakes = read_stores(project.workspace)
    contested = [one.id for kind in stores.values() for one in kind if is_contested(one.evidence)]
    conflicts = list_memories(project, Query(tag=CONFLICT, limit=MOST, now=project.caller.now))[0].cards
    return "learning.html", {
        "stores": {kind: [explain_entry(project, one.id).entry for one in found] for kind, found in stores.items()},
        "mistakes": mistakes,
        "contested": [_sides(explain_entry(project, id)) for id in contested[:MOST]],
        "conflicts": [_conflict(project, card.id) for card in conflicts],
        "proposals": list_proposals(project, as_is=True),
        "claims": list_claims(project)[:MOST],
        "decisions": [*read_decisions(project.workspace).values()][::-1][:MOST],
    }


def view_entry(project: Project, asked: Mapping[str, str], key: str) -> tuple[str, dict[str, Any]]:
    found = explain_entry(project, key)
    steps = [_step(step) for step in found.steps]
    counted = [step for step in steps if step["after"] is not None]
    points = [
        (float(found.entry.start), "start"),
        *((step["after"], f"{step['effect']} by {step['ref']}") for step in counted),
    ]
    return "entry.html", {"found": found, "entry": found.entry, "steps": steps, "points": points, **_sides(found)}


def _sides(found: Explained) -> dict[str, Any]:
    against = (WEAKEN, CONTRADICT)
    return {
        "id": found.entry.id,
        "text": found.entry.text,
        "speaks_for": _told(step for step in found.steps if step.evidence.effect not in against),
        "speaks_against": _told(step for step in found.steps if step.evidence.effect in against),
    }


def _conflict(project: Project, id: str) -> dict[str, Any]:
    """What was written beside a memory of the person's that contradicts it, and that one."""
    new = open_memories(project, [id], count=False)[0][0].stored.entry
    named = _AGAINST.search(new.body)
    old = open_memories(project, [named[1]], count=False)[0] if named else []
    return {"new": new, "old": old[0].stored.entry if old else None}


def _told(steps: Iterable[HistoryStep]) -> list[dict[str, Any]]:
    return [*map(_step, steps)]


def _step(step: HistoryStep) -> dict[str, Any]:
    piece = step.evidence
    told = {"effect": piece.effect, "ref": ref_of(piece.source, piece.observation), "at": piece.at}
    return {**told, "agent": piece.agent, "after": step.after, "text": step.text}
