"""What was captured since a person's last look at it. Separate from ``review``, so that a hook may ask how many wait:
it opens the index as it is, and no entry's file."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from typing import Any

from limpet.ground.workspace import Workspace
from limpet.memory.candidates import USER, Candidate, read_candidate_files
from limpet.memory.index.reading import captured, count_cards, get_cards, open_index
from limpet.memory.looked_at import looked_at
from limpet.memory.model.entry import CAPTURED, STATED_TYPES, UNREVIEWED, WISH, Card, MemoryEntry, Query
from limpet.work.conversation import has_mark

# Wishes that are looked through: more than anybody has.
MOST = 100_000


def waiting(workspace: Workspace) -> int:
    return len(waiting_ids(workspace))


def waiting_ids(workspace: Workspace) -> list[str]:
    return [*_unseen(workspace)[0]]


def waits_for_look(one: Card | MemoryEntry) -> bool:
    """Whether it is what the person said, and nobody looked at it; what agents found out is tagged so too."""
    return UNREVIEWED in one.tags and one.type in STATED_TYPES


def is_said(one: Card | MemoryEntry) -> bool:
    """Whether the person said it, be it that they said it so often that it is kept without a look."""
    return one.type in STATED_TYPES and (UNREVIEWED in one.tags or one.source.startswith(CAPTURED))


def count_kept(workspace: Workspace) -> dict[str, int]:
    """How many memories are in force: ``kept``, and of those that nobody looked at what the person said (``heard``) and
    what an agent or a model wrote (``written``); what was heard beside a paste or a task is among the heard."""
    (unseen, total), beside = _unseen(workspace), len(list_unkept(workspace))
    heard = sum(unseen.values())
    return {"kept": total - len(unseen), "heard": heard + beside, "written": len(unseen) - heard}


def list_unkept(workspace: Workspace) -> list[Candidate]:
    """What the person may have said themselves, in messages that held somebody's text too, and what would have been
    kept but for the task that it was said with."""
    from limpet.memory.capture.statements import read_remark  # whoever only counts what waits needs none of it

    found = (each for each in read_candidate_files(workspace.shared) if each.quote and each.role == USER)
    stated = (each for each in found if each.type in STATED_TYPES or (not each.type and read_remark(each.quote, False)))
    return [each for each in stated if not has_mark(each.session)]


def has_proved_wish(workspace: Workspace, least: Mapping[str, Any]) -> bool:
    index = open_index(workspace.shared)
    if index is None:
        return False

    with closing(index):
        wishes = get_cards(index, Query(owners=None, type=WISH, limit=MOST, now=time.time()))
    return any(one.evidence >= least["rule_evidence"] and one.confidence > least["rule_confidence"] for one in wishes)


def _unseen(workspace: Workspace) -> tuple[dict[str, bool], int]:
    """What was captured and nobody decided on, by id, with whether the person said it; how many are in force in all."""
    index = open_index(workspace.shared)
    if index is None:
        return {}, 0
    seen, query = looked_at(workspace), Query(owners=None, digests=False, now=time.time())
    with closing(index):
        found = captured(index, query)
        return {name: is_stated for name, is_stated in found.items() if name not in seen}, count_cards(index, query)
