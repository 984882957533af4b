"""The gate of the current step."""

import pytest

from holdfast.ground.errors import HoldfastError
from holdfast.operations.work.gates import reopen_gate, show_gates
from holdfast.operations.work.start import start

from ...finishing import finish_step
from ..callers import agrees, opened

FIRST = "greenfield-wu"


@pytest.fixture
def project(workspace):
    """A project at its first step."""
    start(opened(workspace), "greenfield")
    return workspace


def test_an_untouched_gate_is_shown_with_what_it_lacks(project):
    """Nothing was scored yet."""
    gate = show_gates(opened(project))[FIRST]
    assert (gate["score"], gate["evidence"], gate["missing"]) == (None, "none", ["it is not finished"])


def test_without_a_workflow_there_is_no_gate(workspace):
    """It is said how to get one."""
    with pytest.raises(HoldfastError, match="No workflow is active"):
        show_gates(opened(workspace))


def test_a_reopened_gate_may_be_tried_again(project):
    """On a person's word, and when its rounds are used up."""
    with pytest.raises(HoldfastError, match="need not be reopened"):
        reopen_gate(opened(project), agrees, FIRST, "one more try")
    for _ in range(4):
        assert not finish_step(opened(project), unmet=1).finished
    with pytest.raises(HoldfastError, match="A person decides"):
        finish_step(opened(project))
    reopen_gate(opened(project), agrees, FIRST, "one more try")
    assert finish_step(opened(project)).finished
