"""What the session says of its pipeline."""

import pytest

from holdfast.work.pipeline.view import current_step, pipeline_line, state_of, status_of, step_domains

from .pipelines import GREENFIELD, QUICK, RUN, session_at


def test_the_line_has_the_seeds_form():
    """chati.dev V7.1 section 3.3: WU(100%) -> Brief(in_progress, 45%) -> Detail(pending) -> ..."""
    session = session_at("brief", score=45, gates={"greenfield-wu": {"evidence": [RUN]}})
    session["agents"]["greenfield-wu"]["score"] = 100
    assert pipeline_line(session, GREENFIELD) == (
        "WU(100%) -> Brief(in_progress, 45%) -> Detail(pending) -> Architect(pending) -> UX(pending) -> Phases(pending)"
        " -> Tasks(pending) -> QA-Planning(pending) -> Dev(pending) -> QA-Implementation(pending) -> DevOps(pending)"
    )


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        ({"status": "completed", "score": 97.5}, "Brief(97.5%, unverified)"),
        ({"status": "completed"}, "Brief(completed, unverified)"),
        ({"status": "skipped"}, "Brief(skipped)"),
        ({"status": "needs_revalidation", "score": 96}, "Brief(needs_revalidation, 96%)"),
        ({}, "Brief(pending)"),
        (None, "Brief(pending)"),
    ],
)
def test_each_status_is_told(record, shown):
    """A score that no command backs is marked."""
    assert pipeline_line({"agents": {"brief": record}}, QUICK).split(" -> ")[0] == shown


@pytest.mark.parametrize(
    ("statuses", "agent"),
    [
        ({}, "brief"),
        ({"brief": "completed"}, "dev"),
        ({"brief": "needs_revalidation", "dev": "in_progress"}, "dev"),
        ({"brief": "needs_revalidation", "dev": "completed"}, "brief"),
        ({"brief": "skipped", "dev": "failed"}, "dev"),
        (dict.fromkeys(("brief", "dev", "qa-implementation", "devops"), "completed"), None),
    ],
)
def test_the_current_step_is_in_progress_or_the_first_unfinished(statuses, agent):
    """None when all are finished."""
    step = current_step({"agents": {name: {"status": status} for name, status in statuses.items()}}, QUICK)
    assert (step.agent if step else None) == agent


@pytest.mark.parametrize("session", [{}, {"agents": None}, {"agents": []}, {"agents": {"brief": "done"}}])
def test_a_session_of_another_shape_is_one_that_has_not_begun(session):
    """Hand edits do not break the view."""
    assert (status_of(session, "brief"), current_step(session, QUICK).agent) == ("pending", "brief")


def test_the_step_brings_its_domains():
    """ADR-001 SYNAPSE E5: the workflow's state activates domains; none when all is done."""
    assert step_domains(session_at("dev"), GREENFIELD) == ("STORY", "QA")
    assert step_domains(session_at("architect"), GREENFIELD) == ()
    assert step_domains({"agents": {step.agent: {"status": "completed"} for step in QUICK.steps}}, QUICK) == ()


@pytest.mark.parametrize(("state", "told"), [("discover", "discover"), ("clarity", "plan"), (None, "")])
def test_the_state_has_one_name(state, told):
    """A1: chati's clarity is plan."""
    assert state_of({"project": {"state": state}}) == told
