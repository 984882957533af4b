"""The gate before the memories of a prompt: whether it earns any, and which (decision 6).

Separate from ``search``, which ranks whatever it is asked. Here nobody asked, so silence is the usual answer. What a
prompt and an entry have in common is counted over the index's postings alone, without reading a text.
"""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.memory.index.database import COLUMNS, posting, read_card
from holdfast.memory.index.filters import conditions, visible
from holdfast.memory.index.reading import STALE
from holdfast.memory.index.terms import is_stop, terms
from holdfast.memory.model.entry import PERSON
from holdfast.memory.model.tiers import current_tier
from holdfast.memory.model.types import PRIVATE_TYPES
from holdfast.memory.search.candidates import docs_holding
from holdfast.memory.search.frequencies import FEW, inverse_frequency, read_frequencies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection
    from collections.abc import Container
    from typing import Any

    from holdfast.memory.model.card import Card, Query

    # Doc id -> term -> how much having it in common is worth.
    Common = dict[int, dict[str, float]]

# Characters of a prompt that are read, terms of it that are looked up, rarest first, and postings read over all terms.
READ = 2000
LOOKED_UP = 24
POSTINGS = 1000
# Entries whose cards are read at a time, and in all.
CARDS, MOST_CARDS = 12, 60
# Worth of a part of an identifier or path, where the whole is worth 1; of a word of any request; of an entry that was
# concluded from an error, beside one that somebody stated.
PART, USUAL, CONCLUDED = 0.7, 0.6, 0.75
# A question may be shorter than a request by so many content words: "Where do release notes go?"
SHORTER = 1
# Signs that part identifiers from each other; what joins one ("_-.@") stays.
_PARTING = str.maketrans(dict.fromkeys('/\\()[]{}<>:;,=|`"', " "))
_PATHS = ("/", "\\")
# Beginnings of a full path, whose folders say where the project lies.
_ROOTS = ("/", "~")
# Terms of requests about anything, in en, pt, es and fr: they say what is wanted, and nothing of the subject.
_USUAL_TEXT = """
abrir acha actualiz add adicion ahead aider ajout ajud alter amelior anad answer apag archiv aregl arquiv arret
atualiz ayuda back belez besoin bien bit bom bon borr buena cambi certa chang check choos code codig coisa coloc comec
comenc comprendr comprob continu corecion coreg corig crea creat creer cria delet ecrir edit ejecut empez encontr
enlev entend ereur erra erro error escrev escrib essay explain explic expliqu facon faux favor fichi file find fine
fini finir finish fix garder good graci great hapen help implement improv intent issu jeita just know lancer leer ler
lign line linea linha lire lista look manda manter mejor melhor merci mettr mira modifi montr mostr move mover muda
necesit nice obrig ok okay olha open otim oui ouvr parar parfa pens penser pergunt pleas poner preciz pregunt proba
problem pronta put querer quescion quita read regard remov remplac renam replac repons respost respuest review revis
revoe rewrit right roda run saber savoe segu send sim start stop stuff suprim sure tempa temps tenta termin test testa
tester thank think tiempa time trabalh travail troca trouv try understand updat ver verifi voir vouloe want work write
wrong yeah yes
"""
USUAL_TERMS = frozenset(_USUAL_TEXT.split())


class Word(Value):
    """A word of a prompt: its terms, those of its parts among them.

    ``whole``: the term that is worth most, of the whole identifier where it is one.
    ``identifier``: whether it is an identifier or a file's name.
    """

    terms: tuple[str, ...]
    whole: str
    identifier: bool


def read_words(prompt: str) -> tuple[Word, ...]:
    """Return the prompt's words that say something about a subject, each once."""
    found: dict[str, Word] = {}
    for chunk in prompt[:READ].split():
        parts = [part for part in chunk.translate(_PARTING).split() if part.strip("._-@'*!?")]
        if chunk.strip("`'\"([{<").startswith(_ROOTS):
            parts = parts[-1:]
        folders = any(sign in chunk for sign in _PATHS)
        for part in parts:
            word = _read_word(part, folders and part is not parts[-1])
            if word is not None:
                found.setdefault(word.whole or word.terms[0], word)
    return tuple(found.values())


def may_earn(prompt: str, words: tuple[Word, ...], least: int) -> bool:
    """Return whether the prompt says enough for memories to be looked for; ``least``: content words of a request."""
    content = {word.terms[0] for word in words if word.terms[0] not in USUAL_TERMS}
    asks = prompt.rstrip(" \t\r\n\"'`*_)").endswith(("?", "\uff1f", "\u061f"))
    return len(content) >= least - SHORTER * asks


def earned(
    connection: Connection,
    query: Query,
    words: tuple[Word, ...],
    settings: dict[str, Any],
    known: Container[str] = (),
) -> list[Card]:
    """Return the cards that the prompt's words earn, those with most in common first, ``query.limit`` at most.

    An entry is earned by two terms in common that are rare enough together (``gate.evidence``, where 1 is the rarity of
    a term that one entry alone holds), or by an identifier or a file's name (``gate.identifier``). A cold one is earned
    by the second only, and comes without its excerpt. ``known`` are ids of entries that are passed over.
    """
    gate = settings["gate"]
    common, named = _count_common(connection, query, words, gate["identifier"])
    worth = {doc: sum(held.values()) for doc, held in common.items()}
    passed = [
        doc for doc, total in worth.items() if doc in named or (total >= gate["evidence"] and len(common[doc]) > 1)
    ]
    passed.sort(key=lambda doc: (-worth[doc], -doc))
    found: list[tuple[float, Card]] = []
    for start in range(0, min(len(passed), MOST_CARDS), CARDS):
        for doc, card in _read_cards(connection, query, passed[start : start + CARDS]):
            if card.id in known:
                continue
            if current_tier(card, query.now, settings) == "cold":
                if doc not in named:
                    continue
                card = card.replace(excerpt="")
            found.append((worth[doc] * _trust(card), card))
        if len(found) >= query.limit:
            break
    found.sort(key=lambda each: (-each[0], -each[1].created, each[1].path))
    return [card for _, card in found[: query.limit]]


def is_concluded(card: Card) -> bool:
    """Return whether the entry was concluded from what happened, and not stated by anybody."""
    return card.type in PRIVATE_TYPES and card.source != PERSON


def _read_word(part: str, is_folder: bool) -> Word | None:
    found = [term for term in dict.fromkeys(terms(part)) if not is_stop(term) and not _is_small_number(term)]
    if not found:
        return None
    longest = max(map(len, found[:-1]), default=0)
    identifier = len(found) > 1 and len(found[-1]) > longest
    whole = found[-1] if identifier else found[0] if len(found) == 1 else ""
    return Word(terms=tuple(found), whole="" if is_folder else whole, identifier=identifier and not is_folder)


def _is_small_number(term: str) -> bool:
    """Return whether the term is a number that numbers something, as in a list or a choice."""
    return len(term) < 3 and term.isdigit()


def _count_common(
    connection: Connection, query: Query, words: tuple[Word, ...], telling: float
) -> tuple[Common, set[int]]:
    """Return what each entry has in common with the prompt, and the entries that share an identifier of at least this
    rarity."""
    collections = _read_collections(connection, query)
    total = max(FEW, sum(collections.values()))
    asked = list(dict.fromkeys(term for word in words for term in word.terms))
    known = read_frequencies(connection, asked, collections)
    once = inverse_frequency(1, total)
    rarity = {term: inverse_frequency(sum(held.values()), total) / once for term, held in known.items()}
    holders = _look_up(connection, known, rarity)
    common: Common = {}
    named: set[int] = set()
    for word in words:
        for doc, (worth, term) in _best_terms(word, holders, rarity).items():
            held = common.setdefault(doc, {})
            held[term] = max(worth, held.get(term, 0.0))
        if word.identifier and rarity.get(word.whole, 0.0) >= telling:
            named |= holders.get(word.whole, frozenset())
    return common, named


def _best_terms(
    word: Word, holders: dict[str, frozenset[int]], rarity: dict[str, float]
) -> dict[int, tuple[float, str]]:
    """Return doc id -> (worth, term) of the term of this word that is worth most there."""
    best: dict[int, tuple[float, str]] = {}
    for term in word.terms:
        worth = rarity.get(term, 0.0) * (1.0 if term == word.whole else PART) * (USUAL if term in USUAL_TERMS else 1.0)
        for doc in holders.get(term, ()):
            if doc not in best or worth > best[doc][0]:
                best[doc] = (worth, term)
    return best


def _read_collections(connection: Connection, query: Query) -> dict[int, int]:
    """Return collection -> its entries, for the collections in which the query looks."""
    where, values = visible(query.owners)
    marks = ", ".join("?" * len(query.states))
    sql = f"SELECT c.collection, c.entries FROM collections c WHERE {where} AND c.state IN ({marks})"
    return dict(connection.execute(sql, (*values, *query.states)))


def _look_up(
    connection: Connection, known: dict[str, dict[int, int]], rarity: dict[str, float]
) -> dict[str, frozenset[int]]:
    """Return term -> the entries that hold it, for the rarest terms."""
    left, holders = POSTINGS, {}
    for term in sorted(known, key=lambda term: -rarity[term])[:LOOKED_UP]:
        if left <= 0:
            break
        posted = tuple(posting(collection, term) for collection in known[term])
        holders[term] = docs_holding(connection, posted, left)
        left -= len(holders[term])
    return holders


def _read_cards(connection: Connection, query: Query, docs: list[int]) -> list[tuple[int, Card]]:
    """Return (doc id, card) of these, so far as the filters leave them; a digest never comes by itself."""
    where, values = conditions(query.replace(digests=False))
    listed = ", ".join(map(str, docs))
    sql = f"SELECT c.doc, {COLUMNS} FROM cards c INDEXED BY card_docs WHERE c.doc IN ({listed}) AND {where}"
    return [(row[0], read_card(row[1:])) for row in connection.execute(sql, values)]


def _trust(card: Card) -> float:
    """Return the factor by which what an entry has in common counts: what was stated comes before what was concluded
    from an error, and what holds before what may be stale."""
    return (CONCLUDED if is_concluded(card) else 1.0) * (STALE if card.stale else 1.0)
