"""The overview that programs read."""

import pytest

from limpet.work.pipeline.overview import approve, overview, pipeline_line

from .pipelines import FACTS, GREENFIELD, LIMITS, NOW, QUICK, RUN, after, finished, session_at


def test_an_empty_session_has_every_field():
    """Programs find the same keys before any work."""
    empty = overview({}, None, LIMITS, "planning", FACTS)
    full = overview(session_at("ux"), GREENFIELD, LIMITS, "planning", FACTS)
    assert empty.keys() == full.keys()
    assert (empty["mode"], empty["state"], empty["step"], empty["agents"]) == ("planning", None, None, {})
    assert (empty["lock"], empty["revision"]) == ({"active": False}, 0)


def test_the_step_says_what_its_gate_lacks():
    """And which place it has."""
    step = overview(session_at("ux", score=80), GREENFIELD, LIMITS, "", FACTS)["step"]
    assert (step["agent"], step["number"], step["of"], step["gate"]) == ("ux", 5, 11, 95)
    assert step["missing"] == ["score 80 is below 95"]


def test_agents_stand_in_the_pipelines_order_and_gates_are_those_that_something_is_known_of():
    """With status, score and evidence; agents of the workflow only."""
    session = session_at("brief", gates={"greenfield-wu": {"evidence": [RUN]}})
    session = finished(session, "greenfield-wu", 97, "verified")
    session["agents"] = dict(reversed(session["agents"].items()))
    found = overview(session, GREENFIELD, LIMITS, "", FACTS)
    assert list(found["agents"]) == [step.agent for step in GREENFIELD.steps]
    first = found["agents"]["greenfield-wu"]
    assert (first["status"], first["score"], first["evidence"]) == ("completed", 97, "verified")
    gates = found["gates"]
    assert set(gates) == {"greenfield-wu", "brief"}
    assert gates["greenfield-wu"]["runs"] == [RUN]
    assert (gates["greenfield-wu"]["passed"], gates["greenfield-wu"]["evidence"]) == (True, "verified")
    assert (gates["brief"]["passed"], gates["brief"]["evidence"]) == (False, "none")


def test_the_agent_is_the_one_in_force():
    """An alias that somebody wrote by hand is told as the agent that it stands for."""
    session = {"current_agent": "analyst", "workflow": "brownfield"}
    assert overview(session, None, LIMITS, "", FACTS)["agent"] == "brownfield-wu"


def test_the_line_has_the_seeds_form():
    """chati.dev V7.1 section 3.3: WU(100%) -> Brief(in_progress, 45%) -> Detail(pending) -> ..."""
    session = finished(session_at("brief", score=45), "greenfield-wu", 100, "verified", claims=0)
    assert pipeline_line(session, GREENFIELD, FACTS) == (
        "WU(100%) -> Brief(in_progress, 45%) -> Detail(pending) -> Architect(pending) -> UX(pending) -> Phases(pending)"
        " -> Tasks(pending) -> QA-Planning(pending) -> Dev(pending) -> QA-Implementation(pending) -> DevOps(pending)"
    )


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        ({"status": "completed", "score": 97.5}, "Brief(97.5%, claimed)"),
        ({"status": "completed"}, "Brief(completed, claimed)"),
        ({"status": "skipped"}, "Brief(skipped)"),
        ({"status": "needs_revalidation", "score": 96}, "Brief(needs_revalidation, 96%)"),
        ({}, "Brief(pending)"),
        (None, "Brief(pending)"),
    ],
)
def test_each_status_is_told(record, shown):
    """A score that no check backs is marked."""
    assert pipeline_line({"agents": {"brief": record}}, QUICK, FACTS).split(" -> ")[0] == shown


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"claims": 0}, "WU(97%)"),
        ({"claims": 2}, "WU(97%, 2 claimed)"),
        ({"claims": 1, "word": "typed"}, "WU(97%, 1 claimed, no check)"),
    ],
)
def test_what_a_passed_step_stands_on_is_told(fields, shown):
    """Criteria of which nothing was shown, and that no check ran."""
    session = finished(session_at("brief"), "greenfield-wu", **fields)
    assert pipeline_line(session, GREENFIELD, FACTS).split(" -> ")[0] == shown


def test_that_a_person_approved_it_is_told():
    """Under their seal, for this run."""
    session = finished(session_at("brief"), "greenfield-wu", claims=0)
    move = approve(session, "greenfield-wu", {"a.md": "0" * 16}, "typed", "a.md", FACTS, NOW)
    assert pipeline_line(after(session, move), GREENFIELD, FACTS).startswith("WU(97%, approved)")
    assert pipeline_line({**after(session, move), "run": "bbbbbbbb"}, GREENFIELD, FACTS).startswith("WU(97%, claimed)")
