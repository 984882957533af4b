"""The daily maintenance of memories: planned from cards, then carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor, event_data, read_events
from limpet.ground.storage.last_seen import DOUBTFUL
from limpet.ground.values import Value
from limpet.memory.files import store
from limpet.memory.files.store import ARCHIVED
from limpet.memory.model.attention import DAY, current_tier
from limpet.memory.model.entry import CAPTURED, DURABLE, MODEL, PRIVATE_TYPES, Card
from limpet.memory.model.layout import ARCHIVE, SHARED, MemoryPlace, read_place
from limpet.memory.model.results import Gone

FOLDED = "Accesses counted since"
# How the reasons of earlier versions begin that archived by date.
AGED = ("Daily, and unused since", "Score below")
HOUR = 3600.0
# Files that one maintenance brings back.
MOST_RESTORED = 500
RETURNS = "It was archived for its age, which is no reason"


def plan_actions(
    shared: str, cards: Collection[Card], settings: dict[str, Any], now: float, known: UpkeepContext
) -> list[Action]:
    """``known`` is completed by what the memories' own files tell."""
    known = known.replace(
        forgotten=store.tombstones(shared),
        aged=_archived_for_age(shared) if any(card.state == ARCHIVE for card in cards) else frozenset(),
    )
    return plan_upkeep(cards, now, settings, known)


def carry_out_upkeep(
    shared: str, actions: Iterable[Action], cards: Iterable[Card], actor: Actor
) -> Iterator[UpkeepDone]:
    """An entry that is elsewhere by now, as after another maintenance at the same time, waits for the next one."""
    lies = {card.id: card.path for card in cards if card.state == "current"}
    for action in actions:
        try:
            _carry_out(shared, action, lies, actor)
        except Gone:
            continue
        except LimpetError as error:
            yield UpkeepDone(action, str(error))
        else:
            yield UpkeepDone(action)


class _Reasoned(Value):
    """What is done to one entry, and why."""

    id: str
    reason: str


class FoldAccess(Value):
    """Write what is known of the entry's accesses (``last_accessed``: seconds since 1970), and its tier of now."""

    id: str
    access_count: int
    last_accessed: float
    tier: str


class FileSession(Value):
    session: str
    ids: tuple[str, ...]
    reason: str


class Share(_Reasoned):
    """Move the private entry to ``shared``: it proved true."""


class Archive(_Reasoned):
    """Archive the entry: its own date has passed, or nobody ever used it and there are enough others."""


class Restore(Value):
    """Bring the archived file (path from ``memories/``) back."""

    path: str
    reason: str


class Purge(Value):
    """Remove the forgotten file (path from ``memories/``) permanently: the time to have it back is over."""

    path: str
    reason: str


Action = FoldAccess | FileSession | Share | Archive | Restore | Purge


ORDER = (FoldAccess, FileSession, Share, Archive, Restore, Purge)


class UpkeepDone(Value):
    """An action that was carried out, or planned in a dry run. ``problem`` tells why it could not be done."""

    action: Action
    problem: str = ""


class Cleaned(Value):
    """The outcome of maintenance, or of its dry run; ``drafts``: full paths of left-over drafts that were removed."""

    done: tuple[UpkeepDone, ...]
    drafts: tuple[str, ...]


class UpkeepContext(Value):
    """Facts that maintenance needs beside the cards. Times are seconds since 1970.

    ``last_active``: conversation -> its last event; of an unknown one its newest entry counts.
    ``uncounted``: paths from ``memories/`` of entries whose own file lacks accesses that the log knows.
    ``passed``: agent -> when its work passed a gate.
    ``forgotten``: path from ``memories/`` -> when.
    ``aged``: ids of what was last archived for its age.
    ``steady``: from when on the clock is known to have run without a jump; time before does not count towards a purge.
    ``jumped``: when the clock was last seen to jump, 0 for never; what time ended before waits.
    """

    ended: frozenset[str] = frozenset()
    last_active: Mapping[str, float] = {}
    uncounted: frozenset[str] = frozenset()
    passed: Mapping[str, float] = {}
    forgotten: Mapping[str, float] = {}
    aged: frozenset[str] = frozenset()
    steady: float = 0.0
    jumped: float = 0.0


def plan_upkeep(cards: Iterable[Card], now: float, settings: dict[str, Any], known: UpkeepContext) -> list[Action]:
    """In the order in which to do them. An id of several current entries is left alone until a person fixed it."""
    cards = list(cards)
    current = [card for card in cards if card.state == "current"]
    seen = Counter(card.id for card in current)
    current = [card for card in current if seen[card.id] == 1]
    actions: list[Action] = [
        FoldAccess(card.id, card.accesses, card.last_accessed, current_tier(card, now, settings))
        for card in current
        if card.path in known.uncounted
    ]
    actions += _file_sessions(cards, current, now, settings, known)
    # The oldest captured entries that nobody ever used, beyond the newest ``keep``.
    keep = settings["keep"]
    unused = [card for card in current if _is_unused(card)] if keep else []
    unused.sort(key=lambda card: (-card.created, card.id))
    surplus = [Archive(card.id, f"Captured, never used, and older than {keep:,} others") for card in unused[keep:]]
    actions += surplus
    left_out = {action.id for action in surplus}
    for card in current:
        if card.id in left_out:
            continue
        if reason := _expiry(card, now, known.jumped):
            actions.append(Archive(card.id, reason))
        elif reason := _validation(card, settings, known.passed):
            actions.append(Share(card.id, reason))
    # The newest archived entries that earlier versions put away for their age alone.
    aged = [card for card in cards if card.id in known.aged and not 0 < card.expires <= now]
    aged.sort(key=lambda card: (-card.created, card.path))
    actions += [Restore(card.path, RETURNS) for card in aged[:MOST_RESTORED]]
    actions += _purge(known, now, settings)
    # By kind, then by what it is done to, which is the first field of every action.
    return sorted(actions, key=lambda action: (ORDER.index(type(action)), str(getattr(action, action.fields[0]))))


def _archived_for_age(shared: str) -> frozenset[str]:
    last: dict[str, tuple[str, str]] = {}
    for event in read_events(shared, ARCHIVED):
        key, told = str(event_data(event).get("memory")), (str(event.get("time")), str(event.get("why")))
        last[key] = max(last.get(key, told), told)
    return frozenset(key for key, (_, why) in last.items() if why.startswith(AGED))


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
        lies[action.id] = store.archive_file(shared, _path(lies, action.id), actor)
    elif isinstance(action, Restore):
        store.restore(shared, action.path, actor)
    elif isinstance(action, Purge):
        store.purge(shared, action.path, actor)


def _move(shared: str, lies: dict[str, str], each: str, actor: Actor, owner: str = "", storage: str = "") -> None:
    path = _path(lies, each)
    place = read_place(path) or MemoryPlace(owner=SHARED, storage="daily")
    lies[each] = store.move_file(shared, path, owner or place.owner, storage or place.storage, actor).path


def _path(lies: Mapping[str, str], each: str) -> str:
    if each not in lies:
        raise Gone(each)
    return lies[each]


def _file_sessions(
    cards: Iterable[Card], current: Iterable[Card], now: float, settings: dict[str, Any], known: UpkeepContext
) -> Iterator[FileSession]:
    """For each conversation that ended or is idle: without an event, and without an entry of any state."""
    latest, ids = dict(known.last_active), dict[str, list[str]]()
    for card in cards:
        session = _conversation(card)
        latest[session] = max(latest.get(session, 0.0), card.created)
    for card in current:
        if card.storage == "session" and not card.pinned:
            ids.setdefault(_conversation(card), []).append(card.id)
    for session, names in ids.items():
        if session in known.ended:
            yield FileSession(session, tuple(sorted(names)), "The conversation ended")
        elif now - max(latest[session], known.jumped) >= settings["idle_hours"] * HOUR:
            why = f"The conversation has been idle since {iso(latest[session])}"
            yield FileSession(session, tuple(sorted(names)), why)


def _conversation(card: Card) -> str:
    place = read_place(card.path)
    return card.session or (place.group if place else "")


def _is_unused(card: Card) -> bool:
    is_captured = card.source.startswith((CAPTURED, MODEL))
    is_kept = card.pinned or card.storage == DURABLE
    return is_captured and not is_kept and not card.accesses and card.evidence <= 1


def _expiry(card: Card, now: float, jumped: float) -> str:
    """Return the reason to archive. Durable and pinned entries stay: searching leaves out what has expired. What a jump
    of the clock let expire waits, because the clock may be set right again."""
    if card.storage == "durable" or card.pinned or not 0 < card.expires <= now:
        return ""
    if card.expires <= jumped and now - jumped < DOUBTFUL:
        return ""
    return f"It expired on {iso(card.expires)[:10]}"


def _validation(card: Card, settings: dict[str, Any], passed: Mapping[str, float]) -> str:
    """Return the reason to share. Only what capture kept back is shared, never what somebody wrote as private."""
    kept_back = card.owner != SHARED and card.source.startswith(CAPTURED) and card.type in PRIVATE_TYPES
    if not kept_back or card.superseded_by or card.flags:
        return ""
    if card.evidence >= settings["share_evidence"]:
        return f"Validated: evidence {card.evidence} (needs {settings['share_evidence']})"
    gate = passed.get(card.owner, 0.0)
    return f"Validated: {card.owner} passed its gate at {iso(gate)}" if gate >= card.created else ""


def _purge(known: UpkeepContext, now: float, settings: dict[str, Any]) -> list[Action]:
    """Their days count from when on the clock is known to have run without a jump."""
    days = settings["undo_days"]
    if not days:
        return []
    return [
        Purge(path, f"Forgotten on {iso(at)[:10]}, {days} days ago or more")
        for path, at in known.forgotten.items()
        if now - max(at, known.steady) >= days * DAY
    ]
