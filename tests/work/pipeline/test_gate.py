"""Gates: thresholds, what keeps them shut, rounds of correction, escalation."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.pipeline.gate import Count, check_gate, count_score, missing, share_met
from limpet.work.pipeline.moves import advance
from limpet.work.pipeline.records import fall_short
from limpet.work.pipeline.workflow import Criterion

from .pipelines import BROWNFIELD, FACTS, GREENFIELD, LIMITS, NOW, QUICK, after, checked, finished, session_at

BRIEF, DEV = map(GREENFIELD.step_of, ("brief", "dev"))
CHECKED = FACTS.replace(checks={"tests": "pytest -q"})


SHORT = Count(score=80, total=5, unmet=(), evidence=(), lacking=())


def short(session, score=80):
    return after(session, fall_short(session, GREENFIELD, "brief", SHORT.replace(score=score), LIMITS))


@pytest.mark.parametrize("agent", [step.agent for step in GREENFIELD.steps])
@pytest.mark.parametrize(("score", "opens"), [(94.99, False), (95, True), (100, True)])
def test_every_gate_holds_95_percent(agent, score, opens):
    """A5 II: at least 95 % of the criteria, for each of the eleven agents."""
    assert (missing(session_at(agent, score=score), GREENFIELD.step_of(agent), LIMITS, FACTS) == []) is opens


def test_an_agents_own_threshold_comes_first():
    """Decision 35: an agent may set its own."""
    session = session_at("brief", score=90)
    session["agents"]["brief"]["threshold"] = 85
    assert missing(session, BRIEF, LIMITS, FACTS) == []


@pytest.mark.parametrize(
    "change",
    [
        {"score": 100},
        {"seal": "0" * 32},
        {"seal": ""},
        {"seal": "\u00e9"},
        {"evidence": "verified"},
        {"tree": "u" * 64},
    ],
)
def test_a_finish_that_was_edited_counts_for_nothing(change):
    """Its seal is of every field."""
    session = session_at("brief", score=96)
    session["gates"]["brief"]["finish"] |= change
    assert missing(session, BRIEF, LIMITS, FACTS) == ["it is not finished"]


def test_a_finish_of_somebody_else_or_of_another_run_or_round_counts_for_nothing():
    """It is bound to the user's key and to the project; copied it is none."""
    session = session_at("brief", score=96)
    for facts in (FACTS.replace(key=b"o" * 32), FACTS.replace(key=b""), FACTS.replace(project="another")):
        assert missing(session, BRIEF, LIMITS, facts) == ["it is not finished"]
    assert missing({**session, "run": "bbbbbbbb"}, BRIEF, LIMITS, FACTS) == ["it is not finished"]
    session["agents"]["brief"]["loops"] = 1
    assert missing(session, BRIEF, LIMITS, FACTS) == ["it is not finished"]


def test_a_build_step_needs_its_checks_on_these_files():
    """Run, succeeded, newest, sealed, of this command; a planning step does not."""
    session = session_at("dev", score=96)
    assert missing(session, DEV, LIMITS, CHECKED) == ["check tests has not run"]
    assert missing(checked(session, "dev"), DEV, LIMITS, CHECKED) == []
    failed = checked(session, "dev", exit_code=1)
    assert missing(failed, DEV, LIMITS, CHECKED) == ["check tests failed with exit code 1"]
    other = checked(session, "dev", tree="u" * 64)
    assert missing(other, DEV, LIMITS, CHECKED) == ["files changed since check tests ran"]
    changed = CHECKED.replace(checks={"tests": "pytest -q tests"})
    assert missing(checked(session, "dev"), DEV, LIMITS, changed) == ["check tests has not run"]
    assert missing(session_at("brief", score=96), BRIEF, LIMITS, CHECKED) == []


def test_the_newest_run_of_a_check_counts():
    """Whatever the order in the file."""
    early, late = "2026-10-21T12:00:00Z", "2026-10-21T13:00:00Z"
    for times in ((early, late), (late, early)):
        session = checked(session_at("dev", score=96), "dev", timestamp=times[0], exit_code=times[0] == late)
        session = checked(session, "dev", timestamp=times[1], exit_code=times[1] == late)
        assert len(missing(session, DEV, LIMITS, CHECKED)) == 1


@pytest.mark.parametrize("step", [BRIEF.replace(evidence_required=True), DEV])
def test_where_no_check_runs_a_person_lets_it_pass(step):
    """Once for the step: their word stands in its sealed finish."""
    session, lacks = session_at(step.agent), ["no check ran, and no person let it pass without one"]
    assert missing(finished(session, step.agent, claims=0), step, LIMITS, FACTS) == lacks
    assert missing(finished(session, step.agent, claims=0, word="typed"), step, LIMITS, FACTS) == []


@pytest.mark.parametrize(
    ("facts", "lacks"),
    [
        ({"output": "specs/a/brief.md is empty"}, "specs/a/brief.md is empty"),
        ({"unapproved": (("brief", "brief.md"),)}, "the user has not approved brief.md of brief"),
        ({"unasked": ("tests",)}, "check tests is set, but the user has not agreed to it (`limpet trust`)"),
        ({"is_built": False}, "nothing was built: no file of the project changed in this run, and no story was done"),
        ({"open_stories": ("S-1", "S-2")}, "open stories: S-1, S-2"),
    ],
)
def test_a_gate_binds_to_deeds(facts, lacks):
    """What the step was to make, who agreed to what it builds on, what was built, which stories are open."""
    assert missing(session_at("dev", score=96), DEV, LIMITS, FACTS.replace(**facts)) == [lacks]


def test_a_shut_gate_says_all_reasons_and_the_command():
    """In one error."""
    with pytest.raises(LimpetError, match="not finished; check tests has not run.*limpet work finish -"):
        check_gate(session_at("dev"), DEV, LIMITS, CHECKED)


def test_a_score_below_the_gate_begins_a_round_without_evidence():
    """What was proven before the correction proves nothing."""
    session = short(checked(finished(session_at("brief"), "brief"), "brief"))
    assert session["agents"]["brief"]["loops"] == 1
    assert session["gates"]["brief"] == {"evidence": [], "finish": None}


def test_after_three_rounds_of_correction_the_user_is_to_be_asked():
    """A2: at most 3 correction loops for each agent, then escalation; what is done may still pass."""
    session = session_at("brief")
    for round_number in (1, 2, 3):
        session = short(session)
        assert session["agents"]["brief"]["loops"] == round_number
        assert not session["agents"]["brief"].get("escalated")
        assert missing(finished(session, "brief", 96), BRIEF, LIMITS, FACTS) == []
    session = short(session)
    assert (session["agents"]["brief"]["loops"], session["agents"]["brief"]["escalated"]) == (3, True)
    assert "ask the user how to go on" in fall_short(session, GREENFIELD, "brief", SHORT, LIMITS).message
    passed = after(session, advance(finished(session, "brief"), GREENFIELD, "brief", NOW, LIMITS, FACTS))
    assert passed["agents"]["brief"]["status"] == "completed"


TWO = (Criterion("The export works", 3.0), Criterion("Nothing else **changed**"))


@pytest.mark.parametrize(
    "met",
    [
        ("The export works: tests/test_export.py", "nothing else changed - git diff"),
        ("1: tests/test_export.py", "2. Nothing else changed: git diff"),
        ("1. The export works: x", "#2) git diff"),
        ("THE EXPORT WORKS (tests)", "`Nothing else changed`. git diff"),
    ],
)
def test_a_criterion_is_known_by_its_number_or_its_words(met):
    """And has its evidence behind it."""
    count = count_score(TWO, met, ())
    assert (count.score, count.total, count.lacking, count.unmet) == (100, 2, (), ())


def test_the_score_is_the_weight_of_what_is_met():
    """Three of four."""
    count = count_score(TWO, ("1: seen",), ("2",))
    assert (count.score, count.unmet, count.lacking) == (75, ("Nothing else **changed**",), ())


@pytest.mark.parametrize(
    ("met", "unmet", "lacks"),
    [
        (("1: seen",), (), "criterion 2 is not answered"),
        (("1: seen", "2"), (), "criterion 2 has no evidence"),
        (("1: seen", "2: seen"), ("2",), "criterion 2 is both met and unmet"),
        (("1: seen", "2: seen", "Nothing else changes: seen"), (), "no criterion of this step: Nothing else changes"),
        (("1: seen", "2: seen"), ("3",), "no criterion of this step: 3"),
    ],
)
def test_what_the_document_does_not_say_is_told(met, unmet, lacks):
    """With what to write."""
    (problem,) = count_score(TWO, met, unmet).lacking
    assert problem[0].startswith(lacks)


def test_without_criteria_of_the_step_the_documents_own_count():
    """At least one."""
    assert count_score((), ("a", "b"), ("c",)).score == 66.66
    assert count_score((), (), ()).lacking


@pytest.mark.parametrize("workflow", [GREENFIELD, BROWNFIELD, QUICK], ids=lambda one: one.name)
def test_every_shipped_step_has_three_to_five_criteria(workflow):
    """Each known by its own words, and one unmet keeps every gate shut."""
    for step in workflow.steps:
        assert 3 <= len(step.criteria) <= 5
        texts = [f"{one.text}: seen" for one in step.criteria]
        assert count_score(step.criteria, texts, ()).score == 100
        for place in range(len(texts)):
            assert count_score(step.criteria, texts[:place] + texts[place + 1 :], texts[place : place + 1]).score < 95


@pytest.mark.parametrize(("met", "total", "share"), [(19, 20, 95.0), (2, 3, 66.66), (9_499_999, 10_000_000, 94.99)])
def test_a_share_of_criteria_is_never_rounded_up(met, total, share):
    """Else it would open a gate that it does not reach."""
    assert share_met(met, total) == share


@pytest.mark.parametrize(
    ("item", "said"),
    [
        ("1: src/README.md, Usage", "src/README.md, Usage"),
        ("1. The **export** works: `npm Test`", "`npm Test`"),
        ("The export works: S-1, É.md", "S-1, É.md"),
        ("1: .github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("1: `.limpet/stories/S-1/story.md`.", "`.limpet/stories/S-1/story.md`."),
        ("1 .github/workflows/ci.yml", ".github/workflows/ci.yml"),
        ("1 - .env", ".env"),
        ("1. The export works: .env", ".env"),
        ("1. The export works .env", ".env"),
        ("The export works .github/ci.yml", ".github/ci.yml"),
        ("The export works (.github/ci.yml)", ".github/ci.yml"),
        ("The **export** works. .github/ci.yml", ".github/ci.yml"),
        ("1.README.md", "README.md"),
    ],
)
def test_evidence_is_as_it_was_written(item, said):
    """Case and signs matter for paths, stories and commands."""
    assert count_score(TWO, (item, "2: seen"), ()).evidence[0] == (1, said)
