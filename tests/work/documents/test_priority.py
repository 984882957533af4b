"""What is offered next, in three modes."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.documents.survey import (
    DIRECTED,
    UNPROMPTED,
    VAGUE,
    DocumentStatus,
    count_states,
    mean_level,
    propose_priorities,
    rank_statuses,
)


def status(key, state="current", score=5, evaluated_at=9.0, need="", core=False):
    return DocumentStatus(key, key, f"specs/{key}.md", score, 5, state, state, core, evaluated_at, need)


# broken > missing > lowest score > stale longest > backlog; ties: core types first
LADDER = [
    status("broken", "broken"),
    status("missing", "missing", 0),
    status("draft", "draft", 0),
    status("one", "current", 1),
    status("two-stale", "stale", 2),
    status("two", "current", 2),
    status("stale-long", "stale", 5, evaluated_at=1.0),
    status("stale", "stale", 5, evaluated_at=2.0),
    status("urgent", need="high"),
    status("waiting", need="low"),
    status("well"),
]


def test_the_order_is_that_of_the_source():
    """Each row of the ladder before the next, from any order."""
    assert [one.key for one in rank_statuses(reversed(LADDER))] == [one.key for one in LADDER]


@pytest.mark.parametrize("place", range(len(LADDER)))
def test_what_stands_first_is_offered(place):
    """Unprompted, one thing."""
    offered = propose_priorities(LADDER[place:], UNPROMPTED)
    assert [one.key for one in offered] == ([] if LADDER[place].key == "well" else [LADDER[place].key])


@pytest.mark.parametrize("state", ["broken", "missing", "draft", "wip", "stale", "current"])
def test_core_types_come_first_among_equals(state):
    """In every class."""
    pair = [status("a", state, 3), status("z", state, 3, core=True)]
    assert [one.key for one in rank_statuses(pair)] == ["z", "a"]


def test_core_types_come_in_their_own_order():
    """architecture, features, conventions, dev-context, then the others."""
    keys = ["security", "conventions", "dev-context", "architecture", "features"]
    found = rank_statuses(status(key, "missing", 0, core=key != "security") for key in keys)
    assert [one.key for one in found] == ["architecture", "features", "conventions", "dev-context", "security"]


def test_a_vague_wish_gets_three_offers():
    """Of what needs work only."""
    assert [one.key for one in propose_priorities(LADDER, VAGUE)] == ["broken", "missing", "draft"]
    assert propose_priorities([status("well")], VAGUE) == ()


def test_a_directed_wish_stays_on_its_target():
    """Even where others are worse."""
    assert [(one.action, one.key) for one in propose_priorities(LADDER, DIRECTED, "stale")] == [("evaluate", "stale")]
    with pytest.raises(LimpetError, match="did you mean stale"):
        propose_priorities(LADDER, DIRECTED, "stael")


@pytest.mark.parametrize(
    ("key", "action"),
    [("broken", "mend"), ("missing", "write"), ("draft", "evaluate"), ("stale", "evaluate"), ("one", "improve"),
     ("two-stale", "evaluate"), ("urgent", "backlog"), ("well", "improve")],
)  # fmt: skip
def test_each_state_has_its_action(key, action):
    """What is low and stale is evaluated before it is improved."""
    assert propose_priorities(LADDER, DIRECTED, key)[0].action == action


def test_the_projects_level_is_the_mean():
    """Of 3, 2, 4 and two that are missing, which count as 1: 2.2."""
    levels = [status("a", score=3), status("b", score=2), status("c", score=4)]
    assert mean_level([*levels, status("d", "missing", 0), status("e", "missing", 0)]) == 2.2
    assert mean_level([]) == 0.0
    assert count_states(levels)["current"] == 3


def test_what_cannot_become_better_is_not_offered_again_and_again():
    """Where n/a leave no more than level 4, a document at 4 is done, and what is stale comes before it."""
    done = status("done", score=4).replace(best=4)
    assert propose_priorities([done], UNPROMPTED) == ()
    assert [one.key for one in propose_priorities([done, status("old", "stale")], UNPROMPTED)] == ["old"]
    assert [one.key for one in propose_priorities([done.replace(score=3)], UNPROMPTED)] == ["done"]
