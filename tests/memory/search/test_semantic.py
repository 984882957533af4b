"""Search by meaning, with an encoder that knows a few words of the same meaning and needs no model."""

import hashlib
import os
import sqlite3
from contextlib import closing

import pytest

from holdfast.memory.index import sync as index
from holdfast.memory.index.reading import open_index
from holdfast.memory.model.card import Query
from holdfast.memory.search import semantic, vectors
from holdfast.memory.search.retrieval import Retrieval

from ..indexes import NOW, SETTINGS, indexed, make_entry, path_of, write

numpy = pytest.importorskip("numpy", reason="the extra semantic is not installed")
SAME = {"automobile": "car", "vehicle": "car", "physician": "doctor", "purchase": "buy"}


class Words:
    """A word is a direction; a text the sum of its words. Words of the same meaning are the same word."""

    name = "words"
    dimensions = 64

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked += texts
        return numpy.stack([self._unit(self._rows(text).sum(axis=0)) for text in texts])

    def pieces(self, texts):
        return [(self._words(text), self._rows(text)) for text in texts]

    def _words(self, text):
        found = [word.strip(".,:?").lower() for word in text.split()]
        return [SAME.get(word, word) for word in found if word] or ["nothing"]

    def _rows(self, text):
        return numpy.stack([self._direction(word) for word in self._words(text)])

    def _direction(self, word):
        raw = b"".join(hashlib.sha256(f"{number}{word}".encode()).digest() for number in range(2))
        return self._unit(numpy.frombuffer(raw, dtype="uint8").astype("float32") - 127.5)

    def _unit(self, row):
        return row / ((row * row).sum() ** 0.5 + 1e-9)


class Whole(Words):
    """Knows texts only as a whole."""

    def pieces(self, texts):
        raise NotImplementedError


@pytest.fixture
def encoder():
    return Words()


def ask(shared, encoder, text, **fields):
    """The last letters that tell the entries apart, best first."""
    with closing(open_index(shared)) as connection:
        query = Query(**{"text": text, "owners": None, "now": NOW, **fields})
        return [hit.card.id[15] for hit in Retrieval(shared, SETTINGS, encoder).search(connection, query)]


def store(shared):
    return indexed(
        shared,
        [
            make_entry("b", "Bought a car", "It was red."),
            make_entry("c", "The doctor called", "About the results."),
            make_entry("d", "Lunch", "Soup and bread."),
        ],
    )


@pytest.mark.parametrize("kind", [Words, Whole])
def test_what_means_the_same_is_found_without_a_common_word(shared, kind):
    store(shared)
    assert ask(shared, kind(), "automobile")[0] == "b"
    assert ask(shared, kind(), "physician")[0] == "c"


def test_words_still_count(shared, encoder):
    indexed(shared, [make_entry("b", "A vehicle"), make_entry("c", "An automobile")])
    assert ask(shared, encoder, "automobile")[0] == "c"


@pytest.mark.parametrize("fields", [{"owners": ("shared",)}, {"agent": "qa"}])
def test_what_the_filters_leave_out_is_not_found_by_its_meaning(shared, encoder, fields):
    placed = [
        (path_of("b", "dev"), make_entry("b", "A car", agent="dev")),
        (path_of("c"), make_entry("c", "Soup", agent="qa")),
    ]
    index.index_entries(shared, placed, SETTINGS, NOW)
    assert "b" not in ask(shared, encoder, "automobile", **fields)


def test_only_what_changed_is_encoded_again(shared, encoder):
    for name in "bcd":
        write(shared, path_of(name), make_entry(name, f"Title {name}"))
    index.refresh(shared, SETTINGS, NOW)
    ask(shared, encoder, "nothing")
    encoder.asked.clear()
    write(shared, path_of("c"), make_entry("c", "Bought a car"))
    index.refresh(shared, SETTINGS, NOW)
    assert ask(shared, encoder, "automobile")[0] == "c"
    assert encoder.asked == ["Bought a car", "automobile"]


def test_an_index_made_anew_needs_nothing_encoded_again(shared, encoder):
    store(shared)
    ask(shared, encoder, "nothing")
    encoder.asked.clear()
    store(shared)
    assert ask(shared, encoder, "automobile")[0] == "b"
    assert encoder.asked == ["automobile"]


def test_what_was_removed_leaves_no_vector(shared, encoder):
    full = write(shared, path_of("b"), make_entry("b", "A car"))
    write(shared, path_of("c"), make_entry("c", "Soup"))
    index.refresh(shared, SETTINGS, NOW)
    ask(shared, encoder, "nothing")
    os.unlink(full)
    index.refresh(shared, SETTINGS, NOW)
    ask(shared, encoder, "nothing")
    with closing(sqlite3.connect(vectors.vectors_path(shared))) as database:
        assert database.execute("SELECT count(*) FROM vectors").fetchone() == (1,)


def test_an_entry_is_understood_with_its_neighbours(shared, encoder):
    """The answer to a question holds none of its words."""
    said = ["Which car is it?", "The red one", "Soup for lunch"]
    timestamps = [f"2026-11-21T10:0{number}:00Z" for number in range(3)]
    indexed(
        shared,
        [
            make_entry(name, text, session="s", created_at=timestamp)
            for name, text, timestamp in zip("bcd", said, timestamps, strict=True)
        ],
    )
    assert ask(shared, encoder, "automobile").index("c") < ask(shared, encoder, "automobile").index("d")


def test_vectors_of_another_encoder_are_not_used(shared, encoder):
    store(shared)
    ask(shared, encoder, "nothing")
    other = Words()
    other.name = "others"
    ask(shared, other, "nothing")
    assert "Bought a car\nIt was red." in other.asked


@pytest.mark.parametrize("raw", [b"", b"no database at all" * 100])
def test_damaged_vectors_are_made_anew(shared, encoder, raw):
    store(shared)
    ask(shared, encoder, "nothing")
    with open(vectors.vectors_path(shared), "wb") as file:
        file.write(raw)
    assert ask(shared, encoder, "automobile")[0] == "b"


def test_vectors_that_are_a_view_are_made_anew(shared, encoder):
    """Its query does not end."""
    store(shared)
    ask(shared, encoder, "nothing")
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i encoder, i generation, i step"
    with closing(sqlite3.connect(vectors.vectors_path(shared))) as database:
        database.executescript(f"DROP TABLE state; CREATE VIEW state AS {endless} FROM n WHERE i < 0")
    assert ask(shared, encoder, "automobile")[0] == "b"


def test_a_link_in_their_place_is_not_followed(shared, encoder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "victim"
    outside.write_bytes(b"mine")
    store(shared)
    os.symlink(outside, vectors.vectors_path(shared))
    assert ask(shared, encoder, "car") == ["b", "d"]
    assert outside.read_bytes() == b"mine"
    assert not os.path.islink(vectors.vectors_path(shared))


def test_a_journal_beside_the_vectors_is_not_obeyed(shared, encoder):
    """It could name a file to delete; the vectors are made anew."""
    store(shared)
    ask(shared, encoder, "car")
    journal = vectors.vectors_path(shared) + "-journal"
    with open(journal, "wb") as file:
        file.write(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\0" * 504)
    assert vectors.read_state(shared) is None
    assert ask(shared, encoder, "car") == ["b", "d"]
    assert not os.path.exists(journal)


@pytest.mark.skipif(os.name == "nt", reason="no such modes there")
def test_only_the_owner_may_read_vectors(shared, encoder):
    store(shared)
    ask(shared, encoder, "nothing")
    assert os.stat(vectors.vectors_path(shared)).st_mode & 0o777 == 0o600


def test_an_empty_store_has_nothing_to_find(shared, encoder):
    indexed(shared, [])
    assert ask(shared, encoder, "automobile") == []


def test_the_weight_of_meaning_may_be_nought(shared, encoder):
    store(shared)
    settings = {**SETTINGS, "semantic": {"encoder": "", "weight": 0.0}}
    with closing(open_index(shared)) as connection:
        query = Query(text="car", owners=None, now=NOW)
        hits = Retrieval(shared, settings, encoder).search(connection, query)
    assert hits[0].card.id[15] == "b"


def test_what_may_not_be_seen_takes_no_place_among_what_is_close_in_meaning(shared, encoder, monkeypatch):
    monkeypatch.setattr(semantic, "LOOKED_AT", 3)
    mine = [(path_of("b"), make_entry("b", "A vehicle")), (path_of("c"), make_entry("c", "Soup"))]
    theirs = [(path_of(name, "zoe"), make_entry(name, "automobile")) for name in "defg"]
    index.index_entries(shared, [*mine, *theirs], SETTINGS, NOW)
    assert ask(shared, encoder, "car", owners=("shared",))[0] == "b"
