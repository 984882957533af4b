"""Starting a workflow, whatever door asks for it."""

import os

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.operations.surroundings import Surroundings
from limpet.operations.work.start import end_work, offered_workflows, start_work, stop_conversation
from limpet.work.project import NAME, read_project
from limpet.work.session import read_state

from ...finishing import finish_step
from ..callers import DEV, PERSON, agrees, opened, refuses


def test_a_workflow_begins_at_its_first_step(workspace):
    """And gives the project its name; the mirror knows."""
    chosen = start_work(opened(workspace), "greenfield", called="Harbour")
    assert (chosen.changes, chosen.place, chosen.note) == ({"workflow": "greenfield"}, NAME, "")
    session = read_mirror(workspace).session
    assert (session["current_agent"], session["project"]["name"]) == ("greenfield-wu", "Harbour")


def test_one_that_is_under_way_goes_on(workspace):
    """Where it stands, which is told."""
    start_work(opened(workspace), "greenfield")
    finish_step(opened(workspace))
    assert start_work(opened(workspace), "greenfield").note == "greenfield is already active, at brief"


def test_a_workflow_that_asks_for_it_needs_a_persons_word(workspace):
    """What would be wrong with it and is not known is there to read; nothing is written until then."""
    with pytest.raises(LimpetError, match="Start quick-flow; nobody said whether, and it must not be: there is no pro"):
        start_work(opened(workspace), "quick-flow", obtain=refuses)
    with pytest.raises(LimpetError, match="A person's word is needed"):
        start_work(opened(workspace), "quick-flow")
    assert read_project(workspace)[0] == {}
    assert start_work(opened(workspace), "quick-flow", obtain=agrees).changes == {"workflow": "quick-flow"}


def test_a_workflow_that_does_not_fit_is_refused(workspace):
    """By a fact, or by too little confidence, whoever agrees."""
    with pytest.raises(LimpetError, match="quick-flow does not fit"):
        start_work(opened(workspace), "quick-flow", facts={"files": 300}, obtain=agrees)
    with pytest.raises(LimpetError, match="confidence"):
        start_work(opened(workspace), "quick-flow", confidence=0.1, obtain=agrees)


def test_an_agent_begins_nothing_afresh_in_mid_way(workspace):
    """It would leave the gate that it stands at; a person does, and begins another one."""
    start_work(opened(workspace), "greenfield")
    for name in ("greenfield", "solo"):
        with pytest.raises(LimpetError, match=f"Leave greenfield at greenfield-wu, and begin {name} afresh"):
            start_work(opened(workspace, DEV), name, afresh=True, obtain=refuses)
    start_work(opened(workspace), "solo", afresh=True, obtain=refuses)
    start_work(opened(workspace, DEV), "greenfield", afresh=True, obtain=agrees)
    assert read_project(workspace)[0]["workflow"] == "greenfield"


def test_a_name_without_steps_brings_rules_only(workspace):
    """That is told, for it may be mistyped."""
    chosen = start_work(opened(workspace), "ours")
    assert chosen.warning == "Unknown workflow: ours; it has rules only"
    assert read_project(workspace)[0]["workflow"] == "ours"


def test_a_mistyped_name_takes_no_pipelines_place(workspace):
    """What was reached stays in force."""
    start_work(opened(workspace), "greenfield")
    with pytest.raises(LimpetError, match="Unknown workflow: grenfield.*Workflow greenfield is active"):
        start_work(opened(workspace), "grenfield")
    assert read_project(workspace)[0]["workflow"] == "greenfield"


def test_a_conversation_takes_a_workflows_rules_for_itself(workspace, conversation):
    """The project's stays; one with steps is refused, for they would be the project's."""
    start_work(opened(workspace), "greenfield")
    chosen = start_work(opened(workspace), "ours", conversation=conversation)
    assert chosen.place == f"session {conversation}"
    with pytest.raises(LimpetError, match="brownfield has steps.*limpet work start brownfield"):
        start_work(opened(workspace), "brownfield", conversation=conversation)
    assert read_state(workspace, conversation)["workflow"] == "ours"
    assert read_project(workspace)[0]["workflow"] == "greenfield"


def test_another_workflow_than_the_one_that_was_left_begins_at_its_first_step(workspace):
    """No score of the one that was left is its own; the same one goes on where it was."""
    start_work(opened(workspace), "greenfield")
    finish_step(opened(workspace))
    end_work(opened(workspace), refuses)
    assert start_work(opened(workspace), "greenfield").note == "greenfield is already active, at brief"
    end_work(opened(workspace), refuses)
    start_work(opened(workspace), "solo")
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["agents"]["brief"].get("score")) == ("brief", None)
    end_work(opened(workspace), refuses)
    start_work(opened(workspace), "greenfield")
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["agents"]["greenfield-wu"].get("score")) == ("greenfield-wu", None)


def test_a_move_needs_the_pipeline_to_be_the_conversations(workspace, conversation):
    """Its block shows none while it follows a workflow of its own."""
    start_work(opened(workspace), "greenfield")
    start_work(opened(workspace), "ours", conversation=conversation)
    inside = PERSON.replace(surroundings=Surroundings("claude-code", conversation))
    with pytest.raises(LimpetError, match="This conversation follows ours.*work stop --session abc"):
        finish_step(opened(workspace, inside))
    stop_conversation(opened(workspace), conversation)
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
