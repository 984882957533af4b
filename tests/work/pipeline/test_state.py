"""What the session says of its pipeline."""

import pytest

from limpet.work.pipeline.state import current_step, next_id, state_of, status_of

from .pipelines import GREENFIELD, QUICK, session_at


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
    assert current_step(session_at("dev"), GREENFIELD).domains == ("STORY", "QA")
    assert current_step(session_at("architect"), GREENFIELD).domains == ()
    assert current_step({"agents": {step.agent: {"status": "completed"} for step in QUICK.steps}}, QUICK) is None


@pytest.mark.parametrize(("state", "told"), [("discover", "discover"), ("clarity", "plan"), (None, "")])
def test_the_state_has_one_name(state, told):
    """A1: chati's clarity is plan."""
    assert state_of({"project": {"state": state}}) == told


@pytest.mark.parametrize(
    ("ids", "following"),
    [([], "DV-001"), (["DV-009", "DV-002"], "DV-010"), (["DV-999"], "DV-1000"), (["ours", None], "DV-001")],
)
def test_a_new_id_is_above_all_others(ids, following):
    """Whatever stands in the file by hand."""
    assert next_id([{"id": name} for name in ids], "DV") == following
