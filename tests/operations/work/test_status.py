"""Where the work stands."""

import pytest

from limpet.operations.caller import active_agent
from limpet.operations.work.status import read_status, show_work
from limpet.work.session import change_session

from ...conversation import write
from ...places import private_path
from ...project_session import update_project
from ..callers import opened


def test_the_agent_in_force_is_the_conversations(workspace, conversation):
    """Else the project's; a session that cannot be read has none."""
    update_project(workspace, {"current_agent": "dev"})
    change_session(workspace, conversation, {"active_agent": "qa"})
    assert (active_agent(workspace, conversation), active_agent(workspace, "")) == ("qa-implementation", "dev")
    write(private_path(workspace, "session.yaml"), "mode: [\n")
    assert active_agent(workspace, "") == ""


def test_a_conversation_with_its_own_workflow_is_not_in_the_projects_pipeline(workspace, conversation):
    """As the block says none there, so does the status."""
    update_project(workspace, {"workflow": "greenfield"})
    assert read_status(opened(workspace), conversation)["pipeline"].startswith("WU(pending)")
    change_session(workspace, conversation, {"workflow": "brownfield"})
    found = read_status(opened(workspace), conversation)
    assert (found["workflow"], found["pipeline"]) == ("brownfield", "")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("workflow: ours\n", "unknown workflow ours: it has no steps"),
        ("schema_version: 99\n", "session.yaml: schema_version 99 is newer than this Limpet supports (1); "),
        ("mode: dreaming\n", "session.yaml:1: mode"),
    ],
)
def test_what_does_not_count_is_among_the_problems(workspace, text, problem):
    """All else is shown."""
    write(private_path(workspace, "session.yaml"), text)
    found = show_work(opened(workspace))
    assert found["problems"][0].startswith(problem) and found["revision"] == 0
