"""The gate of the current step."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.work.facts import agent_at, agent_id, known_agent, require_workflow, show_gates
from limpet.operations.work.start import start_work

from ...finishing import finish_step
from ...project_session import update_project
from ..callers import opened

FIRST = "greenfield-wu"


@pytest.fixture
def project(workspace):
    """A project at its first step."""
    start_work(opened(workspace), "greenfield")
    return workspace


def test_an_untouched_gate_is_shown_with_what_it_lacks(project):
    """Nothing was scored yet."""
    gate = show_gates(opened(project))[FIRST]
    assert (gate["score"], gate["evidence"]) == (None, "none")
    assert gate["missing"][0] == "it is not finished" and "discovery.md does not exist" in gate["missing"][1]


def test_an_honest_no_is_no_trap(project):
    """After every round of correction is used, and one more, the step can still be finished."""
    for _ in range(5):
        assert not finish_step(opened(project), unmet=1).finished
    assert opened(project).session["agents"][FIRST]["escalated"] is True
    assert finish_step(opened(project)).finished


@pytest.mark.parametrize(
    ("session", "error"),
    [
        ({}, r"No workflow is active. Run: limpet work start WORKFLOW \(solo, brownfield, "),
        ({"workflow": "nope"}, r"Unknown workflow: nope. Workflows: solo, brownfield, "),
    ],
)
def test_without_a_workflow_the_known_ones_are_named(workspace, session, error):
    """Whether nothing was started, or nobody knows what was."""
    with pytest.raises(LimpetError, match=error):
        update_project(workspace, session)
        require_workflow(opened(workspace))
    with pytest.raises(LimpetError, match=error):
        show_gates(opened(workspace))


def test_without_a_name_the_current_steps_agent_is_meant(workspace):
    """The same step whose rules are in the block."""
    update_project(workspace, {"workflow": "quick-flow", "agents": {"brief": {"status": "completed"}}})
    project = opened(workspace)
    assert (agent_at(project), agent_at(project, "@QA")) == ("dev", "qa-implementation")


def test_a_completed_pipeline_has_no_current_step(workspace):
    """It is said, with what begins the next."""
    done = {name: {"status": "completed"} for name in ("brief", "dev", "qa-implementation", "devops")}
    update_project(workspace, {"workflow": "quick-flow", "agents": done})
    with pytest.raises(LimpetError, match="The pipeline is complete: quick-flow"):
        agent_at(opened(workspace))


@pytest.mark.parametrize(
    ("session", "name", "agent"),
    [
        ({"workflow": "brownfield"}, "analyst", "brownfield-wu"),
        ({"workflow": "greenfield"}, "analyst", "greenfield-wu"),
        ({"agents": {"analyst": {}}}, "Analyst", "analyst"),
        ({}, "Nobody_Known", "nobody-known"),
    ],
)
def test_an_alias_is_what_the_workflow_makes_of_it(workspace, session, name, agent):
    """The workflow's own names come first; an unknown one stays itself."""
    update_project(workspace, session)
    assert agent_id(opened(workspace), name) == agent


def test_a_mistyped_agent_is_refused_with_the_nearest(workspace):
    """Where the agent has to be there."""
    with pytest.raises(LimpetError, match="Unknown agent: devv.*dev"):
        known_agent(opened(workspace), "devv")
