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
    "integration": ("services3 purpose3 non_obvious2 auth2 data_flow2 failure1 testing1 current2", 16, (4, 7, 11, 14)),
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
    """The type or the key names the rubric; the type counts for more."""
    with pytest.raises(LimpetError, match="did you mean components"):
        load_rubrics()["architecture"].item("component")
    assert rubric_of("billing", "api-docs").type == "api-docs"
    assert rubric_of("security", "").type == "security"
    assert rubric_of("billing", "") is None


@pytest.mark.parametrize(("kind", "path", "is_watched"), [
    ("architecture", "src/deep/a.py", False), ("architecture", "src/main.py", True), ("prd", "docs/brief.md", True),
    ("dev-context", "sub/README.md", False), ("dev-context", "README.md", True), ("architecture", "README.md", False),
    ("dependencies", "web/package.json", True), ("deployment", ".github/workflows/ci.yml", True),
    ("deployment", "sub/.github/workflows/ci.yml", False), ("deployment", "Dockerfile.dev", True),
    ("api-docs", "src/routes/users.py", True), ("api-docs", "src/routesx/users.py", False),
    ("ai-config", "CLAUDE.md", True), ("data-model", "app/models/user.rb", True),
    ("design-system", "web/tailwind.config.js", True),
])  # fmt: skip
def test_a_type_watches_its_files(kind, path, is_watched):
    """A name anywhere, a path from the root."""
    assert bool(PathIndex([path]).match(load_rubrics()[kind].watch)) is is_watched


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
    """With levels in proportion, and the penalties that every rubric has; penalties alone are none."""
    rows = ", ".join(f"{{id: i{n}, question: Is it, weight: 3}}" for n in range(6))
    for text in (f"[{rows}]", f"{{items: [{rows}]}}"):
        rubric = own_rubric("ours", custom(text).asked, None)
        assert (rubric.most, rubric.levels, len(rubric.items)) == (18, (4, 8, 12, 16), 8)
    assert own_rubric("ours", custom("null").asked, None) is None
    one = custom("[{id: a, question: Is it, weight: 1}]")
    assert own_rubric("ours", one.asked, None).levels == (1, 1, 1, 1) and one.problems == ()
    assert own_rubric("ours", custom("[{id: a, question: b, weight: -1}]").asked, None) is None


@pytest.mark.parametrize(
    "text", ["x", "[1]", "[{id: a}]", "{items: [{id: a, question: b, weight: c}]}", "{items: []}", "{items: 3}"]
)
def test_a_rubric_without_its_parts_does_not_count_and_is_told(text):
    """With the file's name and line; the type's own questions count then."""
    found = custom(text)
    assert found.asked == () and found.problems[0].startswith(".limpet/artifacts/ours.yaml:1: custom_rubric must be")


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


@pytest.mark.parametrize(
    ("said", "points"),
    [
        ({"code_restatement": "yes"}, 16),
        ({"contradictions": "yes"}, 15),
        ({"contradictions": "yes", "current": "no"}, 13),
        ({item.id: "yes" if item.is_penalty else "no" for item in ARCHITECTURE.items}, 0),
    ],
    ids=["two points", "three", "what contradicts the project is not current either", "never below zero"],
)
def test_a_penalty_takes_its_weight_away(said, points):
    found = score(ARCHITECTURE, answers(**said))
    assert found.points == points and (points or found.level == 1)


@pytest.mark.parametrize("scaled", [False, True])
def test_what_is_not_applicable_leaves_the_levels_where_they_are(scaled):
    """Enough of it puts level 5 out of reach, and the score says so; levels can be scaled to what applies."""
    found = score(ARCHITECTURE, answers(components="n/a"), scaled)
    assert (found.points, found.most, found.effective) == (15, 18, 15)
    assert (found.level, found.reachable) == ((5, 5) if scaled else (4, 4))
    found = score(ARCHITECTURE, [RubricAnswer(name, "n/a") for name in ALL], scaled)
    assert (found.points, found.effective, found.level) == (0, 0, 1)


@pytest.mark.parametrize("name", ALL)
def test_a_missing_answer_leaves_no_level(name):
    """Whichever it is, a penalty too."""
    found = score(ARCHITECTURE, answers(**{name: ""}))
    assert (found.level, found.unanswered) == (None, (name,))


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        *((RubricAnswer("contradictions", "yes", note), "needs a cited example") for note in ("", "  ")),
        (RubricAnswer("code_restatement", "yes", ""), "needs a cited example"),
        (RubricAnswer("nothing", "yes"), ""),
        (RubricAnswer("current", ""), ""),
    ],
)
def test_a_penalty_without_a_cited_example_is_refused(answer, why):
    """So are an unknown item and an empty result."""
    with pytest.raises(LimpetError, match=why or None):
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


@pytest.mark.parametrize(
    ("stored", "keep", "merged"),
    [
        (answers(), False, {"current": "no"}),
        (
            [RubricAnswer("components", "yes"), RubricAnswer("current", "yes")],
            False,
            {"components": "yes", "current": "no"},
        ),
        (answers(), True, {answer.id: answer.result for answer in answers(current="no")}),
    ],
    ids=["a finished one is begun anew", "an unfinished one goes on", "what was checked may be kept"],
)
def test_old_answers_do_not_lend_themselves_to_a_new_score(stored, keep, merged):
    """Answer by answer, the newer one counts."""
    found = merge_answers(ARCHITECTURE, stored, {"current": RubricAnswer("current", "no")}, keep=keep)
    assert {answer.id: answer.result for answer in found if answer.result} == merged


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
