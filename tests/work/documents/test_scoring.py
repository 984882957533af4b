"""From answers to points and levels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.work.documents.rubrics import (
    RubricAnswer,
    check_answers,
    load_rubrics,
    merge_answers,
    read_rubric_result,
    score,
)

RUBRICS = load_rubrics()
ARCHITECTURE = RUBRICS["architecture"]
ALL = [item.id for item in ARCHITECTURE.items]


def answers(**changes):
    """Yes to everything, no to the penalties, but for the changes."""
    good = {item.id: "no" if item.is_penalty else "yes" for item in ARCHITECTURE.items}
    return [RubricAnswer(name, result, "cited") for name, result in (good | changes).items()]


def with_points(rubric, points):
    """Answers that add up to exactly so many points, by yes to some items."""
    left, said = points, {}
    for item in sorted((one for one in rubric.items if not one.is_penalty), key=lambda one: -one.weight):
        said[item.id] = "yes" if item.weight <= left else "no"
        left -= item.weight if item.weight <= left else 0
    assert left == 0
    return [RubricAnswer(item.id, said.get(item.id, "no")) for item in rubric.items]


@pytest.mark.parametrize("kind", RUBRICS)
def test_each_level_begins_at_its_bound(kind):
    """A point less is the level below, for every type."""
    rubric = RUBRICS[kind]
    for level, least in enumerate(rubric.levels, 2):
        assert score(rubric, with_points(rubric, least)).level == level
        assert score(rubric, with_points(rubric, least - 1)).level == level - 1
    assert score(rubric, with_points(rubric, rubric.most)).level == 5
    assert score(rubric, with_points(rubric, 0)).level == 1


@pytest.mark.parametrize(("penalty", "points"), [("code_restatement", 16), ("contradictions", 15)])
def test_a_penalty_takes_its_weight_away(penalty, points):
    """Two and three points."""
    assert score(ARCHITECTURE, answers(**{penalty: "yes"})).points == points


def test_a_contradiction_swings_five_points():
    """What contradicts the project is not current either."""
    assert score(ARCHITECTURE, answers(contradictions="yes", current="no")).points == 18 - 5


def test_points_never_fall_below_zero():
    """Penalties alone."""
    said = [RubricAnswer(item.id, "yes" if item.is_penalty else "no", "cited") for item in ARCHITECTURE.items]
    found = score(ARCHITECTURE, said)
    assert (found.points, found.level) == (0, 1)


def test_what_is_not_applicable_leaves_the_levels_where_they_are():
    """So with enough of it level 5 is out of reach, and the score says so."""
    found = score(ARCHITECTURE, answers(components="n/a"))
    assert (found.points, found.most, found.effective, found.level, found.reachable) == (15, 18, 15, 4, 4)


def test_levels_can_be_scaled_to_what_applies():
    """Where the project wants that."""
    found = score(ARCHITECTURE, answers(components="n/a"), scaled=True)
    assert (found.points, found.level, found.reachable) == (15, 5, 5)


def test_all_not_applicable_is_level_one():
    """Nothing to divide by."""
    for scaled in (False, True):
        found = score(ARCHITECTURE, [RubricAnswer(name, "n/a") for name in ALL], scaled)
        assert (found.points, found.effective, found.level) == (0, 0, 1)


@pytest.mark.parametrize("name", ALL)
def test_a_missing_answer_leaves_no_level(name):
    """Whichever it is, a penalty too."""
    found = score(ARCHITECTURE, answers(**{name: ""}))
    assert (found.level, found.unanswered) == (None, (name,))


@pytest.mark.parametrize("note", ["", "  "])
@pytest.mark.parametrize("penalty", ["code_restatement", "contradictions"])
def test_a_penalty_without_a_cited_example_is_refused(penalty, note):
    """With the way to cite one."""
    with pytest.raises(LimpetError, match="needs a cited example"):
        check_answers(ARCHITECTURE, [RubricAnswer(penalty, "yes", note)])


@pytest.mark.parametrize("answer", [RubricAnswer("nothing", "yes"), RubricAnswer("current", "")])
def test_what_is_no_answer_is_refused(answer):
    """An unknown item, an empty result."""
    with pytest.raises(LimpetError):
        check_answers(ARCHITECTURE, [answer])


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (True, "yes"), (False, "no"), ("yes", "yes"), ("No", "no"), ("n/a", "n/a"), ("N/A", "n/a"), ("na", "n/a"),
        ("true", "yes"), (None, ""), ("", ""), ("maybe", ""), (1, ""),
    ],
)  # fmt: skip
def test_results_are_read_as_people_and_yaml_write_them(value, result):
    """YAML 1.1 makes booleans of yes and no."""
    assert read_rubric_result(value) == result


def test_a_finished_evaluation_is_begun_anew():
    """Old answers do not lend themselves to a new score."""
    merged = merge_answers(ARCHITECTURE, answers(), {"current": RubricAnswer("current", "no")}, keep=False)
    assert [answer.id for answer in merged if answer.result] == ["current"]


def test_an_unfinished_evaluation_goes_on():
    """Answer by answer, the newer one counts."""
    stored = [RubricAnswer("components", "yes"), RubricAnswer("current", "yes")]
    merged = merge_answers(ARCHITECTURE, stored, {"current": RubricAnswer("current", "no")}, keep=False)
    assert [(answer.id, answer.result) for answer in merged if answer.result] == [
        ("components", "yes"),
        ("current", "no"),
    ]


def test_what_was_checked_may_be_kept():
    """On request."""
    merged = merge_answers(ARCHITECTURE, answers(), {"current": RubricAnswer("current", "no")}, keep=True)
    assert [answer.id for answer in merged if answer.result == "no"] == [
        "current",
        "code_restatement",
        "contradictions",
    ]


@given(st.sampled_from(sorted(RUBRICS)), st.data())
def test_a_better_answer_never_lowers_the_score(kind, data):
    """Whatever stands at the others."""
    rubric = RUBRICS[kind]
    results = {item.id: data.draw(st.sampled_from(["yes", "no", "n/a"])) for item in rubric.items}
    item = data.draw(st.sampled_from(rubric.items))
    worse, better = ("yes", "no") if item.is_penalty else ("no", "yes")
    scores = [
        score(rubric, [RubricAnswer(name, result, "x") for name, result in (results | {item.id: said}).items()])
        for said in (worse, better)
    ]
    assert scores[0].points <= scores[1].points <= rubric.most
    assert 1 <= scores[0].level <= scores[1].level <= scores[1].reachable <= 5
