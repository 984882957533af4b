"""What an epoch was told of memories, by the marks that it keeps, and what its beginning had no room for. Separate from
``recall``, which chooses what is told next."""

from __future__ import annotations

from limpet.context.values import LISTED, MARK, PASSAGE, WISHED, entry_of, told_ids
from limpet.engine.block.quoting import holds, statement
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from limpet.context.values import Choice, Result
    from limpet.engine.event_context import EventContext
    from limpet.memory.model.entry import Card
    from limpet.memory.search.passages import EntryPassage

# Where an epoch notes what opened it took, the tokens that it has for wishes which found no room yet, and the marks of
# other memories that wait for room.
OPENED, WISH_TOKENS, WAITING = "memories", "wishes", "left"
# Tokens below which no more of these are looked for: a long line's.
LEAST_WISHES = 100
POINTER = "full"


def opens(context: EventContext, starting: bool) -> bool:
    """A start does, but for a fork, whose parent's words hold the memories; a prompt only where no start was told."""
    return context.event.source != "fork" if starting else not context.session[EPOCH].get(OPENED)


def opened(epoch: dict[str, Any], result: Result, before: dict[str, Any]) -> dict[str, Any]:
    """The epoch then has the tokens that are left for wishes that found no room, says what its beginning took, and what
    of its first list, or of what waited ``before``, still waits."""
    kept = {key: value for key, value in epoch.items() if key not in (WISH_TOKENS, WAITING)}
    for choice in result.choices:
        if choice.piece.worth and len(choice.lines) < len(choice.piece.lines):
            left = choice.piece.most - choice.tokens
            kept[WISH_TOKENS] = left if left >= LEAST_WISHES else 0
    sent, waited = epoch.get("sent", ()), before.get(WAITING, ())
    is_first = not any(mark.startswith(LISTED) for mark in before.get("sent", ()))
    unsent = [mark for mark in _marks_unsent(result.choices) if mark not in sent]
    if waiting := [mark for mark in unsent if is_first or mark in waited]:
        kept[WAITING] = waiting
    return {**kept, OPENED: kept.get(OPENED) or max(1, result.tokens)}


def ids_shown(result: Result) -> tuple[str, ...]:
    ids: dict[str, None] = {}
    for choice in result.choices:
        if choice.piece.layer != "memory":
            continue
        for mark in choice.piece.marks[: len(choice.lines)]:
            if mark.startswith((MARK, PASSAGE, WISHED)) and mark != MARK + POINTER:
                ids[entry_of(mark)] = None
    return tuple(ids)


def told_in_epoch(context: EventContext) -> frozenset[str]:
    """Each memory comes once (decision 6), but for what of its words did not come yet."""
    return told_ids(context.session[EPOCH].get("sent", ()))


def told_whole(context: EventContext) -> frozenset[str]:
    sent = context.session[EPOCH].get("sent", ())
    return frozenset(key.removeprefix(MARK) for key in sent if key.startswith(MARK))


def parts_told(context: EventContext) -> dict[str, set[str]]:
    """Id -> the numbers of the sentences that came, for the memories of which a part did."""
    found: dict[str, set[str]] = {}
    for key in context.session[EPOCH].get("sent", ()):
        if key.startswith((PASSAGE, WISHED)):
            _, name, *numbers = key.split(" ")
            found.setdefault(name, set()).update(",".join(numbers).split(","))
    return found


def says_more(card: Card, passage: EntryPassage | None, parts: dict[str, set[str]]) -> bool:
    """Whether it was not told yet, or what is asked about is none of what was."""
    if card.id not in parts:
        return True
    if passage is None or not passage.asked or str(passage.at) in parts[card.id]:
        return False
    return not holds(statement(card), passage.asked)


def listed_in_epoch(context: EventContext) -> frozenset[str]:
    sent = context.session[EPOCH].get("sent", ())
    return frozenset(key.removeprefix(LISTED) for key in sent if key.startswith(LISTED))


def waiting_in_epoch(context: EventContext) -> tuple[str, ...]:
    """The ids of what found no room when the epoch began."""
    waiting = context.session[EPOCH].get(WAITING, ())
    return tuple(dict.fromkeys(entry_of(mark) for mark in waiting if isinstance(mark, str)))


def _marks_unsent(choices: Iterable[Choice]) -> Iterator[str]:
    for choice in choices:
        if choice.piece.layer == "memory" and not choice.piece.worth:
            yield from choice.piece.marks[len(choice.lines) :]
