"""The gate of the current step."""

import sys

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.operations.work.gates import claim_step_score, forget_run, reopen_gate, run_for_gate, show_gates
from holdfast.operations.work.start import start
from holdfast.work.pipeline.view import runs_of, score_of
from holdfast.work.project import read_project

from ...finishing import finish_step
from ..callers import NOW, PERSON, agrees

FIRST = "greenfield-wu"


@pytest.fixture
def project(workspace):
    """A project at its first step."""
    start(workspace, PERSON, "greenfield")
    return workspace


def session_of(workspace):
    return read_project(workspace)[0]


def test_an_untouched_gate_is_shown_with_what_it_lacks(project):
    """Nothing was scored yet."""
    gate = show_gates(project)[FIRST]
    assert (gate["score"], gate["evidence"], gate["missing"]) == (None, "none", ["it is not finished"])


def test_without_a_workflow_there_is_no_gate(workspace):
    """It is said how to get one."""
    with pytest.raises(HoldfastError, match="No workflow is active"):
        show_gates(workspace)


def test_a_score_is_that_of_the_current_step(project):
    """An agent that is not at work gets none."""
    claim_step_score(project, PERSON, 96, criteria=20)
    assert score_of(session_of(project), FIRST) == 96
    assert session_of(project)["agents"][FIRST]["criteria_count"] == 20
    with pytest.raises(HoldfastError, match="brief is not the current agent"):
        claim_step_score(project, PERSON, 96, "brief")


def test_a_command_that_was_run_is_a_claim_that_can_be_withdrawn(project):
    """Its exit code is kept with the moment of its end, and what it prints is shown."""
    shown = []
    words = (sys.executable, "-c", "print('fine')")
    moved = run_for_gate(project, PERSON, words, project.root, shown.append, now=lambda: NOW + 60)
    claim_step_score(project, PERSON, 96)
    (evidence,) = runs_of(session_of(project), FIRST)
    assert (moved.move.data["exit_code"], evidence["timestamp"]) == (0, "2026-11-21T12:01:00Z")
    assert b"".join(shown).strip() == b"fine"
    assert show_gates(project)[FIRST]["evidence"] == "claimed"
    forget_run(project, PERSON, evidence["command"])
    assert runs_of(session_of(project), FIRST) == []


def test_another_agents_command_is_not_run(project):
    """Nothing happens at all."""
    shown = []
    with pytest.raises(HoldfastError, match="dev is not the current agent.*The command was not run"):
        run_for_gate(project, PERSON, (sys.executable, "-c", "print('x')"), project.root, shown.append, "dev")
    assert (shown, runs_of(session_of(project), FIRST)) == ([], [])


def test_a_reopened_gate_may_be_tried_again(project):
    """On a person's word, and when its rounds are used up."""
    with pytest.raises(HoldfastError, match="need not be reopened"):
        reopen_gate(project, PERSON, agrees, FIRST, "one more try")
    for _ in range(4):
        assert not finish_step(project, PERSON, unmet=1).finished
    with pytest.raises(HoldfastError, match="A person decides"):
        finish_step(project, PERSON)
    reopen_gate(project, PERSON, agrees, FIRST, "one more try")
    assert finish_step(project, PERSON).finished
