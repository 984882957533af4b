"""The daily maintenance: which entries it touches, which never, and that once it was done nothing is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.upkeep import (
    ORDER,
    Archive,
    FileSession,
    FoldAccess,
    Purge,
    Share,
    UpkeepContext,
    plan_upkeep,
)

from ..cards import NOW, SETTINGS, SLOW, cards, days_ago, make_card

KNOWN = UpkeepContext()


def plan(*cards, known=KNOWN, settings=SETTINGS, now=NOW):
    return plan_upkeep(cards, now, settings, known)


def kinds(*args, **given):
    """The kinds of action."""
    return [type(action).__name__ for action in plan(*args, **given)]


@pytest.mark.parametrize(
    "card",
    [
        make_card(),
        make_card(created=days_ago(3000), confidence=0.05),
        make_card(created=days_ago(3000), storage="durable"),
        make_card(created=days_ago(3000), source="capture:s1"),
    ],
    ids=["in order", "daily", "durable", "captured"],
)
def test_age_archives_nothing(card):
    assert plan(card) == []


# Archiving


def captured(number, **fields):
    """An entry of a conversation so many days ago that nobody ever used."""
    return make_card(**{"id": f"c{number}", "source": "capture:s1", "created": days_ago(number), **fields})


FEW = {**SETTINGS, "keep": 2}


def test_of_captured_entries_that_nobody_used_the_oldest_go_beyond_those_that_are_kept():
    deck = [captured(number) for number in (3, 1, 4, 2)]
    assert plan(*deck, settings=FEW) == [
        Archive(f"c{number}", "Captured, never used, and older than 2 others") for number in (3, 4)
    ]
    assert kinds(*deck) == kinds(*deck, settings={**SETTINGS, "keep": 0}) == []
    assert kinds(*(each.replace(source="model:haiku") for each in deck), settings=FEW) == ["Archive", "Archive"]


@pytest.mark.parametrize(
    "fields",
    [
        {"accesses": 1},
        {"evidence": 2},
        {"pinned": True},
        {"storage": "durable"},
        {"source": "person"},
        {"source": "agent:dev"},
        {"state": "archive"},
    ],
    ids=str,
)
def test_what_somebody_used_or_wrote_down_stays_and_counts_for_nothing(fields):
    assert kinds(captured(1), captured(2), captured(9, **fields), settings=FEW) == []


@pytest.mark.parametrize(
    ("row", "card", "expires"),
    [
        ("its date has passed", make_card(expires=NOW), True),
        ("not yet", make_card(expires=NOW + 1), False),
        ("it has none", make_card(), False),
        ("pinned", make_card(expires=NOW, pinned=True), False),
        ("durable", make_card(expires=NOW, storage="durable"), False),
    ],
)
def test_an_entry_expires_on_its_own_date(row, card, expires):
    assert kinds(card) == (["Archive"] if expires else [])


# Session entries


@pytest.mark.parametrize(
    ("row", "card", "known", "filed"),
    [
        ("it ended", make_card(), UpkeepContext(ended=frozenset(["s1"])), True),
        ("it lives", make_card(created=days_ago(9)), UpkeepContext(last_active={"s1": days_ago(0.9)}), False),
        ("idle for 24 hours", make_card(created=days_ago(3)), UpkeepContext(last_active={"s1": days_ago(1)}), True),
        ("nobody knows it, young", make_card(created=days_ago(0.9)), KNOWN, False),
        ("nobody knows it, old", make_card(created=days_ago(1)), KNOWN, True),
        ("pinned", make_card(created=days_ago(1), pinned=True), KNOWN, False),
    ],
)
def test_a_session_entry_is_filed_when_its_conversation_is_over(row, card, known, filed):
    card = card.replace(storage="session", session="s1")
    assert kinds(card, known=known) == (["FileSession"] if filed else [])


def test_a_conversation_is_filed_at_once_and_as_a_whole():
    old = make_card(id="b", storage="session", session="s1", created=days_ago(2))
    new = make_card(id="a", storage="session", session="s1", created=days_ago(0.5))
    assert kinds(old, new) == []
    known = UpkeepContext(ended=frozenset(["s1"]))
    filed = [action for action in plan(old, new, known=known) if isinstance(action, FileSession)]
    assert filed == [FileSession("s1", ("a", "b"), "The conversation ended")]


def test_the_folder_names_the_conversation_of_an_entry_that_does_not():
    card = make_card(storage="session", path="shared/session/s9/x.md")
    filed = plan(card, known=UpkeepContext(ended=frozenset(["s9"])))[0]
    assert filed == FileSession("s9", ("a",), "The conversation ended")


# A clock that jumped


@pytest.mark.parametrize("since", [0, 29])
@pytest.mark.parametrize(
    "card",
    [make_card(expires=days_ago(31)), make_card(storage="session", session="s1", created=days_ago(100))],
    ids=["expired", "idle"],
)
def test_a_jump_of_the_clock_ends_nothing(card, since):
    """Days and hours count from the jump: what a clock that runs ahead puts away comes back only by a person's hand."""
    settings = {**SETTINGS, "idle_hours": 24 * 30}
    assert kinds(card, settings=settings)
    assert kinds(card, settings=settings, known=UpkeepContext(jumped=days_ago(since))) == []
    later = UpkeepContext(jumped=days_ago(100))
    assert kinds(card, settings=settings, known=later)


def test_what_expires_after_a_jump_is_archived_on_its_day():
    known = UpkeepContext(jumped=days_ago(5))
    assert kinds(make_card(expires=days_ago(1)), known=known) == ["Archive"]


# Accesses


def test_what_the_log_alone_knows_of_accesses_is_written_down_with_the_tier_of_now():
    card = make_card(path="a", accesses=4, last_accessed=days_ago(2), tier="cold")
    assert plan(card) == []
    assert plan(card, known=UpkeepContext(uncounted=frozenset("a"))) == [FoldAccess("a", 4, days_ago(2), "hot")]


# Sharing


def private(**fields):
    return make_card(**{"owner": "dev", "type": "resolution", "source": "capture:s1", "evidence": 2, **fields})


@pytest.mark.parametrize(
    ("row", "card", "shared"),
    [
        ("a captured resolution seen twice", private(), True),
        ("a captured error seen twice", private(type="error_pattern"), True),
        ("a captured pattern seen twice", private(type="validated_pattern"), True),
        ("seen once", private(evidence=1), False),
        ("written by the agent as private", private(source="agent:dev"), False),
        ("written by a person as private", private(source="person"), False),
        ("a lesson", private(type="lesson"), False),
        ("superseded", private(superseded_by="b"), False),
        ("reads like an order", private(flags=("instruction",)), False),
        ("shared already", private(owner="shared"), False),
    ],
)
def test_only_what_capture_kept_back_and_proved_true_is_shared(row, card, shared):
    assert kinds(card) == (["Share"] if shared else [])


# Forgotten files


def test_a_forgotten_file_goes_for_good_after_the_days_of_undo():
    """None keep it for ever."""
    known = UpkeepContext(
        forgotten={"forgotten/dev/daily/x.md": days_ago(30), "forgotten/dev/daily/y.md": days_ago(29)}
    )
    (action,) = plan(known=known)
    assert (type(action), action.path) == (Purge, "forgotten/dev/daily/x.md")
    assert plan(known=known, settings={**SETTINGS, "undo_days": 0}) == []


# The whole


def test_an_id_that_two_entries_bear_is_left_to_a_person():
    assert plan(make_card(expires=days_ago(1)), make_card(expires=days_ago(1), path="other")) == []


decks = st.lists(cards, max_size=4).map(
    lambda deck: [card.replace(id=f"m{number}", path=f"m{number}") for number, card in enumerate(deck)]
)
circumstances = st.builds(
    UpkeepContext,
    ended=st.frozensets(st.sampled_from(("s1", "s2"))),
    last_active=st.dictionaries(st.sampled_from(("s1", "s3")), st.floats(0, 5).map(days_ago)),
    uncounted=st.frozensets(st.sampled_from([f"m{number}" for number in range(4)])),
    forgotten=st.dictionaries(st.sampled_from(("x", "y")), st.floats(0, 60).map(days_ago)),
)
KEEPS_FEW = {**SETTINGS, "keep": 1}


def apply(actions, deck, known):
    """What those who do the actions make of the cards and of what is known."""
    by_id = {card.id: card for card in deck}
    for action in actions:
        changes = {
            FoldAccess: lambda a: {"accesses": a.access_count, "last_accessed": a.last_accessed},
            FileSession: lambda a: {"storage": "daily"},
            Share: lambda a: {"owner": "shared"},
            Archive: lambda a: {"state": "archive"},
            Purge: lambda a: {},
        }[type(action)](action)
        for name in getattr(action, "ids", (getattr(action, "id", None),)):
            if name:
                by_id[name] = by_id[name].replace(**changes)
    purged = {action.path for action in actions if isinstance(action, Purge)}
    return list(by_id.values()), known.replace(
        uncounted=frozenset(),
        forgotten={path: timestamp for path, timestamp in known.forgotten.items() if path not in purged},
    )


@SLOW
@given(decks, circumstances, st.sampled_from((SETTINGS, KEEPS_FEW)))
def test_planned_again_after_it_was_done_nothing_is_left(deck, known, settings):
    actions = plan(*deck, known=known, settings=settings)
    after, known_after = apply(actions, deck, known)
    assert plan(*after, known=known_after, settings=settings) == []


@SLOW
@given(decks, circumstances, st.randoms(use_true_random=False))
def test_the_plan_does_not_depend_on_the_order_of_the_cards(deck, known, random):
    actions = plan(*deck, known=known, settings=KEEPS_FEW)
    random.shuffle(deck)
    assert plan(*deck, known=known, settings=KEEPS_FEW) == actions


@SLOW
@given(decks, circumstances)
def test_pinned_and_durable_entries_are_never_archived_and_the_order_holds(deck, known):
    actions = plan(*deck, known=known, settings=KEEPS_FEW)
    kept = {card.id for card in deck if card.pinned or card.storage == "durable"}
    assert not kept & {action.id for action in actions if isinstance(action, Archive)}
    assert [ORDER.index(type(action)) for action in actions] == sorted(ORDER.index(type(action)) for action in actions)
