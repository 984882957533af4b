"""The pages of memories: what waits for a look, what is kept, and one of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.memory.model.entry import STORAGES, TYPES, Card, Query
from limpet.memory.model.ids import short_id
from limpet.memory.model.layout import ARCHIVE, CURRENT, FORGOTTEN
from limpet.memory.model.results import Listing
from limpet.operations.learning.proposals import list_proposals
from limpet.operations.memory.find import (
    find_reversed,
    find_while_typing,
    list_memories,
    open_memories,
    search_memories,
)
from limpet.operations.memory.review import called_by_words, list_waiting, words_heard
from limpet.operations.memory.view import Opened, marks_of, quotes_of
from limpet.operations.memory.waiting import is_said, list_unkept, waits_for_look
from limpet.operations.project import Project

SHOWN, MOST, TYPED = 40, 1000, 12
STATES = {CURRENT: "kept or heard", ARCHIVE: "archived", FORGOTTEN: "forgotten"}


def view_memories(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    text, kind, state = asked.get("q", "").strip(), asked.get("type", ""), asked.get("state", "")
    storage, limit = asked.get("storage", ""), _number(asked.get("limit", ""), SHOWN)
    is_typing = bool(asked.get("typed"))
    query = Query(
        text=text,
        type=kind if kind in TYPES else "",
        storage=storage if storage in STORAGES else "",
        states=(state if state in STATES else CURRENT,),
        valid=state in ("", CURRENT),
        limit=limit,
        now=time.time(),
    )
    listing, more = Listing(), False
    if text and is_typing:
        listing = Listing(cards=find_while_typing(project, query.replace(limit=TYPED)))
    elif text:
        listing = search_memories(project, query)[0]
        more = len(listing.cards) == limit
    else:
        listing, more = list_memories(project, query)
    told = {"rows": [*map(_row, listing.cards)], "more": limit + SHOWN if more and limit < MOST else 0}
    filters = {"q": text, "type": query.type, "state": query.states[0], "storage": query.storage}
    choices = {"types": TYPES, "states": STATES, "storages": STORAGES}
    return "memories.html", {**told, **choices, "filters": filters, "listing": listing}


def view_memory(project: Project, asked: Mapping[str, str], key: str) -> tuple[str, dict[str, Any]]:
    found, wrong = open_memories(project, [key], count=False)
    if wrong:
        raise wrong[0]
    opened = found[0]
    if opened.learned:
        raise LimpetError("This is an entry of the knowledge", key, f"It stands under Learning: /learning/{key}")
    entry = opened.stored.entry
    said, before = words_heard(entry)
    return "memory.html", {
        "opened": opened,
        "entry": entry,
        "short": short_id(entry.id),
        "state": opened.stored.place.state,
        "quotes": [*quotes_of(entry)],
        "said": said,
        "before": before,
        "called": [*called_by_words(entry)],
        "waits": waits_for_look(entry),
    }


def view_review(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    proposals = list_proposals(project, as_is=True)
    proposed = {one.id for one in proposals}
    waiting = [one for one in list_waiting(project) if one.stored.entry.id not in proposed]
    shown = waiting[:SHOWN]
    against = find_reversed(project, [one.stored.entry.id for one in shown]) if shown else {}
    return "review.html", {
        "waiting": [_waiting(one, against.get(one.stored.entry.id, [])) for one in shown],
        "left": len(waiting) - len(shown),
        "proposals": proposals,
        "unkept": list_unkept(project.workspace)[:SHOWN],
    }


def _waiting(opened: Opened, against: list[Card]) -> dict[str, Any]:
    entry = opened.stored.entry
    said, before = words_heard(entry)
    who = "You said" if is_said(entry) else "An agent wrote"
    told = {"entry": entry, "short": short_id(entry.id), "said": said, "before": before, "who": who}
    return {**told, "called": [*called_by_words(entry)], "against": [(short_id(one.id), one.title) for one in against]}


def _row(card: Card) -> dict[str, Any]:
    return {"short": short_id(card.id), "card": card, "marks": marks_of(card)}


def _number(text: str, usual: int) -> int:
    return min(MOST, max(1, int(text))) if text.isascii() and text.isdecimal() and len(text) < 6 else usual
