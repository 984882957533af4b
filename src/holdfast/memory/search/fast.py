"""A second index of the terms, by tantivy, that chooses candidates faster in a large store (extra ``fast``).

It is derived from the database, step by step as its journal says, and ``search`` does the ranking. It counts over all
entries, so it serves only readers who may see them all.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from math import log
from typing import Any

from holdfast.ground.storage.files import Lock, make_folders, read_text, write_atomic
from holdfast.ground.storage.user_folders import project_cache
from holdfast.memory.index.changes import docs_since, last_step, read_generation
from holdfast.memory.index.database import SEPARATOR
from holdfast.memory.index.terms import about
from holdfast.memory.search.candidates import count_by_conversation
from holdfast.memory.search.frequencies import read_collections
from holdfast.memory.search.postings import docs_holding
from holdfast.memory.search.search import Choice, choose_by_terms, load_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _sqlite3 import Connection

    from holdfast.memory.model.card import Query
    from holdfast.memory.search.parsed_query import ParsedQuery
    from holdfast.memory.search.ranking import Text

VERSION = 2
# With fewer entries the database is as fast, and needs nothing brought in step.
SMALLEST = 20_000
# So many entries are ranked, the fewer the more terms there are: each costs a look for each term; and so many times
# more are looked at where the filters leave few of those.
LEAST, MOST, LOOKS = 20, 28, 100
RESERVE = 16
# So many postings of rare terms are read from the database, where ranking wants them whole.
PLACES = 200
# Neighbour -> how often its words are repeated in the field ``near``; a question's answer comes next.
NEAR = ((-1, 4), (-2, 3), (1, 2), (2, 1))
ASKED = 2
NEAR_WORTH = 0.5
# Only the weightiest terms are looked for there.
NEAR_TERMS = 3
TITLE = 2
_HEAP = 200_000_000
_BATCH = 2000
_STEPS = (0, *(step for step, _ in NEAR))


class Fast:
    """The index in step with a database; ``searcher`` and ``schema`` are tantivy's."""

    def __init__(self, tantivy: Any, index: Any, schema: Any, state: dict[str, Any]) -> None:
        self.tantivy = tantivy
        self.schema = schema
        self.searcher = index.searcher()
        self.state = state

    def keeps_step(self, connection: Connection) -> bool:
        """Return whether nothing changed since in the database."""
        return self.state == _state(connection)

    def choose(self, connection: Connection, query: Query, parsed: ParsedQuery) -> Choice:
        """Return the entries that are worth ranking.

        They are chosen by their terms in the database where the filters leave few of those that are found here, or
        where the reader may not see all that is counted here.
        """
        total = connection.execute("SELECT count(*) FROM collections").fetchone()[0]
        if len(read_collections(connection, query)) != total:
            return choose_by_terms(connection, query, parsed)
        least = max(2 * query.limit, LEAST, min(MOST, LOOKS // max(1, len(parsed.terms))))
        for most in (least, RESERVE * least):
            docs = self._docs(parsed, most)
            texts = load_texts(connection, query, docs)
            if 2 * len(texts) >= least or len(docs) < most:
                kept = {doc: texts[doc] for doc in [doc for doc in docs if doc in texts][:least]}
                postings = _postings(connection, parsed)
                counts = count_by_conversation(postings, list(kept))
                return Choice(texts=kept, postings=postings, conversation_counts=counts)
        return choose_by_terms(connection, query, parsed)

    def _docs(self, parsed: ParsedQuery, most: int) -> list[int]:
        """Return the most promising doc ids, best first."""
        found = self.searcher.search(self._query(parsed), most, count=False)
        return list(self.searcher.fast_field_values("doc", [address for _, address in found.hits]))

    def _query(self, parsed: ParsedQuery) -> Any:
        """Return tantivy's query. Each term has the weight of ``parsed``, so tantivy's own weight by rarity is divided
        out."""
        content = [(term.text, term.weight, term.content_frequency) for term in parsed.terms]
        metadata = [(about(term.text), term.weight, term.metadata_frequency) for term in parsed.terms]
        own = [(text, weight / self._rarity(held)) for text, weight, held in content if held]
        who = [(text, weight / self._rarity(held)) for text, weight, held in metadata if held]
        parts = [self._part("own", text, weight) for text, weight in own + who]
        parts += [self._part("near", text, NEAR_WORTH * weight) for text, weight in own[:NEAR_TERMS]]
        return self.tantivy.Query.boolean_query([(self.tantivy.Occur.Should, part) for part in parts])

    def _part(self, field: str, text: str, weight: float) -> Any:
        query = self.tantivy.Query
        return query.boost_query(query.term_query(self.schema, field, text, "freq"), weight)

    def _rarity(self, entries: int) -> float:
        return log(1 + (max(0, self.searcher.num_docs - entries) + 0.5) / (entries + 0.5))


def installed() -> bool:
    """Return whether the package is there."""
    return find_spec("tantivy") is not None


def pays(connection: Connection) -> bool:
    """Return whether there are so many entries that the second index is worth keeping."""
    row = connection.execute("SELECT sum(entries) FROM collections").fetchone()
    return bool((row[0] or 0) >= SMALLEST)


def follow(shared: str, connection: Connection) -> Fast | None:
    """Return the index, brought in step with the database that ``connection`` reads.

    A damaged, foreign or missing one is rebuilt. None without tantivy, and where another process is at it or the disk
    refuses.
    """
    folder = fast_folder(shared)
    if not installed() or os.path.islink(folder):
        return None
    tantivy = importlib.import_module("tantivy")
    for _ in range(2):
        with _unless_broken(folder):
            return _follow(tantivy, shared, connection)
    return None


def describe(shared: str, connection: Connection) -> str:
    """Return one line for people: how searches find their candidates, and why."""
    if not installed():
        return "full-text search by SQLite; the extra holdfast[fast] is not installed"
    if not pays(connection):
        return f"full-text search by SQLite; tantivy is used from {SMALLEST:,} memories"
    if _read_state(fast_folder(shared)) != _state(connection):
        return "full-text search by tantivy, once its index is up to date"
    return "full-text search by tantivy"


def fast_folder(shared: str) -> str:
    """Return the folder of the index."""
    return os.path.join(project_cache(shared), "memory-fast")


def _follow(tantivy: Any, shared: str, connection: Connection) -> Fast | None:
    folder, schema = fast_folder(shared), _schema(tantivy)
    if _read_state(folder) != _state(connection):
        with Lock(os.path.join(shared, "cache", "locks", "memory-fast.lock"), 0.0) as held:
            if not held:
                return None
            _catch_up(tantivy, schema, folder, connection)
    return Fast(tantivy, tantivy.Index(schema, folder), schema, _read_state(folder))


def _catch_up(tantivy: Any, schema: Any, folder: str, connection: Connection) -> None:
    """Index what changed since the last time; all of it, where that was another database or another version.

    The state is written last, so that what was cut short is done again.
    """
    state, now = _read_state(folder), _state(connection)
    step = state.get("step", 0) if {**state, "step": 0} == {**now, "step": 0} else 0
    if not step:
        shutil.rmtree(folder, ignore_errors=True)
        make_folders(folder)
    writer = tantivy.Index(schema, folder).writer(_HEAP, 1)
    changed = {doc - step_to for doc in docs_since(connection, step) for step_to in _STEPS}
    # The newest first, because of equal ones the first is found.
    for docs in _batches(sorted(changed, reverse=True)):
        texts = _read_texts(connection, docs)
        for doc in docs:
            if step:
                writer.delete_documents_by_term("doc", doc)
            if doc in texts:
                writer.add_document(_document(tantivy, doc, texts))
    writer.commit()
    writer.wait_merging_threads()
    write_atomic(os.path.join(folder, "state.json"), json.dumps(now), follow=False)


def _schema(tantivy: Any) -> Any:
    builder = tantivy.SchemaBuilder()
    # An unsigned field would kill the writer: the package makes a signed number of every int.
    builder.add_integer_field("doc", indexed=True, fast=True)
    for field in ("own", "near"):
        builder.add_text_field(field, tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _document(tantivy: Any, doc: int, texts: dict[int, Text]) -> Any:
    """Return the entry with the words of its neighbours; ``texts`` holds them all."""
    content, metadata, *_ = texts[doc]
    title = content.partition(SEPARATOR)[0]
    document = tantivy.Document()
    document.add_integer("doc", doc)
    document.add_text("own", " ".join((*[title] * (TITLE - 1), content, metadata)))
    near = [texts[doc + step][0] for step, times in NEAR for _ in range(times * _asked(doc, step, texts))]
    document.add_text("near", " ".join(near))
    return document


def _asked(doc: int, step: int, texts: dict[int, Text]) -> int:
    if doc + step not in texts:
        return 0
    return ASKED if step == -1 and texts[doc + step][3] else 1


def _batches(docs: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(docs), _BATCH):
        yield docs[start : start + _BATCH]


def _read_texts(connection: Connection, docs: list[int]) -> dict[int, Text]:
    """Return the texts of these doc ids and of their neighbours."""
    sql = "SELECT doc, content, metadata, length, is_question, has_time, has_number FROM texts WHERE doc IN ({})"
    around = {doc + step for doc in docs for step in _STEPS}
    return {row[0]: row[1:] for row in connection.execute(sql.format(", ".join(map(str, around))))}


def _postings(connection: Connection, parsed: ParsedQuery) -> dict[str, frozenset[int]]:
    """Return the postings of the rarest terms."""
    postings, left = {}, PLACES
    for term in sorted(parsed.terms, key=lambda term: term.content_frequency):
        if 0 < term.content_frequency <= left:
            postings[term.text] = found = docs_holding(connection, term.content_postings, left)
            left -= len(found)
    return postings


def _state(connection: Connection) -> dict[str, Any]:
    tantivy = importlib.import_module("tantivy")
    return {
        "version": VERSION,
        "tantivy": getattr(tantivy, "__version__", ""),
        "generation": read_generation(connection),
        "step": last_step(connection),
    }


def _read_state(folder: str) -> dict[str, Any]:
    """Return the state that the index is in step with, empty for none."""
    try:
        state = json.loads(read_text(os.path.join(folder, "state.json")) or "{}")
    except ValueError:
        return {}
    return state if isinstance(state, dict) else {}


@contextmanager
def _unless_broken(folder: str) -> Iterator[None]:
    """End whatever a damaged index does to tantivy, panics included, and remove the index with it."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except sqlite3.Error:  # the database is at fault
        return
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
