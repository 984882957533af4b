"""Search by meaning as well as by words (extra ``semantic``): a model's cosines are added to the scores of words.

Fusing ranks instead measured worse than words alone (decision 25).
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from math import log

from holdfast.ground.values import Value
from holdfast.memory.index.database import POSITIONS
from holdfast.memory.index.terms import terms
from holdfast.memory.search import vectors
from holdfast.memory.search.candidates import count_by_conversation
from holdfast.memory.search.encoders import Array, Encoder
from holdfast.memory.search.frequencies import read_collections
from holdfast.memory.search.ranking import SHIPPED, signal_factor
from holdfast.memory.search.search import Choice, choose_by_terms, load_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from holdfast.memory.model.card import Query
    from holdfast.memory.search.parsed_query import ParsedQuery
    from holdfast.memory.search.search import Choose, Scores

# So many entries come in by their meaning alone, out of so many that are looked at.
ADDED, LOOKED_AT = 50, 2000
# Of so many the words are compared one by one.
COMPARED = 30
# So many rows are widened at a time.
_CHUNK = 8192
_REMEMBERED = 512


class Fusion(Value):
    """Weights of meaning beside an entry's words, which count 1.

    ``meaning``: of the entry's cosine.
    ``pieces``: of how well each word of the question is met in the entry alone.
    ``pieces_after``: of the same in the entry with the one before it.
    """

    meaning: float = 0.25
    pieces: float = 0.3
    pieces_after: float = 0.2


FUSED = Fusion()
Pieces = tuple[list[str], Array]


class Semantic:
    """The vectors of one state of the index, in memory, with the encoder that made them."""

    def __init__(self, shared: str, encoder: Encoder, fusion: Fusion = FUSED) -> None:
        """Raise sqlite3.Error or ValueError where the vectors cannot be read."""
        self.encoder = encoder
        self.fusion = fusion
        self.state = vectors.read_state(shared)
        self.docs, self.rows = vectors.read_rows(shared, encoder.dimensions)
        self._pieces: dict[str, Pieces] = {}

    def similar(self, text: str, rows: Array) -> Array:
        """Return the cosine of each of the rows with this text."""
        numpy = import_module("numpy")
        question = numpy.asarray(self.encoder.encode([text])[0], dtype="float32")
        parts = [rows[at : at + _CHUNK].astype("float32") @ question for at in range(0, len(rows), _CHUNK)]
        return numpy.concatenate(parts) if parts else numpy.zeros(0, dtype="float32")

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """Return the words of these texts, which are remembered for the next question."""
        new = list(dict.fromkeys(text for text in texts if text not in self._pieces))
        if len(self._pieces) + len(new) > _REMEMBERED:
            self._pieces.clear()
            new = list(dict.fromkeys(texts))
        self._pieces.update(zip(new, self.encoder.pieces(new) if new else [], strict=True))
        return [self._pieces[text] for text in texts]


class Asked:
    """One question: ``choose`` and ``rescore`` as ``search`` takes them."""

    def __init__(self, semantic: Semantic, connection: Connection, inner: Choose = choose_by_terms) -> None:
        self.semantic = semantic
        self.connection = connection
        self.inner = inner
        self.question = ""
        self.worth: dict[int, float] = {}

    def choose(self, connection: Connection, query: Query, parsed: ParsedQuery) -> Choice:
        """Return what the words choose, and what is closest in meaning among the entries that the query's filters
        leave."""
        chosen = self.inner(connection, query, parsed)
        self.question = query.text
        docs, rows = self._visible(query)
        worth = self.semantic.similar(bare(query.text, parsed), rows)
        self.worth = dict(zip(docs.tolist(), worth.tolist(), strict=True))
        near = [int(docs[at]) for at in (-worth).argsort(kind="stable")[:LOOKED_AT]]
        added: dict[int, tuple[str, str, int, int, int, int]] = {}
        for start in range(0, len(near), 2 * ADDED):
            part = near[start : start + 2 * ADDED]
            found = load_texts(connection, query, part)
            added |= {doc: found[doc] for doc in part if doc in found}
            if len(added) >= ADDED:
                break
        texts = chosen.texts | dict(list(added.items())[:ADDED])
        return chosen.replace(texts=texts, conversation_counts=count_by_conversation(chosen.postings, texts))

    def rescore(self, choice: Choice, parsed: ParsedQuery, scores: Scores) -> Scores:
        """Return the scores of words and of meaning in one, on the scale of the words'."""
        if not scores:
            return scores
        scale, fusion = max(score for score, _ in scores.values()) or 1.0, self.semantic.fusion
        sign = {doc: signal_factor(text, parsed, SHIPPED) for doc, text in choice.texts.items()}
        words = {doc: score / scale for doc, (score, _) in scores.items()}
        fused = _add(words, fusion.meaning, {doc: self.worth.get(doc, 0.0) for doc in scores}, sign)
        ahead = sorted(fused, key=lambda doc: (fused[doc], doc), reverse=True)[:COMPARED]
        for weight, met in zip((fusion.pieces, fusion.pieces_after), self._compare(ahead), strict=True):
            fused = _add(fused, weight, met, sign)
        whole = 1 + fusion.meaning + fusion.pieces + fusion.pieces_after
        return {doc: (scale * fused[doc] / whole, relevance) for doc, (_, relevance) in scores.items()}

    def _visible(self, query: Query) -> tuple[Array, Array]:
        """Return the doc ids whose entries may be seen, with their rows: others must not take the place of these."""
        docs, rows = self.semantic.docs, self.semantic.rows
        if query.owners is None:
            return docs, rows
        collections = ", ".join(map(str, read_collections(self.connection, query)))
        sql = f"SELECT conversation FROM conversations WHERE collection IN ({collections})"
        visible = [conversation for (conversation,) in self.connection.execute(sql)]
        kept = import_module("numpy").isin(docs >> POSITIONS, visible)
        return docs[kept], rows[kept]

    def _compare(self, docs: Sequence[int]) -> tuple[dict[int, float], dict[int, float]]:
        """Return how well each word of the question is met in these entries: (alone, after the one before it).

        Words that many of them hold count little.
        """
        texts = vectors.read_entry_texts(self.connection, {doc + step for doc in docs for step in (-1, 0)})
        views = {doc: vectors.views(doc, texts) for doc in docs if doc in texts}
        try:
            asked, *found = self.semantic.pieces(
                [self.question, *(view for each in views.values() for view in each[:2])]
            )
        except NotImplementedError:
            return {}, {}
        alone, after = found[::2], found[1::2]
        weights = _rarity(asked[0], [pieces for pieces, _ in alone])
        return _meet(asked, weights, views, alone), _meet(asked, weights, views, after)


def bare(text: str, parsed: ParsedQuery) -> str:
    """Return the question without the words that tell who recorded entries and when: they are no part of a subject."""
    told = {term.text for term in parsed.terms if term.metadata_frequency}
    kept = [word for word in text.split() if told.isdisjoint(terms(word))]
    return " ".join(kept) or text


def spread(values: dict[int, float]) -> dict[int, float]:
    """Return the values scaled from 0 for the least to 1 for the most."""
    least, most = min(values.values(), default=0.0), max(values.values(), default=0.0)
    return {doc: (value - least) / ((most - least) or 1.0) for doc, value in values.items()}


def load(shared: str, connection: Connection, encoder: Encoder, fusion: Fusion = FUSED) -> Semantic | None:
    """Return the vectors in step with the index, None where they are unavailable."""
    try:
        vectors.follow(shared, connection, encoder)
        return Semantic(shared, encoder, fusion)
    except (OSError, ValueError, sqlite3.Error):
        return None


def _add(values: dict[int, float], weight: float, others: dict[int, float], sign: dict[int, float]) -> dict[int, float]:
    """Return the values with the others added in proportion; what is no part of the others counts as their least."""
    worth = spread(others)
    return {doc: value + weight * worth.get(doc, 0.0) * sign[doc] for doc, value in values.items()}


def _meet(asked: Pieces, weights: Sequence[float], docs: Iterable[int], found: Sequence[Pieces]) -> dict[int, float]:
    """Return doc id -> its best match for each word of the question, added up by the words' weights."""
    words, rows = asked
    return {
        doc: sum(weight * best for weight, best in zip(weights, (each @ rows.T).max(axis=0).tolist(), strict=True))
        for doc, (pieces, each) in zip(docs, found, strict=True)
        if pieces and words
    }


def _rarity(asked: Sequence[str], found: Sequence[Sequence[str]]) -> list[float]:
    """Return the inverse document frequency of BM25 within what is compared."""
    counts = Counter(piece for pieces in found for piece in set(pieces))
    return [log(1 + (len(found) - counts[piece] + 0.5) / (counts[piece] + 0.5)) for piece in asked]
