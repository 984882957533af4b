"""The session lock, whatever door turns it."""

import pytest

from limpet.ground.config.mirror import read_mirror
from limpet.ground.event import Surroundings
from limpet.operations.work.lock import explain_lock, leave, resume_project, show_lock
from limpet.work.project import read_project
from limpet.work.session import change_session

from ...conversation import write
from ...places import private_path
from ...project_session import update_project
from ..callers import PERSON, agrees, events, opened

EXIT = PERSON.replace(by="limpet work exit")


@pytest.mark.parametrize(("by", "name"), [("limpet resume", "limpet resume"), ("", "person")])
def test_the_lock_is_taken_lifted_recorded_and_in_the_mirror(workspace, by, name):
    """By the door's name, or by its caller."""
    assert resume_project(opened(workspace, PERSON.replace(by=by))).changed
    assert read_mirror(workspace).session["lock"]["by"] == name
    assert leave(opened(workspace, EXIT)).changed
    assert read_mirror(workspace).session["lock"]["active"] is False
    asked = "the user asked for it"
    assert sorted(events(workspace)) == [("lock.lifted", asked), ("lock.taken", asked)]


def test_to_show_or_explain_changes_nothing(workspace):
    """Even a session that cannot be read is explained."""
    assert not show_lock(opened(workspace)).changed and read_project(workspace)[0] == {}
    write(private_path(workspace, "session.yaml"), "mode: [\n")
    assert len(explain_lock(opened(workspace)).lines) == 7


@pytest.fixture
def talked(workspace, conversation):
    """A locked project with a conversation of the analyst's, whose transcript is known; its id."""
    resume_project(opened(workspace))
    update_project(workspace, {"current_agent": "analyst"})
    change_session(workspace, conversation, {"transcript": "/t.jsonl", "workflow": "brownfield"})
    return conversation


@pytest.mark.parametrize("inside", [True, False])
def test_leaving_captures_the_callers_conversation_or_the_newest(workspace, talked, inside):
    """With the agent in force there; that it was kept is told."""
    asked = []
    around = Surroundings("claude-code", talked) if inside else Surroundings()
    caller = EXIT.replace(surroundings=around)
    turned = leave(opened(workspace, caller), lambda found: not asked.append(found), agrees)
    (found,) = asked
    assert (found.session, found.transcript, found.agent) == (talked, "/t.jsonl", "brownfield-wu")
    assert turned.kept and turned.lines[-1].startswith("What this conversation taught")


def test_what_could_not_be_captured_is_not_told_as_kept(workspace, talked):
    """The lock is lifted all the same."""
    turned = leave(opened(workspace, EXIT), lambda found: False)
    assert (turned.changed, turned.kept) == (True, False)
    assert not any(line.startswith("What this conversation taught") for line in turned.lines)


@pytest.mark.parametrize("why", ["lifted before", "switched off", "unknown conversation", "no capture"])
def test_nothing_is_captured_without_need(workspace, talked, why):
    """Nor where the settings forbid it."""
    asked, caller = [], EXIT
    if why == "lifted before":
        leave(opened(workspace, EXIT))
    elif why == "switched off":
        write(workspace.path("config.yaml"), "memory: {capture: false}\n")
    elif why == "unknown conversation":
        caller = EXIT.replace(surroundings=Surroundings("claude-code", "nobody"))
    assert not leave(opened(workspace, caller), None if why == "no capture" else asked.append, agrees).kept
    assert asked == []
