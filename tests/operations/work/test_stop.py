"""Ending all that is under way, whatever door asks for it."""

import os

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.operations.surroundings import Surroundings
from limpet.operations.work import stories
from limpet.operations.work.lock import resume_project
from limpet.operations.work.moves import choose_work
from limpet.operations.work.start import NOTHING, end_work, start_work, stop_conversation
from limpet.work.project import NAME, read_project
from limpet.work.session import change_session, read_state
from limpet.work.stories.store import read_story

from ...project_session import update_project
from ...work.writing import content, put
from ..callers import DEV, PERSON, agrees, events, opened, refuses


def test_it_ends_workflow_agent_task_story_mode_and_lock(workspace):
    """With a line for each, and how to go on; the permission mode is the person's, and stays."""
    start_work(opened(workspace), "greenfield")
    choose_work(opened(workspace), "permission", "ask")
    stories.add_story(opened(workspace), "S-1", "Add the export", acceptance=("A file",))
    before = content(workspace, "stories/S-1/story.md")
    stories.start_story(opened(workspace))
    resume_project(opened(workspace))
    done = end_work(opened(workspace), refuses)
    assert (done.changes, done.place) == (dict.fromkeys(("workflow", "current_agent", "task", "mode")), NAME)
    assert done.lines == (
        "workflow: none (was greenfield, at greenfield-wu; to go on, run: limpet work start greenfield)",
        "active agent: none (was greenfield-wu)",
        "task: none (was Add the export)",
        "pipeline mode: none (was planning)",
        "story S-1: draft; to go on, run: limpet story start S-1",
        "Session saved. Type /limpet to resume.",
    )
    session = read_project(workspace)[0]
    assert not {"workflow", "current_agent", "task", "mode"} & set(session)
    assert (session["permission"], session["lock"]["active"]) == ("ask", False)
    after = content(workspace, "stories/S-1/story.md")
    assert [line for line in after.splitlines() if not line.startswith("run")] == before.splitlines()
    assert "workflow" not in read_mirror(workspace).session
    assert ("work.stopped", None) in events(workspace)


def test_where_nothing_is_under_way_it_says_so(workspace):
    """And changes nothing."""
    assert end_work(opened(workspace), refuses).lines == (NOTHING,)
    assert read_project(workspace)[0] == {}


def test_what_was_reached_is_kept(workspace):
    """The agents stay on record, and the same workflow goes on, with the agent and mode of its step."""
    start_work(opened(workspace), "greenfield")
    end_work(opened(workspace), refuses)
    assert read_project(workspace)[0]["agents"]["greenfield-wu"]["status"] == "in_progress"
    start_work(opened(workspace), "greenfield")
    session = read_project(workspace)[0]
    assert (session["current_agent"], session["mode"]) == ("greenfield-wu", "planning")


def test_an_agent_leaves_a_gate_only_with_a_persons_word(workspace):
    """Without a workflow that is under way nobody is asked."""
    update_project(workspace, {"current_agent": "dev", "task": "Add it"})
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
    done = end_work(opened(workspace, caller), refuses)
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
    done = stop_conversation(opened(workspace, DEV), conversation)
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
