"""What a person wants always: the standing wishes that open a session, and those that a prompt calls by the practice
that it names. Separate from ``gate``, which goes by the words of a prompt: a preference holds for prompts that share
none with it ("run the type checker" wants "everything goes through uv run")."""

from __future__ import annotations

from itertools import chain, product

from limpet.ground.values import Value
from limpet.memory.index.database import posting
from limpet.memory.index.reading import (
    cited_paths,
    docs_holding,
    get_cards,
    heard_here,
    read_cards,
    read_collections,
    read_frequencies,
)
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.index.wishes import (
    BY_DEEDS,
    count_names,
    count_requests,
    generality,
    holds_for_all,
    is_of_practice,
    name_practices,
    practice_term,
    practices_of,
    refuses,
)
from limpet.memory.model.entry import ANSWER, CAPTURED, DURABLE, IMPORTED, MODEL, PERSON, STATED_TYPES, UNREVIEWED, WISH
from limpet.memory.model.layout import TEAM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Container

    from limpet.memory.model.entry import Card, Query

# Corrections that are read, the newest ones.
READ = 500
# What a practice calls, and what is weighed for that.
CALLED, WEIGHED = 16, 60
# What makes a wish hold for most of the work, tuned on sessions of four projects: a word that makes it general, two at
# most; that it says what is not to be; being stated once more, twice at most; the share of all entries that have a term
# of it, of its three most usual terms; a name in code; a word that asks for a piece of work.
GENERAL, REFUSING, RESTATED, USUAL, NAME, REQUEST = 1.0, 1.0, 0.5, 2.0, -1.0, -1.0
MOST, MOST_USUAL = 2, 3
# What is about some files alone comes with a deed on them: it is worth less than all others.
SCOPED = -100.0
# So does what is about work that a call begins, but not every call is understood.
DEED = -10.0
# What nobody looked at goes after all that.
UNSEEN = -50.0
# Letters of a title that halve its worth: what opens a session has few tokens.
LONG = 80
# Letters of what a cut title is the beginning of.
WHOLE = 320


class Wish(Value):
    """``worth``: for how much of the work it holds in few words, by which those are chosen that do not all fit.
    ``paths``: the project's files that it cites. ``is_own``: the person's own words, heard on this machine."""

    card: Card
    worth: float
    paths: tuple[str, ...] = ()
    is_own: bool = False


def standing_wishes(connection: Connection, query: Query) -> list[Wish]:
    """Return what a person wants always, in the order in which it was said. What was heard in talk is a wish only where
    it says that it holds for more than the moment, or is about a practice of work; what was recorded as a correction,
    or kept by a person who looked at it, is one as it stands. Its age does not matter: a wish does not end by being
    kept. What reads like an order to a machine is none, since its words are not quoted. A wish about what most entries
    are about has more worth, because no prompt could earn it by words that usual."""
    found = get_cards(connection, query.replace(type=WISH, digests=False, limit=READ))
    cards = [card for card in reversed(found) if _is_preference(card)]
    usual = _usual_terms(connection, query, cards)
    cited = cited_paths(connection, [card.path for card in cards])
    heard = heard_here(connection, [card.path for card in cards])
    wishes = []
    for card in cards:
        paths, is_own = cited.get(card.path, ()), is_of_person(card) and card.path in heard
        waits = BY_DEEDS.issuperset(practices_of(card.type, card.title) or ("none",))
        worth = _worth(card, usual) + (SCOPED if paths else DEED if waits else 0.0)
        wishes.append(Wish(card=card, worth=worth, paths=paths, is_own=is_own))
    return wishes


def words_to_look_at(connection: Connection, query: Query, limit: int) -> list[Wish]:
    """Return what the person said and did not look at yet, the newest ``limit``: first what is for all times or all
    things, then the rest in the order in which it was said; corrections rather than decisions, no answer to a question
    about the work at hand, and nothing that only a file has them say."""
    found = get_cards(connection, query.replace(tag=UNREVIEWED, digests=False, limit=READ))
    cards = [card for card in found if card.type in STATED_TYPES and not card.flags and ANSWER not in card.tags]
    heard = heard_here(connection, [card.path for card in cards])
    cited = cited_paths(connection, [card.path for card in cards])
    own = [card for card in cards if card.path in heard and is_of_person(card)]
    worth = {card.id: UNSEEN + (GENERAL if holds_for_all(card.title) else 0.0) for card in own}
    own.sort(key=lambda card: (worth[card.id], card.type == WISH, card.created), reverse=True)
    chosen = sorted(own[:limit], key=lambda card: (-worth[card.id], card.created))
    return [Wish(card, worth[card.id], cited.get(card.path, ()), is_own=True) for card in chosen]


def holds_always(source: str, storage: str, title: str, text: str) -> bool:
    """Of a wish: whether it is a standing one."""
    if storage == DURABLE or not source.startswith(CAPTURED):
        return True
    return is_of_practice(title) or generality(f"{title} {text}") > 0


def is_of_person(card: Card) -> bool:
    """The person's own words, or made firm by them: no other's, none that an agent wrote down by itself, and no note of
    another tool until they looked at it."""
    if card.source.startswith(IMPORTED) and UNREVIEWED in card.tags:
        return False
    said = card.source == PERSON or card.source.startswith((CAPTURED, MODEL))
    return card.owner != TEAM and not card.author and (said or card.pinned or card.storage == DURABLE)


def called_preferences(
    connection: Connection, query: Query, named: frozenset[str], known: Container[str] = ()
) -> list[Card]:
    """Return what a person wants of practices, those first that are about these alone. ``known`` are ids of entries
    that are passed over."""
    collections = read_collections(connection, query)
    asked = product(collections, map(practice_term, sorted(named)))
    posted = tuple(posting(collection, term) for collection, term in asked)
    cards = [card for _, card in read_cards(connection, query, docs_holding(connection, posted, WEIGHED))]
    wishes = [card for card in cards if card.id not in known and _is_preference(card)]

    def order(card: Card) -> tuple[float, float, str]:
        practices = name_practices(terms(card.title))
        return -len(practices & named) / len(practices), -_worth(card, {}), card.path

    return sorted(wishes, key=order)[:CALLED]


def _is_preference(card: Card) -> bool:
    return (
        not card.flags
        and UNREVIEWED not in card.tags
        and holds_always(card.source, card.storage, card.title, card.excerpt)
    )


def _usual_terms(connection: Connection, query: Query, cards: list[Card]) -> dict[str, float]:
    """Return term -> share of all other entries that have it, of the terms of these titles."""
    said = chain.from_iterable(terms(_statement(card)) for card in cards)
    found = {term for term in said if not is_stop(term)}
    collections = read_collections(connection, query)
    total = max(1, sum(counted[0] for counted in collections.values()))
    known = read_frequencies(connection, sorted(found), collections)
    return {term: (sum(frequency.values()) - 1) / total for term, frequency in known.items()}


def _worth(card: Card, usual: dict[str, float]) -> float:
    said = _statement(card)
    shares = sorted((usual.get(term, 0.0) for term in dict.fromkeys(terms(said))), reverse=True)
    worth = (
        GENERAL * min(MOST, generality(said))
        + REFUSING * refuses(said)
        + RESTATED * min(MOST, card.evidence - 1)
        + USUAL * sum(shares[:MOST_USUAL])
        + NAME * count_names(said)
        + REQUEST * count_requests(said)
    )
    return worth / (1 + len(said) / LONG) if worth > 0 else worth


def _statement(card: Card) -> str:
    cut = card.title.removesuffix("...")
    return card.excerpt[:WHOLE] if cut != card.title and card.excerpt.startswith(cut) else card.title
