"""Starting a workflow, whatever door asks for it."""

import os

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.event import Surroundings
from limpet.operations.work import stories
from limpet.operations.work.lock import resume_project
from limpet.operations.work.moves import choose_work
from limpet.operations.work.start import NOTHING, end_work, offered_workflows, start_work, stop_conversation
from limpet.work.project import NAME, read_project
from limpet.work.session import change_session, read_state
from limpet.work.stories.store import read_story

from ...finishing import finish_step
from ...project_session import update_project
from ...work.writing import content, put
from ..callers import DEV, PERSON, agrees, events, opened, refuses


def test_a_workflow_begins_at_its_first_step(workspace):
    """And gives the project its name; the mirror knows."""
    chosen = start_work(opened(workspace), "greenfield", called="Harbour")
    assert (chosen.changes, chosen.place, chosen.note) == ({"workflow": "greenfield"}, NAME, "")
    session = read_mirror(workspace).session
    assert (session["current_agent"], session["project"]["name"]) == ("greenfield-wu", "Harbour")


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
    """That is told, for it may be mistyped; it takes no pipeline's place."""
    chosen = start_work(opened(workspace), "ours")
    assert chosen.warning == "Unknown workflow: ours; it has rules only"
    assert read_project(workspace)[0]["workflow"] == "ours"
    start_work(opened(workspace), "greenfield", afresh=True)
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
    """No score of the one that was left is its own; the same one goes on where it was, with its agent and mode."""
    start_work(opened(workspace), "greenfield")
    finish_step(opened(workspace))
    assert start_work(opened(workspace), "greenfield").note == "greenfield is already active, at brief"
    end_work(opened(workspace), refuses)
    assert start_work(opened(workspace), "greenfield").note == "greenfield is already active, at brief"
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["mode"]) == ("brief", "planning")
    for name, first in (("solo", "brief"), ("greenfield", "greenfield-wu")):
        end_work(opened(workspace), refuses)
        start_work(opened(workspace), name)
        session = read_project(workspace)[0]
        assert (session["current_agent"], session["agents"][first].get("score")) == (first, None)


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


def test_it_ends_workflow_agent_task_story_mode_and_lock(workspace):
    """With a line for each, and how to go on; the permission mode is the person's, and stays."""
    stories.add_story(opened(workspace), "S-1", "Add the export", acceptance=("A file",))
    before = content(workspace, "stories/S-1/story.md")
    stories.start_story(opened(workspace))
    start_work(opened(workspace), "greenfield")
    choose_work(opened(workspace), "permission", "ask")
    resume_project(opened(workspace))
    done = end_work(opened(workspace), refuses)
    assert (done.changes, done.place) == (dict.fromkeys(("workflow", "current_agent", "task", "mode")), NAME)
    assert done.lines == (
        "workflow: none (was greenfield, at greenfield-wu; to go on, run: limpet work start greenfield)",
        "active agent: none (was greenfield-wu)",
        "task: none (was Add the export)",
        "pipeline mode: none (was planning)",
        "story S-1: draft; to go on, run: limpet work story start S-1",
        "Session saved. Type /limpet work to resume.",
    )
    session = read_project(workspace)[0]
    assert not {"workflow", "current_agent", "task", "mode"} & set(session)
    assert (session["permission"], session["lock"]["active"]) == ("ask", False)
    after = content(workspace, "stories/S-1/story.md")
    assert [line for line in after.splitlines() if not line.startswith("run")] == before.splitlines()
    assert "workflow" not in read_mirror(workspace).session
    assert ("work.stopped", None) in events(workspace)
    assert end_work(opened(workspace), refuses).lines == (NOTHING,)


def test_an_agent_leaves_a_gate_only_with_a_persons_word(workspace):
    """Without a workflow that is under way, and an agent in force, nobody is asked."""
    update_project(workspace, {"task": "Add it"})
    end_work(opened(workspace, DEV), refuses)
    assert "task" not in read_project(workspace)[0]
    start_work(opened(workspace), "greenfield")
    with pytest.raises(LimpetError, match="Stop greenfield at greenfield-wu, before its gate"):
        end_work(opened(workspace, DEV), refuses)
    assert read_project(workspace)[0]["workflow"] == "greenfield"
    end_work(opened(workspace, DEV), agrees)
    assert "workflow" not in read_project(workspace)[0]


def test_the_callers_own_choices_end_too(workspace, conversation):
    """Those of another conversation stay; its own wish for no agent is no work."""
    change_session(workspace, conversation, {"active_agent": "qa", "task": "Mine", "permission": "ask"})
    caller = PERSON.replace(surroundings=Surroundings("claude-code", conversation))
    with pytest.raises(LimpetError, match="Stop all work, where qa-implementation is in force"):
        end_work(opened(workspace, caller), refuses)
    done = end_work(opened(workspace, caller), agrees)
    assert done.lines == (
        f"active agent: none (was qa, in session {conversation})",
        f"task: none (was Mine, in session {conversation})",
    )
    state = read_state(workspace, conversation)
    assert (state["active_agent"], state["task"], state["permission"]) == (None, None, "ask")
    change_session(workspace, conversation, {"active_agent": "none"})
    assert end_work(opened(workspace, caller), refuses).lines == (NOTHING,)


def test_one_conversation_is_stopped_alone(workspace, conversation):
    """The project's work goes on."""
    start_work(opened(workspace), "greenfield")
    change_session(workspace, conversation, {"workflow": "ours"})
    done = stop_conversation(opened(workspace, DEV), conversation, agrees)
    assert (done.changes, done.place) == ({"workflow": None}, f"session {conversation}")
    assert read_project(workspace)[0]["workflow"] == "greenfield"
    with pytest.raises(LimpetError, match="No conversation with this ID"):
        stop_conversation(opened(workspace), "nobody")


def test_a_story_that_is_no_longer_in_progress_or_cannot_be_read_is_left(workspace):
    """What cannot be put back is told, and ends nothing less."""
    put(workspace, "stories/S-1/story.md", "---\nid: S-1\nstatus: review\n---\n")
    update_project(workspace, {"task": {"id": "S-1", "title": "Add it"}})
    assert end_work(opened(workspace), refuses).lines == ("task: none (was Add it)",)
    assert read_story(workspace, "S-1").status == "review"
    put(workspace, "stories/S-1/story.md", "<<<<<<< ours\n")
    update_project(workspace, {"task": {"id": "S-1", "title": "Add it"}})
    assert "story S-1 is left as it is: " in end_work(opened(workspace), refuses).lines[1]
    assert "task" not in read_project(workspace)[0]


def test_the_locks_block_goes_from_an_instruction_file(workspace):
    """With the file where it was made for the block; the user's own bytes stay."""
    update_project(workspace, {"current_agent": "dev"})
    paths = [os.path.join(workspace.root, name) for name in ("CLAUDE.md", "AGENTS.md")]
    block = "<!-- limpet:begin{} -->\n<!-- limpet:end -->\n"
    for path, text in zip(paths, (block.format(" made"), "# Mine\n" + block.format("")), strict=True):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    resume_project(opened(workspace))
    assert end_work(opened(workspace), refuses).lines[-2:] == (
        "CLAUDE.md: the block about the lock is removed",
        "AGENTS.md: the block about the lock is removed",
    )
    assert not os.path.exists(paths[0])
    with open(paths[1], encoding="utf-8") as file:
        assert file.read() == "# Mine\n"
