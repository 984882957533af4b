"""The overview that programs read."""

from limpet.work.pipeline.overview import overview

from .pipelines import FACTS, GREENFIELD, LIMITS, RUN, finished, session_at


def test_an_empty_session_has_every_field():
    """Programs find the same keys before any work."""
    empty, full = (
        overview({}, None, LIMITS, "planning", FACTS),
        overview(session_at("ux"), GREENFIELD, LIMITS, "planning", FACTS),
    )
    assert empty.keys() == full.keys()
    assert (empty["mode"], empty["state"], empty["step"], empty["agents"]) == ("planning", None, None, {})
    assert (empty["lock"], empty["backlog"]["open"], empty["revision"]) == ({"active": False}, 0, 0)


def test_the_step_says_what_its_gate_lacks():
    """And which place it has."""
    step = overview(session_at("ux", score=80), GREENFIELD, LIMITS, "", FACTS)["step"]
    assert (step["agent"], step["number"], step["of"], step["gate"]) == ("ux", 5, 11, 95)
    assert step["missing"] == ["score 80 is below 95"]


def test_agents_stand_in_the_pipelines_order_with_status_score_and_evidence():
    """Those of the workflow only."""
    session = finished(
        session_at("brief", gates={"greenfield-wu": {"evidence": [RUN]}}), "greenfield-wu", 97, "verified"
    )
    agents = overview({**session, "agents": dict(reversed(session["agents"].items()))}, GREENFIELD, LIMITS, "", FACTS)[
        "agents"
    ]
    assert list(agents) == [step.agent for step in GREENFIELD.steps]
    assert {key: agents["greenfield-wu"][key] for key in ("status", "score", "evidence")} == {
        "status": "completed",
        "score": 97,
        "evidence": "verified",
    }


def test_gates_are_those_that_something_is_known_of():
    """With their evidence."""
    session = finished(
        session_at("brief", gates={"greenfield-wu": {"evidence": [RUN]}}), "greenfield-wu", 97, "verified"
    )
    gates = overview(session, GREENFIELD, LIMITS, "", FACTS)["gates"]
    assert list(gates) == ["greenfield-wu", "brief"]
    assert gates["greenfield-wu"]["runs"] == [RUN]
    assert (gates["greenfield-wu"]["passed"], gates["greenfield-wu"]["evidence"]) == (True, "verified")
    assert (gates["brief"]["passed"], gates["brief"]["evidence"]) == (False, "none")


def test_the_agent_is_the_one_in_force():
    """An alias that somebody wrote by hand is told as the agent that it stands for."""
    session = {"current_agent": "analyst", "workflow": "brownfield"}
    assert overview(session, None, LIMITS, "", FACTS)["agent"] == "brownfield-wu"
