"""Starting a workflow, whatever door asks for it."""

import os

import pytest

from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.operations.surroundings import Surroundings
from holdfast.operations.work.choices import choose
from holdfast.operations.work.pipeline import NeedsAgreement
from holdfast.operations.work.start import leave_workflow, offered_workflows, start
from holdfast.work.project import NAME, read_project
from holdfast.work.session import read_state

from ...finishing import finish_step
from ..callers import PERSON, opened


def test_a_workflow_begins_at_its_first_step(workspace):
    """And gives the project its name; the mirror knows."""
    chosen = start(opened(workspace), "greenfield", called="Harbour")
    assert (chosen.changes, chosen.place, chosen.note) == ({"workflow": "greenfield"}, NAME, "")
    session = read_mirror(workspace).session
    assert (session["current_agent"], session["project"]["name"]) == ("greenfield-wu", "Harbour")


def test_one_that_is_under_way_goes_on(workspace):
    """Where it stands, which is told."""
    start(opened(workspace), "greenfield")
    finish_step(opened(workspace))
    assert start(opened(workspace), "greenfield").note == "greenfield is already active, at brief"


def test_a_workflow_that_asks_for_it_needs_the_users_word(workspace):
    """What would be wrong with it is there to read; nothing is written until then."""
    with pytest.raises(NeedsAgreement) as needed:
        start(opened(workspace), "quick-flow")
    assert needed.value.lines[0] == "quick-flow does not fit where" and len(needed.value.lines) > 1
    assert read_project(workspace)[0] == {}
    assert start(opened(workspace), "quick-flow", agreed=True).changes == {"workflow": "quick-flow"}


def test_a_workflow_that_does_not_fit_is_refused(workspace):
    """By a fact, or by too little confidence."""
    with pytest.raises(HoldfastError, match="quick-flow does not fit"):
        start(opened(workspace), "quick-flow", facts={"files": 300}, agreed=True)
    with pytest.raises(HoldfastError, match="confidence"):
        start(opened(workspace), "quick-flow", confidence=0.1, agreed=True)


def test_a_name_without_steps_brings_rules_only(workspace):
    """That is told, for it may be mistyped."""
    chosen = start(opened(workspace), "ours")
    assert chosen.warning == "Unknown workflow: ours; it has rules only"
    assert read_project(workspace)[0]["workflow"] == "ours"


def test_a_mistyped_name_takes_no_pipelines_place(workspace):
    """What was reached stays in force."""
    start(opened(workspace), "greenfield")
    with pytest.raises(HoldfastError, match="Unknown workflow: grenfield.*Workflow greenfield is active"):
        start(opened(workspace), "grenfield")
    assert read_project(workspace)[0]["workflow"] == "greenfield"


def test_a_conversation_takes_a_workflows_rules_for_itself(workspace, conversation):
    """The project's stays; one with steps is refused, for they would be the project's."""
    start(opened(workspace), "greenfield")
    chosen = start(opened(workspace), "ours", conversation=conversation)
    assert chosen.place == f"session {conversation}"
    with pytest.raises(HoldfastError, match="brownfield has steps.*holdfast work start brownfield"):
        start(opened(workspace), "brownfield", conversation=conversation)
    assert read_state(workspace, conversation)["workflow"] == "ours"
    assert read_project(workspace)[0]["workflow"] == "greenfield"


def test_another_workflow_than_the_one_that_was_left_begins_at_its_first_step(workspace):
    """No score of the one that was left is its own; the same one goes on where it was."""
    start(opened(workspace), "greenfield")
    finish_step(opened(workspace))
    leave_workflow(opened(workspace))
    assert start(opened(workspace), "greenfield").note == "greenfield is already active, at brief"
    leave_workflow(opened(workspace))
    start(opened(workspace), "solo")
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["agents"]["brief"].get("score")) == ("brief", None)
    leave_workflow(opened(workspace))
    start(opened(workspace), "greenfield")
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["agents"]["greenfield-wu"].get("score")) == ("greenfield-wu", None)


def test_a_move_needs_the_pipeline_to_be_the_conversations(workspace, conversation):
    """Its block shows none while it follows a workflow of its own."""
    start(opened(workspace), "greenfield")
    start(opened(workspace), "ours", conversation=conversation)
    inside = PERSON.replace(surroundings=Surroundings("claude-code", conversation))
    with pytest.raises(HoldfastError, match="This conversation follows ours.*work start --clear --session abc"):
        finish_step(opened(workspace, inside))
    leave_workflow(opened(workspace), conversation)
    finish_step(opened(workspace, inside))
    assert read_project(workspace)[0]["current_agent"] == "brief"


def test_what_is_offered_begins_with_the_one_for_a_single_developer(workspace):
    """Then the smaller before the larger; a file that cannot be read is named."""
    os.makedirs(workspace.path("workflows"))
    with open(workspace.path("workflows", "our_way.yaml"), "w", encoding="utf-8") as file:
        file.write("steps: [\n")
    offered = {one.name: one for one in offered_workflows(workspace)}
    assert list(offered) == [
        *("solo", "our-way", "brownfield-discovery", "quick-flow", "brownfield-ui", "brownfield-service"),
        *("brownfield", "greenfield"),
    ]
    assert (offered["solo"].steps, offered["greenfield"].steps) == (5, 11)
    assert "workflows/our_way.yaml:2" in offered["our-way"].description


def test_a_workflow_that_is_left_keeps_what_it_reached(workspace):
    """Its agents stay on record."""
    start(opened(workspace), "greenfield")
    leave_workflow(opened(workspace))
    session = read_project(workspace)[0]
    assert "workflow" not in session and session["agents"]["greenfield-wu"]["status"] == "in_progress"


def test_a_workflow_that_is_left_takes_the_agent_and_mode_of_its_step_along(workspace):
    """Nothing of it speaks any more; taken up again, both are back. An agent of a person's own choice stays."""
    start(opened(workspace), "greenfield")
    assert leave_workflow(opened(workspace)).changes == {"workflow": None, "current_agent": None, "mode": None}
    assert not {"current_agent", "mode"} & set(read_project(workspace)[0])
    start(opened(workspace), "greenfield")
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["mode"]) == ("greenfield-wu", "planning")
    choose(opened(workspace), "current_agent", "dev")
    leave_workflow(opened(workspace))
    assert read_project(workspace)[0]["current_agent"] == "dev"
