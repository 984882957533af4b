"""What the use-cases of the pipeline share."""

import pytest

from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.operations.work.pipeline import agent_at, agent_id, known_agent, limits_of, make, require_workflow
from holdfast.work.pipeline.backlog import add_item
from holdfast.work.pipeline.move import Limits
from holdfast.work.project import update_project

from ..callers import NOW, PERSON, events


def test_a_move_is_written_recorded_and_in_the_mirror(workspace):
    """All three, once, whoever asks for it."""
    moved = make(workspace, PERSON, lambda session: add_item(session, "Rate limit", NOW))
    assert (moved.lines, moved.session["revision"]) == (("BL-001: Rate limit",), 1)
    assert read_mirror(workspace).session["backlog"][0]["title"] == "Rate limit"
    assert events(workspace) == [("work.backlog_added", None)]


def test_the_limits_are_the_configured_ones(workspace):
    """The gate of article II and three rounds, where nobody set others."""
    assert limits_of(workspace) == Limits(gate=95.0, loops=3)


@pytest.mark.parametrize(
    ("session", "error"),
    [
        ({}, r"No workflow is active. Run: holdfast work start WORKFLOW \(solo, brownfield, "),
        ({"workflow": "nope"}, r"Unknown workflow: nope. Workflows: solo, brownfield, "),
    ],
)
def test_without_a_workflow_the_known_ones_are_named(workspace, session, error):
    """Whether nothing was started, or nobody knows what was."""
    with pytest.raises(HoldfastError, match=error):
        require_workflow(workspace, session)


def test_without_a_name_the_current_steps_agent_is_meant(workspace):
    """The same step whose rules are in the block."""
    update_project(workspace, {"workflow": "quick-flow", "agents": {"brief": {"status": "completed"}}})
    first = agent_at(workspace)
    assert (first, agent_at(workspace, "@QA")) == ("dev", "qa-implementation")


def test_a_completed_pipeline_has_no_current_step(workspace):
    """It is said, with what begins the next."""
    done = {name: {"status": "completed"} for name in ("brief", "dev", "qa-implementation", "devops")}
    update_project(workspace, {"workflow": "quick-flow", "agents": done})
    with pytest.raises(HoldfastError, match="The pipeline is complete: quick-flow"):
        agent_at(workspace)


@pytest.mark.parametrize(
    ("session", "name", "agent"),
    [
        ({"workflow": "brownfield"}, "analyst", "brownfield-wu"),
        ({"workflow": "greenfield"}, "analyst", "greenfield-wu"),
        ({"agents": {"analyst": {}}}, "Analyst", "analyst"),
        ({}, "Nobody_Known", "nobody-known"),
    ],
)
def test_an_alias_is_what_the_workflow_makes_of_it(session, name, agent):
    """The workflow's own names come first; an unknown one stays itself."""
    assert agent_id(session, name) == agent


def test_a_mistyped_agent_is_refused_with_the_nearest(workspace):
    """Where the agent has to be there."""
    with pytest.raises(HoldfastError, match="Unknown agent: devv.*dev"):
        known_agent(workspace, "devv")
