"""The gate of the current step."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.operations.work.gate.facts import show_gates
from limpet.operations.work.start import start_work

from ....finishing import finish_step
from ...callers import opened

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


def test_without_a_workflow_there_is_no_gate(workspace):
    """It is said how to get one."""
    with pytest.raises(LimpetError, match="No workflow is active"):
        show_gates(opened(workspace))


def test_an_honest_no_is_no_trap(project):
    """After every round of correction is used, and one more, the step can still be finished."""
    for _ in range(5):
        assert not finish_step(opened(project), unmet=1).finished
    assert opened(project).session["agents"][FIRST]["escalated"] is True
    assert finish_step(opened(project)).finished
