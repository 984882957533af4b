"""Carries maintenance out, one action after the other; one that fails does not stop the next."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log.append import Actor
from limpet.ground.event_log.read import data_of, read_events
from limpet.memory.files import store
from limpet.memory.files.audit import ARCHIVED
from limpet.memory.model.card import Card
from limpet.memory.model.layout import ARCHIVE, SHARED, Place, read_place
from limpet.memory.model.results import Gone
from limpet.memory.upkeep.planning import (
    Action,
    Archive,
    Done,
    FileSession,
    FoldAccess,
    Purge,
    Restore,
    Share,
    UpkeepContext,
    plan_upkeep,
)

FOLDED = "Accesses counted since"
# How the reasons of earlier versions begin that archived by date.
AGED = ("Daily, and unused since", "Score below")


def plan(
    shared: str, cards: Collection[Card], settings: dict[str, Any], now: float, known: UpkeepContext
) -> list[Action]:
    """Return the actions that are due.

    ``known`` is completed by what the memories' own files tell.
    """
    known = known.replace(
        forgotten=store.tombstones(shared),
        aged=_archived_for_age(shared) if any(card.state == ARCHIVE for card in cards) else frozenset(),
    )
    return plan_upkeep(cards, now, settings, known)


def carry_out(shared: str, actions: Iterable[Action], cards: Iterable[Card], actor: Actor) -> Iterator[Done]:
    """Do the actions on those of the cards that are current, in their order, and yield each.

    An entry that is elsewhere by now, as after another maintenance at the same time, is left to the next one.
    """
    lies = {card.id: card.path for card in cards if card.state == "current"}
    for action in actions:
        try:
            _carry_out(shared, action, lies, actor)
        except Gone:
            continue
        except LimpetError as error:
            yield Done(action, str(error))
        else:
            yield Done(action)


def _archived_for_age(shared: str) -> frozenset[str]:
    """Return the paths of what the log says was last archived for its age."""
    last: dict[str, tuple[str, str]] = {}
    for event in read_events(shared, ARCHIVED):
        path, told = str(data_of(event).get("path")), (str(event.get("time")), str(event.get("why")))
        last[path] = max(last.get(path, told), told)
    return frozenset(path for path, (_, why) in last.items() if why.startswith(AGED))


def _carry_out(shared: str, action: Action, lies: dict[str, str], actor: Actor) -> None:
    if isinstance(action, FoldAccess):
        figures = {"access_count": action.access_count, "last_accessed": iso(action.last_accessed)}
        store.change(shared, _path(lies, action.id), {**figures, "tier": action.tier}, actor.replace(why=FOLDED))
        return
    actor = actor.replace(why=action.reason)
    if isinstance(action, FileSession):
        for each in action.ids:
            _move(shared, lies, each, actor, storage="daily")
    elif isinstance(action, Share):
        _move(shared, lies, action.id, actor, owner=SHARED)
    elif isinstance(action, Archive):
        lies[action.id] = store.archive(shared, _path(lies, action.id), actor)
    elif isinstance(action, Restore):
        store.restore(shared, action.path, actor)
    elif isinstance(action, Purge):
        store.purge(shared, action.path, actor)


def _move(shared: str, lies: dict[str, str], each: str, actor: Actor, owner: str = "", storage: str = "") -> None:
    path = _path(lies, each)
    place = read_place(path) or Place(owner=SHARED, storage="daily")
    lies[each] = store.move(shared, path, owner or place.owner, storage or place.storage, actor).path


def _path(lies: Mapping[str, str], each: str) -> str:
    if each not in lies:
        raise Gone(each)
    return lies[each]
