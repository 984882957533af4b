"""When a fresh conversation is called for: chati.dev V7.1, table "Spawn Decision Criteria", row by row."""

import pytest

from limpet.work.recovery import SPAWNED, RecoveryFigures, advise, is_spawned, read_figures, should_spawn

MULTIPLE_COMPACTIONS = "Multiple compactions: 3+ in single session"
POST_COMPACT_QUALITY = "Post-compact quality: agent score drops >15%"
CRITICAL_PERSISTS = "Critical bracket persists: CRITICAL for 3+ consecutive interactions"
HANDOFF_PENDING = "Agent handoff pending: current agent done, next agent needs fresh context"

ROWS = [
    (MULTIPLE_COMPACTIONS, {"compactions": 2}, False),
    (MULTIPLE_COMPACTIONS, {"compactions": 3}, True),
    (MULTIPLE_COMPACTIONS, {"compactions": 9}, True),
    (POST_COMPACT_QUALITY, {"score_before": 96, "score": 81.6}, False),  # exactly 15 %
    (POST_COMPACT_QUALITY, {"score_before": 96, "score": 81.5}, True),
    (POST_COMPACT_QUALITY, {"score_before": 94.1, "score": 79.985}, False),  # exactly 15 %, in binary a little more
    (POST_COMPACT_QUALITY, {"score_before": 80, "score": 67}, True),  # 13 points are more than 15 % of 80
    (POST_COMPACT_QUALITY, {"score_before": 95, "score": 99}, False),
    (POST_COMPACT_QUALITY, {"score_before": 95, "score": 0}, True),
    (POST_COMPACT_QUALITY, {"score_before": 95}, False),
    (POST_COMPACT_QUALITY, {"score": 10}, False),
    (POST_COMPACT_QUALITY, {"score_before": 0, "score": 0}, False),
    (CRITICAL_PERSISTS, {"critical_streak": 2}, False),
    (CRITICAL_PERSISTS, {"critical_streak": 3}, True),
    (HANDOFF_PENDING, {"handoff_pending": False}, False),
    (HANDOFF_PENDING, {"handoff_pending": True}, True),
]


@pytest.mark.parametrize(("row", "figures", "spawns"), ROWS)
def test_each_row_of_the_table_decides_by_itself(row, figures, spawns):
    """At its threshold and just below it, all other figures being those of a healthy conversation."""
    assert len(should_spawn(RecoveryFigures(**figures))) == spawns, row


def test_all_reasons_are_told_in_the_order_of_the_table():
    """Any one would do; a person sees them all. The streak does not count on: that would be said with each prompt."""
    figures = RecoveryFigures(compactions=4, score_before=96, score=70.5, critical_streak=5, handoff_pending=True)
    assert should_spawn(figures) == (
        "4 compactions in this conversation",
        "the score fell from 96% to 70.5% over the compaction",
        "3 prompts in a row in CRITICAL",
        "a handoff is pending",
    )


@pytest.mark.parametrize(
    ("threshold", "figures"),
    [
        ({"compactions": 5}, {"compactions": 4}),
        ({"score_drop": 30}, {"score_before": 90, "score": 70}),
        ({"critical_streak": 6}, {"critical_streak": 5}),
        ({"compactions": 0}, {"compactions": 99}),
        ({"score_drop": 0}, {"score_before": 90, "score": 1}),
        ({"critical_streak": 0}, {"critical_streak": 99}),
    ],
)
def test_a_threshold_can_be_set_or_switched_off(threshold, figures):
    """By the configuration; 0 is off."""
    assert should_spawn(RecoveryFigures(**figures))
    assert should_spawn(RecoveryFigures(**figures), **threshold) == ()


def test_the_figures_come_from_the_conversations_state():
    """As the hook keeps it; the score and the handoff are the project's."""
    session = {"compactions": 3, "critical_streak": 2, "score_before_compaction": 95}
    assert read_figures(session, 80, True) == RecoveryFigures(
        compactions=3, score_before=95, score=80, critical_streak=2, handoff_pending=True
    )


@pytest.mark.parametrize("odd", [None, "3", True, [], {}])
def test_figures_that_make_no_sense_are_none(odd):
    """A state edited by hand spawns nothing."""
    session = {"compactions": odd, "critical_streak": odd, "score_before_compaction": odd}
    assert read_figures(session, 1) == RecoveryFigures(score=1)


def test_the_advice_names_the_reasons_and_the_command():
    """One that an agent is not refused; the mark of a spawned conversation holds the parent's id."""
    how = "tell the user to open a new conversation with `limpet resume`, which also locks the work"
    assert advise(("a", "b")) == f"{how}: a; b"
    assert advise(()) == ""
    assert is_spawned({SPAWNED: "abc"})
    assert not is_spawned({SPAWNED: ""}) and not is_spawned({})
