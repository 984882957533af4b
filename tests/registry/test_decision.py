"""Decision 40: what is wanted is compared with what is there."""

import pytest

from limpet.registry.artifacts import RegistryArtifact
from limpet.registry.decision import ADAPT, CREATE, REUSE, decide, decision_of, gravity, needs_impact
from limpet.registry.files import read_inventory

SHIPPED = read_inventory(None).artifacts


def first(intent, artifacts=SHIPPED):
    advice = decide(intent, artifacts)
    return advice, advice.matches[0]


def test_the_seeds_example_adapts_the_task_template():
    """With the adaptability of the seed and the sentence; no keyword of it is of the example."""
    advice, match = first("I need a template for documenting API endpoints")
    assert (advice.decision, match.artifact.id, match.artifact.adaptability) == (ADAPT, "template/task", 0.7)
    assert advice.sentence.startswith("The task template is similar (")
    assert advice.sentence.endswith("adapt it. Adaptability 0.7: it is safe to change.")
    assert advice.impact == ()
    assert not {"api", "endpoint", "endpoints", "document"} & set(match.artifact.keywords)


@pytest.mark.parametrize(
    ("intent", "id"),
    [
        ("a template for product requirements", "template/prd"),
        ("schema for memory frontmatter", "schema/memory"),
        ("a workflow for a small bug fix", "workflow/quick-flow"),
        ("a gate before code is released", "gate/implementation"),
    ],
)
def test_what_is_there_is_reused(intent, id):
    advice, match = first(intent)
    assert (advice.decision, match.artifact.id) == (REUSE, id)


@pytest.mark.parametrize(
    "intent", ["a template for invoices with taxes", "an agent that composes music", "a workflow for hiring people"]
)
def test_what_is_not_there_is_created(intent):
    advice, match = first(intent)
    assert advice.decision == CREATE
    assert match.artifact.name in advice.sentence


@pytest.mark.parametrize(("score", "decision"), [(0.9, REUSE), (0.89, ADAPT), (0.6, ADAPT), (0.59, CREATE)])
def test_the_bounds(score, decision):
    assert decision_of(score) == decision


def test_the_scores_shown_are_those_that_decide():
    """0.6 x the keyword part + 0.4 x the purpose part, between 0 and 1, the nearest first."""
    for intent in (
        "a template for a task",
        "an agent that writes tests",
        "rules for writing CSS",
        "how tokens are counted",
    ):
        advice = decide(intent, SHIPPED)
        assert advice.decision == decision_of(advice.matches[0].score)
        assert [one.score for one in advice.matches] == sorted((one.score for one in advice.matches), reverse=True)
        for match in advice.matches:
            assert match.score == pytest.approx(0.6 * match.keyword + 0.4 * match.purpose, abs=0.006)
            assert 0 <= match.purpose <= 1 and 0 <= match.keyword <= 1 and match.words


def test_who_asks_for_a_kind_gets_that_kind():
    """Code for a function, whatever an agent's text says."""
    code = RegistryArtifact(id="function/a.py:unique", type="function", path="a.py:1", purpose="Yield unique elements")
    matches = decide("a function that throws out duplicate entries of a list", (*SHIPPED, code)).matches
    assert [match.artifact for match in matches] == [code]
    assert {match.artifact.type for match in decide("an agent for release notes", SHIPPED).matches} == {"agent"}


def test_adapting_what_others_need_lists_them():
    """Below 0.7; what is plainly safe is not looked at."""
    needed = RegistryArtifact(
        id="service/mail", type="service", path="m", purpose="Send mail to customers", adaptability=0.2
    )
    user = RegistryArtifact(id="job/x", type="job", path="x", purpose="Nightly", dependencies=("service/mail",))
    advice, match = first("send mail to suppliers in their language with pictures", (needed, user, *SHIPPED))
    assert (advice.decision, match.artifact.id, advice.impact) == (ADAPT, "service/mail", ("job/x",))
    assert "Adaptability 0.2 is low: look at the 1 that depend on it and ask first." in advice.sentence
    assert [needs_impact(share) for share in (0.1, 0.3, 0.5, 0.6, 0.7)] == [True, True, True, True, False]


def test_the_gravity_of_a_change():
    """chati.dev: 0-2, 3-5, 6-10, more."""
    assert [gravity(number) for number in (0, 2, 3, 5, 6, 10, 11)] == [
        *("low", "low", "medium", "medium", "high", "high", "critical")
    ]


@pytest.mark.parametrize("intent", ["", "I need something for it", "..."])
def test_an_intent_without_words_finds_nothing(intent):
    advice = decide(intent, SHIPPED)
    assert (advice.decision, advice.matches, advice.words) == (CREATE, (), ())
