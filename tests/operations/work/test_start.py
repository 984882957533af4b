"""Starting a workflow, whatever door asks for it."""

import pytest

from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.operations.work.pipeline import NeedsAgreement
from holdfast.operations.work.start import leave_workflow, start
from holdfast.work.project import NAME, read_project
from holdfast.work.session import read_state

from ...finishing import finish_step
from ..callers import PERSON


def test_a_workflow_begins_at_its_first_step(workspace):
    """And gives the project its name; the mirror knows."""
    chosen = start(workspace, PERSON, "greenfield", called="Harbour")
    assert (chosen.changes, chosen.place, chosen.note) == ({"workflow": "greenfield"}, NAME, "")
    session = read_mirror(workspace).session
    assert (session["current_agent"], session["project"]["name"]) == ("greenfield-wu", "Harbour")


def test_one_that_is_under_way_goes_on(workspace):
    """Where it stands, which is told."""
    start(workspace, PERSON, "greenfield")
    finish_step(workspace, PERSON)
    assert start(workspace, PERSON, "greenfield").note == "greenfield is under way, at brief"


def test_a_workflow_that_asks_for_it_needs_the_users_word(workspace):
    """What would be wrong with it is there to read; nothing is written until then."""
    with pytest.raises(NeedsAgreement) as needed:
        start(workspace, PERSON, "quick-flow")
    assert needed.value.lines[0] == "quick-flow is wrong where" and len(needed.value.lines) > 1
    assert read_project(workspace)[0] == {}
    assert start(workspace, PERSON, "quick-flow", agreed=True).changes == {"workflow": "quick-flow"}


def test_a_workflow_that_does_not_fit_is_refused(workspace):
    """By a fact, or by too little confidence."""
    with pytest.raises(HoldfastError, match="quick-flow does not fit"):
        start(workspace, PERSON, "quick-flow", facts={"files": 300}, agreed=True)
    with pytest.raises(HoldfastError, match="confidence"):
        start(workspace, PERSON, "quick-flow", confidence=0.1, agreed=True)


def test_a_name_without_steps_brings_rules_only(workspace):
    """That is told, for it may be mistyped."""
    chosen = start(workspace, PERSON, "ours")
    assert chosen.warning == "there is no workflow ours: it brings rules only"
    assert read_project(workspace)[0]["workflow"] == "ours"


def test_a_mistyped_name_takes_no_pipelines_place(workspace):
    """What was reached stays in force."""
    start(workspace, PERSON, "greenfield")
    with pytest.raises(HoldfastError, match="there is no workflow grenfield.*greenfield is under way"):
        start(workspace, PERSON, "grenfield")
    assert read_project(workspace)[0]["workflow"] == "greenfield"


def test_a_conversation_takes_a_workflow_for_itself(workspace, conversation):
    """The project's stays."""
    start(workspace, PERSON, "greenfield")
    chosen = start(workspace, PERSON, "brownfield", conversation=conversation)
    assert chosen.place == f"session {conversation}"
    assert read_state(workspace, conversation)["workflow"] == "brownfield"
    assert read_project(workspace)[0]["workflow"] == "greenfield"


def test_a_workflow_that_is_left_keeps_what_it_reached(workspace):
    """Its agents stay on record."""
    start(workspace, PERSON, "greenfield")
    leave_workflow(workspace)
    session = read_project(workspace)[0]
    assert "workflow" not in session and session["agents"]["greenfield-wu"]["status"] == "in_progress"
