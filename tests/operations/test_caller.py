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


@pytest.mark.parametrize("marker", ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_ENTRYPOINT"])
def test_each_marker_of_a_host_makes_the_caller_an_agent(workspace, marker):
    """Even at a terminal, as a host may give its commands one."""
    update_project(workspace, {"current_agent": "dev"})
    assert ask(workspace, {marker: "1"}) == Reader(agent="dev")


def test_an_empty_marker_is_none(workspace):
    """A variable that was set to nothing marks nothing."""
    assert not find_surroundings({"CLAUDECODE": ""}).host
    assert ask(workspace, {"CLAUDECODE": ""}) == WHOLE_STORE


def test_the_conversations_own_agent_comes_before_the_projects(workspace, conversation):
    """As for the rules of its prompts."""
    update_project(workspace, {"current_agent": "dev"})
    change_session(workspace, conversation, {"active_agent": "architect"})
    assert ask(workspace, CONVERSATION) == Reader(agent="architect")


def test_a_conversation_that_nobody_saw_has_the_projects_agent(workspace):
    """So has one whose state is damaged; the file is left as it is."""
    update_project(workspace, {"current_agent": "dev"})
    assert ask(workspace, CONVERSATION) == Reader(agent="dev")


def test_a_damaged_state_counts_for_nothing_and_stays(workspace, conversation):
    """Asking who is there repairs no files."""
    path = session_path(workspace, conversation)
    with open(path, "w", encoding="utf-8") as file:
        file.write("{torn")
    assert ask(workspace, CONVERSATION) == Reader(agent="")
    with open(path, encoding="utf-8") as file:
        assert file.read() == "{torn"


def test_a_conversation_that_wants_no_agent_has_none(workspace, conversation):
    """Though its project has one: it sees what is shared."""
    update_project(workspace, {"current_agent": "dev"})
    change_session(workspace, conversation, {"active_agent": "none"})
    assert ask(workspace, CONVERSATION) == Reader(agent="")


def test_inside_a_host_nobody_named_is_still_no_person(workspace):
    """It sees what is shared."""
    assert ask(workspace, INSIDE) == Reader(agent="")


def test_an_alias_is_the_agent_that_it_means(workspace, conversation):
    """So that private folders go by one name."""
    change_session(workspace, conversation, {"active_agent": "@QA"})
    assert ask(workspace, CONVERSATION) == Reader(agent="qa-implementation")


def test_without_a_terminal_an_active_agent_is_the_caller(workspace):
    """A pipe is what most agents' shells look like, whatever their host."""
    update_project(workspace, {"current_agent": "dev"})
    assert ask(workspace, interactive=False) == Reader(agent="dev")


def test_without_a_terminal_and_without_an_agent_it_is_a_person(workspace):
    """Such as a script of theirs."""
    assert ask(workspace, interactive=False) == WHOLE_STORE


def test_at_a_terminal_it_is_a_person_whoever_is_active(workspace):
    """Outside every host."""
    update_project(workspace, {"current_agent": "dev"})
    assert ask(workspace) == WHOLE_STORE


def test_the_conversation_is_known_by_its_hosts_variable():
    """And by no other."""
    assert find_surroundings(CONVERSATION).conversation == "abc"
    assert find_surroundings(INSIDE).conversation == ""


def test_a_path_typed_below_the_root_counts_from_the_root(workspace, monkeypatch):
    """With ``/``, wherever it was typed."""
    os.makedirs(os.path.join(workspace.root, "src"))
    monkeypatch.chdir(os.path.join(workspace.root, "src"))
    assert from_root(workspace, "a.py") == "src/a.py"
    assert from_root(workspace, os.path.join(workspace.root, "b.py")) == "b.py"


def test_a_path_that_leads_elsewhere_stays(workspace, monkeypatch):
    """It names no file of the project."""
    monkeypatch.chdir(workspace.root)
    assert from_root(workspace, "../other/a.py") == "../other/a.py"
