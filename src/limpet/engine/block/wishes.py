"""The person's standing wishes: all at the beginning of an epoch, a plain line each, in the order in which they were
said, while they fit (decision 66); and what ended or changed of what the epoch was told.

Separate from ``recall``, because few events need it.
"""

from __future__ import annotations

from limpet.context.fitting import line_cost
from limpet.context.values import GONE, WISHED, Wishes, told_ids
from limpet.engine.block.quoting import distinct, unsaid, wish_line
from limpet.engine.recovery import lines_left
from limpet.ground.digest import digest
from limpet.ground.text.escaping import clip
from limpet.memory.index.reading import cards_of, cited_paths
from limpet.memory.model.entry import UNREVIEWED, Card, Query, is_in_force
from limpet.memory.search.preferences import UNSEEN, Wish, is_of_person, standing_wishes, words_to_look_at
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Callable, Container
    from typing import Any

    from limpet.engine.event_context import EventContext
    from limpet.memory.personal import Find

    Look = Callable[[Find, Query], list[Card]]

# Tokens of what ended or changed, with one prompt; the beginnings of such a line, and the characters of a memory in it.
CHANGES = 200
ENDED, INSTEAD, NOW = "No longer: ", " - instead: ", "Now: "
QUOTED = 100
UNKNOWN = "somebody unknown here"


def find_wishes(
    context: EventContext, look: Look, query: Query, tokens: int, known: Container[str]
) -> tuple[Wishes | None, list[Card], int]:
    """Return the person's wishes, and behind them what they said and did not look at yet; those that an agent or the
    team wrote down, which are quoted as all memories are, those of most worth first; and the tokens left for these.
    ``known`` are ids of what is told anyway."""
    found: dict[str, Wish] = {}
    unseen = context.mirror.settings["memory"]["heard"]["shown"]

    def find(index: Connection, asked: Query) -> list[Card]:
        wishes = [*standing_wishes(index, asked), *words_to_look_at(index, asked, unseen)]
        found.update((wish.card.id, wish) for wish in wishes)
        return [wish.card for wish in wishes]

    cards = [card for card in distinct(look(find, query)) if card.id not in known]
    # What was said of the work at hand stands in the work that goes on, in the order in which it was decided.
    of_moment = [card for card in cards if UNREVIEWED in card.tags and found[card.id].worth == UNSEEN]
    beside = unsaid(of_moment, lines_left(context))
    cards = [card for card in cards if card not in of_moment or card in beside]
    own = [card for card in cards if found[card.id].is_own]
    own.sort(key=lambda card: (UNREVIEWED in card.tags and -found[card.id].worth, card.created))
    others = [_by_nobody(card) for card in cards if not found[card.id].is_own]
    others.sort(key=lambda card: -found[card.id].worth)
    if not own:
        return None, others, tokens
    reserve = context.mirror.settings["context"]["reserve"]
    lines, used = _lines([found[card.id] for card in own], tokens, reserve)
    wishes = Wishes(
        entries=tuple((WISHED + card.id, line) for card, line in zip(own, lines, strict=True)),
        worth=tuple(found[card.id].worth for card in own),
        tokens=tokens,
        titles=tuple((card.id, card.title) for card in own),
        heard=tuple(card.id for card in own if UNREVIEWED in card.tags),
    )
    return wishes, others, max(0, tokens - used)


def find_changes(context: EventContext, look: Look, query: Query) -> Wishes | None:
    sent = context.session[EPOCH].get("sent", {})
    ids = told_ids(sent)
    changes: dict[str, tuple[str, str]] = {}

    def find(index: Connection, asked: Query) -> list[Card]:
        for card in cards_of(index, asked, ids):
            changes.setdefault(card.id, _change(index, asked, card, sent))
        return []

    if ids:
        look(find, query)
    entries = tuple(change for change in changes.values() if change[1])
    return Wishes(entries=entries, tokens=CHANGES) if entries else None


def _by_nobody(card: Card) -> Card:
    """What a file has the person say, and nobody heard here, is told as somebody else's."""
    return card.replace(author=UNKNOWN) if is_of_person(card) else card


def _lines(wishes: list[Wish], tokens: int, reserve: float) -> tuple[list[str], int]:
    """A line for each, and the tokens of all: where they do not fit, without what follows their titles."""
    lines: list[str] = []
    used = 0
    for is_whole in (True, False):
        lines = [wish_line(wish.card, wish.paths, is_whole) for wish in wishes]
        used = sum(line_cost(line, reserve) for line in lines)
        if used <= tokens:
            break
    return lines, used


def _change(index: Connection, query: Query, card: Card, sent: dict[str, Any]) -> tuple[str, str]:
    mark = WISHED + card.id
    if not is_in_force(card, query.now):
        after = [one for one in cards_of(index, query, [card.superseded_by]) if is_in_force(one, query.now)]
        instead = INSTEAD + clip(after[0].title, QUOTED) if after else ""
        line = f"{ENDED}{clip(card.title, QUOTED)}{instead}" if not card.flags else ""
        return GONE + card.id, line
    if mark not in sent or _is_told_so(index, card, sent[mark][0]):
        return mark, ""
    return mark, NOW + wish_line(card, ())


def _is_told_so(index: Connection, card: Card, told: str) -> bool:
    if digest(repr(("", wish_line(card, ())))) == told:
        return True
    paths = cited_paths(index, [card.path]).get(card.path, ())
    return any(digest(repr(("", wish_line(card, paths, is_whole)))) == told for is_whole in (True, False))
