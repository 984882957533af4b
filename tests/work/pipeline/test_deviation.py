"""Deviations remember the interrupted point and come back to it."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.pipeline.deviation import (
    KINDS,
    check_fitness,
    deviate,
    known_facts,
    open_deviations,
    questions,
    resolve_deviation,
)
from limpet.work.pipeline.moves import advance
from limpet.work.pipeline.state import current_step

from .pipelines import FACTS, GREENFIELD, LIMITS, NOW, QUICK, after, finished, session_at, shipped, statuses

TASK = {"id": "S-2", "title": "Screens", "executor": "agent"}


def deviated(session, **given):
    return after(
        session, deviate(session, GREENFIELD, **{"kind": "scope_change", "reason": "CSV", "now": NOW, **given})
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_keeps_type_context_and_progress(kind):
    """A4 5.7: type, context, partial progress, and the interrupted point."""
    session = deviated(session_at("ux", task=TASK), kind=kind, progress="2 of 5", to="detail")
    assert session["deviations"] == [
        {
            "id": "DV-001",
            "timestamp": "2026-10-21T12:00:00Z",
            "type": kind,
            "from_agent": "ux",
            "to_agent": "detail",
            "reason": "CSV",
            "progress": "2 of 5",
            "return_to": {"agent": "ux", "task": TASK},
            "resolved": False,
        }
    ]


def test_resolving_returns_to_the_interrupted_agent_and_task():
    """Whatever was done meanwhile."""
    session = deviated(session_at("ux", task=TASK), to="detail")
    assert session["current_agent"] == "detail"
    session = after(
        {**session, "task": "rewrite FR-3"}, resolve_deviation({**session, "task": "rewrite FR-3"}, GREENFIELD, NOW)
    )
    assert (session["current_agent"], session["task"]) == ("ux", TASK)
    assert open_deviations(session) == []
    assert session["deviations"][0]["resolved_at"] == "2026-10-21T12:00:00Z"


def test_what_the_owner_and_later_agents_completed_is_validated_again():
    """A4 5.7: upstream is marked; the interrupted step goes on first, then they do."""
    session = deviated(session_at("ux"), to="detail")
    assert statuses(session) | {"detail": "needs_revalidation", "architect": "needs_revalidation"} == statuses(session)
    session = after(session, resolve_deviation(session, GREENFIELD, NOW))
    session = finished(session, "ux", 97)
    session = after(session, advance(session, GREENFIELD, "ux", NOW, LIMITS, FACTS))
    assert session["current_agent"] == "detail"
    assert statuses(session)["ux"] == "needs_revalidation"


def test_a_changed_scope_is_planned_and_checked_before_the_building_goes_on():
    """After the interrupted step the work goes back to planning, through qa-planning, and dev validates again."""
    session = deviated(session_at("dev"), to="detail")
    session = after(session, resolve_deviation(session, GREENFIELD, NOW))
    seen = []
    while (step := current_step(session, GREENFIELD)).agent != "qa-implementation":
        seen.append(step.agent)
        session = finished(session, step.agent, 97)
        session = after(session, advance(session, GREENFIELD, step.agent, NOW, LIMITS, FACTS))
    assert seen == ["dev", "detail", "architect", "ux", "phases", "tasks", "qa-planning", "dev"]
    assert [(one["from"], one["to"], one["type"]) for one in session["mode_transitions"]] == [
        ("build", "planning", "backward"),
        ("planning", "build", "automatic"),
        ("build", "validate", "automatic"),
    ]


def test_without_impact_nothing_is_validated_again():
    """A question to another agent changes no artifact."""
    before = session_at("ux")
    assert statuses(deviated(before, to="detail", has_impact=False)) == statuses(before)


@pytest.mark.parametrize(
    ("names", "places"),
    [(("", ""), ["detail", "ux"]), (("DV-001", "DV-002"), ["architect", "ux"])],
    ids=["the newest first", "the outer one first"],
)
def test_deviations_inside_deviations_come_back_one_by_one(names, places):
    """Each to its own point; of an outer one that came first the inner one comes back to where it would have."""
    session, seen = deviated(deviated(session_at("ux"), to="detail"), to="architect", reason="b"), []
    for name in names:
        session = after(session, resolve_deviation(session, GREENFIELD, NOW, name))
        seen.append(session["current_agent"])
    assert seen == places


def test_a_point_that_the_workflow_has_lost_is_told():
    """The work goes on where the workflow stands now, and the outer deviation still comes back to its own point."""
    session = deviated(deviated(session_at("ux"), to="brief"), to="architect", reason="b")
    shorter = GREENFIELD.replace(steps=tuple(step for step in GREENFIELD.steps if step.agent != "ux"))
    inner = resolve_deviation(session, shorter, NOW)
    assert inner.message == "DV-002 is resolved; back at brief"
    outer = resolve_deviation(after(session, inner), shorter, NOW)
    assert outer.message == "DV-001 is resolved; back at brief; greenfield no longer has a step for ux"
    assert after(after(session, inner), outer)["current_agent"] == "brief"


def test_the_seeds_own_form_is_resolved_to_the_agent_that_it_came_from():
    """A6: timestamp, from_agent, to_agent, reason, resolved."""
    old = {"timestamp": "t", "from_agent": "ux", "to_agent": "detail", "reason": "r", "resolved": False}
    session = {**session_at("ux"), "current_agent": "detail", "deviations": [old]}
    assert after(session, resolve_deviation(session, GREENFIELD, NOW))["current_agent"] == "ux"


def test_what_is_not_open_cannot_be_resolved_and_ids_do_not_repeat():
    """The open ones are named; a deviation says what it is about."""
    for name in ("", "DV-009"):
        with pytest.raises(LimpetError, match="is (not )?open"):
            resolve_deviation(session_at("ux"), GREENFIELD, NOW, name)
    with pytest.raises(LimpetError, match="needs a description"):
        deviated(session_at("ux"), reason=" ")
    session = {**session_at("ux"), "deviations": [{"id": "DV-007", "resolved": True}]}
    assert deviated(session)["deviations"][-1]["id"] == "DV-008"


@pytest.mark.parametrize(
    ("facts", "confidence", "reason"),
    [
        ({"greenfield": True}, None, "there is no product yet"),
        ({"files": 6}, None, "files that change: 6, at most 5"),
        ({"schema_change": True}, None, "the database schema changes"),
        ({"new_endpoints": 3}, None, "new endpoints: 3, at most 2"),
        ({"requirements": 2}, None, "requirements that it serves: 2, at most 1"),
        ({}, 0.79, r"confidence 0.79 is below 0.8"),
        ({"files": 9, "schema_change": True}, None, "files that change.*schema"),
        ({"file": 1}, None, "Unknown fact file.*did you mean files"),
    ],
)
def test_each_disqualifier_of_the_seed_refuses(facts, confidence, reason):
    """A3: greenfield, more than 5 files, a schema change, more than 2 endpoints, several requirements, confidence; all
    reasons at once, and a fact that nobody knows with the nearest known one."""
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
    """Five files, two endpoints, one requirement, confidence .8; what is not known is asked."""
    facts = {"greenfield": False, "files": 5, "schema_change": False, "new_endpoints": 2, "requirements": 1}
    check_fitness(QUICK, facts, facts, 0.8)
    check_fitness(GREENFIELD, {"greenfield": True}, {}, None)
    assert questions(GREENFIELD, {}) == []
    asked = questions(QUICK, {"greenfield": False, "schema_change": False, "requirements": 1})
    assert asked == ["files that change, more than 5", "new endpoints, more than 2"]


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
