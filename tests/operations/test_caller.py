"""Who is at the command line: a person, or the agent of a conversation (decision 22)."""

import os

import pytest

from limpet.hosts.surroundings import find_surroundings
from limpet.memory.model.layout import WHOLE_STORE, Reader
from limpet.operations.caller import find_reader, from_root
from limpet.work.session import change_session, session_path

from ..project_session import update_project

INSIDE = {"CLAUDECODE": "1"}
CONVERSATION = {**INSIDE, "CLAUDE_CODE_SESSION_ID": "abc"}


def ask(workspace, environment=None, interactive=True):
    """The reader, at a terminal and outside every host where nothing else is said."""
    return find_reader(workspace, find_surroundings(environment or {}), interactive)


@pytest.mark.parametrize(
    ("current", "own", "environment", "interactive", "reader"),
    [
        ("dev", "", {"CLAUDECODE": "1"}, True, Reader("dev")),
        ("dev", "", {"CLAUDE_CODE_SESSION_ID": "1"}, True, Reader("dev")),
        ("dev", "", {"CLAUDE_CODE_ENTRYPOINT": "1"}, True, Reader("dev")),
        ("", "", {"CLAUDECODE": ""}, True, WHOLE_STORE),
        ("dev", "architect", CONVERSATION, True, Reader("architect")),
        ("dev", "", CONVERSATION, True, Reader("dev")),
        ("dev", "none", CONVERSATION, True, Reader("")),
        ("", "", INSIDE, True, Reader("")),
        ("", "@QA", CONVERSATION, True, Reader("qa-implementation")),
        ("dev", "", {}, False, Reader("dev")),
        ("", "", {}, False, WHOLE_STORE),
        ("dev", "", {}, True, WHOLE_STORE),
    ],
    ids=[
        *("marked", "marked by its conversation", "marked by its entry", "an empty marker is none"),
        *("the conversation's own agent first", "a conversation that nobody saw", "one that wants no agent"),
        *("nobody named", "an alias", "without a terminal", "a person's script", "a person at a terminal"),
    ],
)
def test_who_calls_is_read_from_markers_agents_and_terminal(
    workspace, request, current, own, environment, interactive, reader
):
    """Inside a host nobody is a person, even at a terminal; a pipe is what most agents' shells look like."""
    if current:
        update_project(workspace, {"current_agent": current})
    if own:
        change_session(workspace, request.getfixturevalue("conversation"), {"active_agent": own})
    assert ask(workspace, environment, interactive) == reader


def test_a_damaged_state_counts_for_nothing_and_stays(workspace, conversation):
    """Asking who is there repairs no files."""
    path = session_path(workspace, conversation)
    with open(path, "w", encoding="utf-8") as file:
        file.write("{torn")
    assert ask(workspace, CONVERSATION) == Reader(agent="")
    with open(path, encoding="utf-8") as file:
        assert file.read() == "{torn"


def test_the_conversation_is_known_by_its_hosts_variable():
    """And by no other."""
    assert find_surroundings(CONVERSATION).conversation == "abc"
    assert find_surroundings(INSIDE).conversation == ""


def test_a_path_typed_below_the_root_counts_from_the_root(workspace, monkeypatch):
    """With ``/``, wherever it was typed; one that leads elsewhere names no file of the project, and stays."""
    os.makedirs(os.path.join(workspace.root, "src"))
    monkeypatch.chdir(os.path.join(workspace.root, "src"))
    assert from_root(workspace, "a.py") == "src/a.py"
    assert from_root(workspace, os.path.join(workspace.root, "b.py")) == "b.py"
    monkeypatch.chdir(workspace.root)
    assert from_root(workspace, "../other/a.py") == "../other/a.py"
