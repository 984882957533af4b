"""Cards as their readers may see them: listed, by id, the hottest, counted."""

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.ground.storage.files import write_atomic
from limpet.memory.index.reading import (
    attention_with_staleness,
    card_by_id,
    counts,
    get_cards,
    hottest,
    know_tiers,
    open_index,
    uncounted,
)
from limpet.memory.model.attention import sector_relevance
from limpet.memory.model.entry import Query

from ..indexes import NOW, SETTINGS, cards, index_entries, indexed, make_entry, path_of

DAY = 86_400


@pytest.fixture
def private(shared):
    """An open index with an entry of everybody's, one of ``dev``'s and one of ``architect``'s."""
    placed = [
        (path_of(owner, owner), make_entry(name, owner))
        for owner, name in (("shared", "b"), ("dev", "c"), ("architect", "d"))
    ]
    index_entries(shared, placed)
    connection = open_index(shared)
    know_tiers(connection, SETTINGS, NOW)
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("owners", "seen"),
    [
        (None, {"shared", "dev", "architect"}),
        (("shared", "dev"), {"shared", "dev"}),
        (("shared",), {"shared"}),
        (("nobody",), set()),
        ((), set()),
    ],
)
def test_every_way_to_a_card_shows_the_owners_ones_only(private, owners, seen):
    query = Query(owners=owners, now=NOW)
    assert {card.title for card in get_cards(private, query)} == seen
    assert {hit.card.title for hit in hottest(private, query, "dev", SETTINGS, 9)} == seen
    ids = [make_entry(name).id for name in "bcdz"]
    assert {card.title for name in ids if (card := card_by_id(private, name, owners))} == seen
    assert counts(private, owners)["owner"] == dict.fromkeys(sorted(seen), 1)


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ({"sector": "semantic"}, {"one"}),
        ({"tier": "hot"}, {"one"}),
        ({"tag": "auth"}, {"one"}),
        ({"tag": "aut"}, set()),
        ({"type": "gotcha"}, {"one"}),
        ({"session": "s1"}, {"one"}),
        ({"storage": "durable"}, {"one", "two"}),
        ({"storage": "daily"}, set()),
        ({"since": 1795255201.0}, {"one"}),
        ({"until": 1795255201.0}, {"two"}),
        ({"type": "gotcha", "tag": "api", "session": "s1"}, {"one"}),
        ({"type": "gotcha", "tag": "other"}, set()),
        ({}, {"one", "two"}),
    ],
)
def test_each_filter_leaves_what_it_says(shared, query, left):
    one = make_entry(
        "b",
        "one",
        sector="semantic",
        confidence=0.9,
        pinned=True,
        tags=("auth", "api"),
        type="gotcha",
        session="s1",
        created_at="2026-11-21T10:01:00Z",
    )
    indexed(shared, [one, make_entry("c", "two", tags=("other",))])
    assert {card.title for card in cards(shared, **query)} == left


@pytest.mark.parametrize(
    "ended",
    [
        {"superseded_by": "mem-2026-11-21-bbbbbbbb"},
        {"expires_at": "2026-12-01T00:00:00Z"},
        {"valid_until": "2026-12-01T00:00:00Z"},
    ],
)
def test_what_no_longer_holds_is_left_out_unless_asked_for(shared, ended):
    indexed(shared, [make_entry("b", "ended", **ended)])
    assert cards(shared) == []
    assert [card.title for card in cards(shared, valid=False)] == ["ended"]
    assert cards(shared, now=1795255200.0) == [] if "superseded_by" in ended else cards(shared, now=1795255200.0)


def test_cards_come_newest_first_and_no_more_than_asked_for(shared):
    made = [
        make_entry(name, name, created_at=f"2026-11-{day}T10:00:00Z") for name, day in (("b", 10), ("c", 12), ("d", 11))
    ]
    indexed(shared, made)
    assert [card.title for card in cards(shared, limit=2)] == ["c", "d"]


def test_what_only_the_log_counts_is_known(shared):
    os.mkdir(os.path.join(shared, "events"))
    entry = make_entry("b", access_count=2, last_accessed="2026-11-21T12:00:00Z")
    line = f'{{"kind":"memory.access","data":{{"ids":["{entry.id}"]}},"time":"2026-11-22T10:00:00Z","session":"s"}}\n'
    write_atomic(os.path.join(shared, "events", "hook.jsonl"), line)
    indexed(shared, [entry, make_entry("c")])
    connection = open_index(shared)
    (card,) = [card for card in get_cards(connection, Query(owners=None, now=NOW)) if card.id == entry.id]
    assert (card.accesses, uncounted(connection)) == (3, {card.path})
    connection.close()


made = st.builds(
    lambda storage, sector, days, confidence, accesses, pinned, stale: (
        storage,
        {
            "sector": sector,
            "created_at": f"2026-{1 + days // 28:02}-{1 + days % 28:02}T00:00:00Z",
            "confidence": confidence,
            "access_count": accesses,
            "pinned": pinned,
        },
    ),
    st.sampled_from(("session/s", "daily/2026-11-21", "durable")),
    st.sampled_from(("episodic", "semantic", "procedural", "reflective")),
    st.integers(0, 335),
    st.sampled_from((0.0, 0.3, 0.6, 1.0)),
    st.sampled_from((0, 1, 7, 500)),
    st.booleans(),
    st.booleans(),
)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(entries=st.lists(made, max_size=25), agent=st.sampled_from(("", "dev", "architect")), days=st.integers(0, 4000))
def test_the_hottest_are_those_that_a_look_at_all_cards_finds(tmp_path_factory, entries, agent, days):
    shared = str(tmp_path_factory.mktemp("hot"))
    letters = "abcdefghijklmnopqrstuvwxyz"
    placed = [
        (path_of(letters[at], "shared", storage), make_entry(letters[at], **fields))
        for at, (storage, fields) in enumerate(entries)
    ]
    index_entries(shared, placed)
    now = 1_767_225_600.0 + days * DAY
    query = Query(owners=("shared",), now=now, limit=1000)
    connection = open_index(shared)
    every = [
        attention_with_staleness(card, sector_relevance(card.sector, agent), now, SETTINGS)
        for card in get_cards(connection, query)
    ]
    hits = hottest(connection, query, agent, SETTINGS, 5)
    connection.close()
    assert [hit.attention for hit in hits] == sorted(every, reverse=True)[:5]
