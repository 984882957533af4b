"""Candidates from tantivy: the same results as without it, in step with the index, and never needed."""

import os
import random
from contextlib import closing

import pytest

from holdfast.ground.storage.files import Lock
from holdfast.memory.index import sync as index
from holdfast.memory.index.reading import open_index
from holdfast.memory.model.card import Query
from holdfast.memory.search import fast
from holdfast.memory.search.retrieval import Retrieval
from holdfast.memory.search.search import choose_by_terms, search

from ..indexes import NOW, SETTINGS, indexed, make_entry, path_of, write

WORDS = (
    "cache",
    "redis",
    "login",
    "token",
    "schema",
    "retry",
    "queue",
    "deploy",
    "staging",
    "socket",
    "parser",
    "lock",
)


@pytest.fixture
def connect(shared):
    """The index, opened anew at each call."""
    opened = []

    def opening():
        opened.append(open_index(shared))
        return opened[-1]

    yield opening
    for connection in opened:
        connection.close()


def entries(count, seed=1):
    """Entries of some words each, in conversations of five, all of one age."""
    dice = random.Random(seed)
    return [
        make_entry(
            "".join("abcdefghijklmnopqrstuvwxyz234567"[number >> shift & 31] for shift in (5, 0)),
            " ".join(dice.sample(WORDS, 2)),
            " ".join(dice.choices(WORDS, k=dice.randint(3, 12))),
            session=f"s{number // 5}",
        )
        for number in range(count)
    ]


def both(connection, shared, text, **fields):
    """The ids that are found with tantivy and without."""
    query = Query(**{"text": text, "owners": None, "now": NOW, **fields})
    engine = fast.follow(shared, connection)
    assert engine is not None
    quick = search(connection, query, SETTINGS, choose=engine.choose)
    return [hit.card.id for hit in quick], [hit.card.id for hit in search(connection, query, SETTINGS)]


def need_tantivy():
    pytest.importorskip("tantivy", reason="the extra fast is not installed")


@pytest.mark.parametrize("text", ["redis cache", "why does the login token fail", "deploy", "staging socket parser"])
def test_the_ten_best_are_those_that_are_found_without_it(shared, connect, text):
    need_tantivy()
    indexed(shared, entries(30))
    quick, usual = both(connect(), shared, text)
    assert quick == usual
    assert quick


def test_most_of_the_ten_best_are_the_same_in_a_larger_store(shared, connect):
    need_tantivy()
    indexed(shared, entries(800))
    connection = connect()
    pairs = [both(connection, shared, f"{first} {second}") for first, second in zip(WORDS, WORDS[1:], strict=False)]
    assert sum(len(set(quick) & set(usual)) for quick, usual in pairs) >= 0.6 * sum(len(usual) for _, usual in pairs)


def test_what_was_edited_added_and_removed_is_followed(shared, connect):
    need_tantivy()
    for name in "bcd":
        write(shared, path_of(name), make_entry(name, "redis cache"))
    index.refresh(shared, SETTINGS, NOW)
    assert len(both(connect(), shared, "redis")[0]) == 3
    write(shared, path_of("b"), make_entry("b", "a login token"))
    write(shared, path_of("e"), make_entry("e", "redis again"))
    os.unlink(os.path.join(shared, "memories", *path_of("c").split("/")))
    index.refresh(shared, SETTINGS, NOW)
    found, usual = both(connect(), shared, "redis")
    assert sorted(found) == sorted(usual) == ["mem-2026-11-21-daaaaaaa", "mem-2026-11-21-eaaaaaaa"]
    assert both(connect(), shared, "login")[0] == ["mem-2026-11-21-baaaaaaa"]


def test_only_what_changed_is_indexed_again(shared, connect, monkeypatch):
    need_tantivy()
    for number, entry in enumerate(entries(20)):
        write(shared, path_of(f"m{number}"), entry)
    index.refresh(shared, SETTINGS, NOW)
    assert fast.follow(shared, connect())
    written = []
    real = fast._document
    monkeypatch.setattr(fast, "_document", lambda tantivy, doc, texts: written.append(doc) or real(tantivy, doc, texts))
    write(shared, path_of("m3"), entries(20)[3].replace(body="quite another body"))
    index.refresh(shared, SETTINGS, NOW)
    assert fast.follow(shared, connect())
    assert 1 <= len(written) <= 1 + len(fast.NEAR)


def test_an_index_made_anew_is_followed_whole(shared, connect):
    need_tantivy()
    indexed(shared, [make_entry("b", "redis cache"), make_entry("c", "login token")])
    assert fast.follow(shared, connect())
    indexed(shared, [make_entry("d", "redis once more")])
    assert both(connect(), shared, "redis") == (["mem-2026-11-21-daaaaaaa"],) * 2
    assert both(connect(), shared, "login")[0] == []


@pytest.mark.parametrize("kept", [0, 5, 40])
def test_a_damaged_index_is_made_anew(shared, connect, kept):
    need_tantivy()
    indexed(shared, entries(40))
    assert fast.follow(shared, connect())
    folder = fast.fast_folder(shared)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if name != "state.json":
            with open(path, "r+b") as file:
                file.truncate(min(kept, os.path.getsize(path)))
    quick, usual = both(connect(), shared, "redis cache")
    assert quick == usual


@pytest.mark.parametrize("state", ["", "[]", "{", '{"version": 0}', '{"version": 2, "step": "x"}'])
def test_a_spoilt_state_is_no_harm(shared, connect, state):
    need_tantivy()
    indexed(shared, entries(10))
    assert fast.follow(shared, connect())
    with open(os.path.join(fast.fast_folder(shared), "state.json"), "w") as file:
        file.write(state)
    quick, usual = both(connect(), shared, "redis cache")
    assert quick == usual


def test_what_may_not_be_seen_is_not_found(shared, connect):
    need_tantivy()
    placed = [(path_of("b", "dev"), make_entry("b", "redis")), (path_of("c"), make_entry("c", "redis"))]
    index.index_entries(shared, placed, SETTINGS, NOW)
    assert both(connect(), shared, "redis", owners=("shared",)) == (["mem-2026-11-21-caaaaaaa"],) * 2


def test_what_may_not_be_seen_changes_nothing_of_what_is_found(shared, connect):
    need_tantivy()
    shown = []
    for theirs in (entries(900, seed=2), []):
        mine = [(path_of(entry.id), entry) for entry in entries(60)]
        index.index_entries(shared, [*mine, *((path_of(each.id, "zoe"), each) for each in theirs)], SETTINGS, NOW)
        shown.append(both(connect(), shared, "redis cache staging", owners=("shared", "dev")))
    assert shown[0] == shown[1]


def test_a_filter_never_starves_the_result(shared, connect):
    """However many entries that the filter leaves out are better."""
    need_tantivy()
    many = [entry.replace(title="redis redis", body="redis", agent="architect") for entry in entries(900)]
    indexed(shared, [*many, make_entry("zzzz", "a redis among many other words", agent="dev")])
    assert both(connect(), shared, "redis", agent="dev")[0] == ["mem-2026-11-21-zzzzaaaa"]


def test_while_another_process_brings_it_in_step_there_is_none(shared, connect):
    need_tantivy()
    indexed(shared, entries(5))
    with Lock(os.path.join(shared, "cache", "locks", "memory-fast.lock"), 0.0):
        assert fast.follow(shared, connect()) is None


def test_a_link_in_its_place_is_not_followed(shared, connect, tmp_path_factory):
    need_tantivy()
    outside = tmp_path_factory.mktemp("outside")
    indexed(shared, entries(5))
    os.symlink(outside, fast.fast_folder(shared))
    assert fast.follow(shared, connect()) is None
    assert os.listdir(outside) == []


def test_an_empty_store_has_nothing_to_find(shared, connect):
    need_tantivy()
    indexed(shared, [])
    assert both(connect(), shared, "redis") == ([], [])


def test_without_the_package_there_is_none_and_one_line_says_so(shared, connect, monkeypatch):
    monkeypatch.setattr(fast, "installed", lambda: False)
    indexed(shared, entries(5))
    connection = connect()
    assert fast.follow(shared, connection) is None
    assert "holdfast[fast] is not installed" in fast.describe(shared, connection)
    assert not os.path.exists(fast.fast_folder(shared))


def test_a_small_store_does_without_it_and_one_line_says_so(shared, connect):
    need_tantivy()
    indexed(shared, entries(5))
    connection = connect()
    assert Retrieval(shared, SETTINGS).search(connection, Query(text="redis cache login", owners=None, now=NOW))
    assert "from 20,000 memories" in fast.describe(shared, connection)
    assert not os.path.exists(fast.fast_folder(shared))


def test_a_large_store_is_searched_with_it(shared, connect, monkeypatch):
    need_tantivy()
    monkeypatch.setattr(fast, "SMALLEST", 30)
    indexed(shared, entries(30))
    connection = connect()
    hits = Retrieval(shared, SETTINGS).search(connection, Query(text="redis cache", owners=None, now=NOW))
    assert [hit.card.id for hit in hits] == both(connection, shared, "redis cache")[1]
    assert os.path.exists(fast.fast_folder(shared))


def test_a_line_says_whether_it_is_in_step(shared, connect, monkeypatch):
    need_tantivy()
    monkeypatch.setattr(fast, "SMALLEST", 0)
    indexed(shared, entries(5))
    connection = connect()
    assert "once" in fast.describe(shared, connection)
    assert fast.follow(shared, connection)
    assert fast.describe(shared, connection).endswith("by tantivy")


def test_its_choice_is_given_to_the_same_ranking(shared, connect):
    need_tantivy()
    indexed(shared, entries(30))
    connection = connect()
    engine = fast.follow(shared, connection)
    assert engine is not None
    with closing(open_index(shared)) as other:
        query = Query(text="redis", owners=None, now=NOW)
        quick = search(connection, query, SETTINGS, choose=engine.choose)
        usual = search(other, query, SETTINGS, choose=choose_by_terms)
    assert [(hit.card.id, hit.score) for hit in quick] == [(hit.card.id, hit.score) for hit in usual]
