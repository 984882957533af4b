"""What disqualifies a quick flow."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.pipeline.deviation import check_fitness, known_facts, questions

from .pipelines import GREENFIELD, QUICK, shipped


@pytest.mark.parametrize(
    ("facts", "confidence", "reason"),
    [
        ({"greenfield": True}, None, "there is no product yet"),
        ({"files": 6}, None, "files that change: 6, at most 5"),
        ({"schema_change": True}, None, "the database schema changes"),
        ({"new_endpoints": 3}, None, "new endpoints: 3, at most 2"),
        ({"requirements": 2}, None, "requirements that it serves: 2, at most 1"),
        ({}, 0.79, r"confidence 0.79 is below 0.8"),
    ],
)
def test_each_disqualifier_of_the_seed_refuses(facts, confidence, reason):
    """A3: greenfield, more than 5 files, a schema change, more than 2 endpoints, several requirements, confidence."""
    with pytest.raises(LimpetError, match=reason):
        check_fitness(QUICK, facts, facts, confidence)


@pytest.mark.parametrize(
    ("name", "fact", "reason"),
    [
        ("brownfield-ui", {"schema_change": True}, "the database schema changes"),
        ("brownfield-ui", {"new_endpoints": 1}, "new endpoints: 1, at most 0"),
        ("brownfield-service", {"screens": 1}, "screens that change: 1, at most 0"),
        ("brownfield-discovery", {"greenfield": True}, "there is no product yet"),
    ],
)
def test_a_narrow_workflow_refuses_what_it_is_not_for(name, fact, reason):
    """chati.dev V7.1 section 5.1: changes of screens, changes of services, what is there."""
    with pytest.raises(LimpetError, match=reason):
        check_fitness(shipped(name), fact, fact, None)


def test_at_the_bounds_it_fits():
    """Five files, two endpoints, one requirement, confidence .8."""
    facts = {"greenfield": False, "files": 5, "schema_change": False, "new_endpoints": 2, "requirements": 1}
    check_fitness(QUICK, facts, facts, 0.8)


def test_all_reasons_are_told_at_once():
    """Nobody has to try twice."""
    with pytest.raises(LimpetError, match="files that change.*schema"):
        check_fitness(QUICK, {"files": 9, "schema_change": True}, {}, None)


def test_an_unknown_fact_is_refused():
    """With the nearest known one."""
    with pytest.raises(LimpetError, match="Unknown fact file.*did you mean files"):
        check_fitness(QUICK, {"file": 1}, {"file": 1}, None)


@pytest.mark.parametrize(
    ("project", "known"),
    [
        ({"type": "greenfield", "state": "build"}, {"greenfield": True}),
        ({"type": "greenfield", "state": "completed"}, {"greenfield": False}),
        ({"type": "brownfield"}, {"greenfield": False}),
        (None, {}),
    ],
)
def test_the_session_knows_whether_there_is_a_product(project, known):
    """A greenfield project has one once its first work is completed."""
    assert known_facts({"project": project}, {}) == known


def test_a_full_pipeline_fits_always():
    """It asks for nothing."""
    check_fitness(GREENFIELD, {"greenfield": True}, {}, None)
    assert questions(GREENFIELD, {}) == []


def test_what_is_not_known_is_asked():
    """And nothing else."""
    asked = questions(QUICK, {"greenfield": False, "schema_change": False, "requirements": 1})
    assert asked == ["files that change, more than 5", "new endpoints, more than 2"]
