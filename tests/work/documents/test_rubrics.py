"""The rubrics as data, and which files their documents are about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.work.documents.detail import read_detail_text
from limpet.work.documents.project_files import PathIndex
from limpet.work.documents.rubrics import (
    RubricAnswer,
    RubricItem,
    check_answers,
    load_rubrics,
    merge_answers,
    own_rubric,
    read_rubric_result,
    rubric_of,
    score,
)

# type: (ids with weights, most points, levels), as chat-spec has them
TABLE = {
    "architecture": (
        "components3 relationships3 data_flow2 non_obvious2 boundaries2 "
        "entry_points1 persistence1 external1 constraints1 current2",
        18,
        (4, 8, 12, 16),
    ),
    "features": (
        "core_features3 feature_detail3 user_perspective2 non_obvious2 "
        "feature_status2 interactions1 scope1 entry_flows1 current2",
        17,
        (4, 8, 11, 15),
    ),
    "conventions": (
        "code_style3 patterns3 non_obvious2 naming2 testing2 file_structure2 anti_patterns1 examples1 current2",
        18,
        (4, 8, 12, 16),
    ),
    "dev-context": (
        "project_purpose3 key_decisions3 non_obvious2 setup2 build_run2 history1 team_context1 roadmap1 current2",
        17,
        (4, 8, 11, 15),
    ),
    "api-docs": (
        "endpoint_list3 request_response3 authentication2 non_obvious2 "
        "error_handling2 examples1 versioning1 pagination1 current2",
        17,
        (4, 8, 11, 15),
    ),
    "data-model": (
        "entities3 relationships3 storage2 non_obvious2 lifecycle2 validation1 migration1 indexes1 current2",
        17,
        (4, 8, 11, 15),
    ),
    "deployment": (
        "environments3 deploy_process3 infrastructure2 non_obvious2 "
        "configuration2 monitoring1 rollback1 ci_cd1 current2",
        17,
        (4, 8, 11, 15),
    ),
    "dependencies": (
        "key_deps3 rationale3 non_obvious2 version_policy2 internal1 security1 removal1 current2",
        15,
        (4, 7, 10, 13),
    ),
    "design-system": (
        "components3 visual_standards3 patterns2 non_obvious2 accessibility2 responsive1 states1 tokens1 current2",
        17,
        (4, 8, 11, 15),
    ),
    "security": (
        "auth_flow3 authorization3 non_obvious2 data_protection2 threat_model2 secrets1 audit1 incident1 current2",
        17,
        (4, 8, 11, 15),
    ),
    "performance": (
        "slos3 bottlenecks3 non_obvious2 caching2 scaling2 monitoring1 benchmarks1 current2",
        16,
        (4, 7, 11, 14),
    ),
    "integration": (
        "services3 purpose3 non_obvious2 auth2 data_flow2 failure1 testing1 current2",
        16,
        (4, 7, 11, 14),
    ),
    "ai-config": (
        "tool_config3 project_context3 non_obvious2 conventions_ref2 scope1 examples1 maintenance1 current2",
        15,
        (4, 7, 10, 13),
    ),
}


@pytest.mark.parametrize("kind", TABLE)
def test_a_rubric_has_the_items_weights_and_levels_of_its_source(kind):
    """Each row of the table, with both penalties behind it."""
    items, most, levels = TABLE[kind]
    rubric = load_rubrics()[kind]
    assert " ".join(f"{item.id}{item.weight}" for item in rubric.items if not item.is_penalty) == items
    assert (rubric.most, rubric.levels) == (most, levels)
    penalties = {item.id: item.weight for item in rubric.items if item.is_penalty}
    assert penalties == {"code_restatement": -2, "contradictions": -3}


def test_there_are_thirteen_types_of_documents_and_seven_of_a_workflow_and_four_are_core():
    """The core ones in the order in which they go first."""
    made = ["brief", "prd", "adr", "ux-spec", "phases", "tasks", "qa-report"]
    assert list(load_rubrics()) == [*TABLE, *made]
    assert [kind for kind, rubric in load_rubrics().items() if rubric.made] == made
    assert [kind for kind, rubric in load_rubrics().items() if rubric.core] == list(TABLE)[:4]


@pytest.mark.parametrize("kind", load_rubrics())
def test_every_question_is_one(kind):
    """Whole, and of a length that a checklist can show."""
    assert [item.question for item in load_rubrics()[kind].items if not 20 < len(item.question) < 110] == []
    assert all(item.question.endswith("?") for item in load_rubrics()[kind].items)


def test_an_unknown_item_is_told_with_the_nearest():
    """For a slip of the pen."""
    with pytest.raises(LimpetError, match="did you mean components"):
        load_rubrics()["architecture"].item("component")


@pytest.mark.parametrize(
    ("kind", "path", "is_watched"),
    [
        ("architecture", "src/deep/a.py", False),
        ("architecture", "src/main.py", True),
        ("prd", "docs/brief.md", True),
        ("dev-context", "sub/README.md", False),
        ("dev-context", "README.md", True),
        ("architecture", "README.md", False),
        ("dependencies", "web/package.json", True),
        ("deployment", ".github/workflows/ci.yml", True),
        ("deployment", "sub/.github/workflows/ci.yml", False),
        ("deployment", "Dockerfile.dev", True),
        ("api-docs", "src/routes/users.py", True),
        ("api-docs", "src/routesx/users.py", False),
        ("ai-config", "CLAUDE.md", True),
        ("data-model", "app/models/user.rb", True),
        ("design-system", "web/tailwind.config.js", True),
    ],
)
def test_a_type_watches_its_files(kind, path, is_watched):
    """A name anywhere, a path from the root."""
    assert bool(PathIndex([path]).match(load_rubrics()[kind].watch)) is is_watched


def test_the_type_or_the_key_names_the_rubric():
    """The type counts for more."""
    assert rubric_of("billing", "api-docs").type == "api-docs"
    assert rubric_of("security", "").type == "security"
    assert rubric_of("billing", "") is None


@pytest.mark.parametrize("kind", [kind for kind, rubric in load_rubrics().items() if rubric.made])
def test_a_document_of_a_workflow_has_its_questions_and_whoever_makes_it(kind):
    """Six to ten, with levels at the usual shares."""
    rubric = load_rubrics()[kind]
    assert 6 <= len([item for item in rubric.items if not item.is_penalty]) <= 10 and rubric.agents
    assert rubric.levels == tuple(round(rubric.most * part / 9) for part in (2, 4, 6, 8))


def test_questions_of_a_detail_file_make_its_rubric_unless_they_are_the_usual_ones():
    """Without penalties of ours: nothing that the file does not ask."""
    usual = load_rubrics()["architecture"]
    own = own_rubric("architecture", [RubricItem("a", "Is it?", 2), RubricItem("b", "Is it?", -1)], usual)
    assert ([item.id for item in own.items], own.most, own.levels) == (["a", "b"], 2, (1, 1, 1, 2))
    assert own_rubric("architecture", usual.items[:3], usual) is None
    assert own_rubric("architecture", [], usual) is own_rubric("x", [RubricItem("a", "Is it?", -1)], None) is None


def custom(text):
    return read_detail_text("ours", f"custom_rubric: {text}\n")


def test_a_project_makes_its_own_rubric():
    """With levels in proportion, and the penalties that every rubric has."""
    rows = ", ".join(f"{{id: i{n}, question: Is it, weight: 3}}" for n in range(6))
    for text in (f"[{rows}]", f"{{items: [{rows}]}}"):
        rubric = own_rubric("ours", custom(text).asked, None)
        assert (rubric.most, rubric.levels, len(rubric.items)) == (18, (4, 8, 12, 16), 8)
    assert own_rubric("ours", custom("null").asked, None) is None
    one = custom("[{id: a, question: Is it, weight: 1}]")
    assert own_rubric("ours", one.asked, None).levels == (1, 1, 1, 1) and one.problems == ()


@pytest.mark.parametrize(
    "text",
    ["x", "[1]", "[{id: a}]", "{items: [{id: a, question: b, weight: c}]}", "{items: []}", "{items: 3}"],
)
def test_a_rubric_without_its_parts_does_not_count_and_is_told(text):
    """With the file's name and line; the type's own questions count then."""
    found = custom(text)
    assert found.asked == () and found.problems[0].startswith(".limpet/artifacts/ours.yaml:1: custom_rubric must be")


def test_a_rubric_of_penalties_alone_is_none():
    """Nothing could be reached."""
    assert own_rubric("ours", custom("[{id: a, question: b, weight: -1}]").asked, None) is None


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
