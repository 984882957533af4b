"""The score, counted from the criteria."""

import pytest

from limpet.work.pipeline.gate import count_score, share_met
from limpet.work.pipeline.workflow import Criterion

from .pipelines import BROWNFIELD, GREENFIELD, QUICK

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
