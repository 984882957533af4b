"""What the guard is told of project and conversation."""

import os

import pytest

from limpet.engine.guard.scene import find_places, has_unreadable_story, make_scene
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import Mirror
from limpet.ground.event import Event
from limpet.ground.storage.user_folders import cache_folder, data_folder, state_folder
from limpet.ground.workspace import workspace_at
from limpet.guard.call import BoundStory

from ...conversation import write
from ...hook_host import POSIX
from ...places import private_path

TASK = {"id": "S-1", "title": "Login", "agent": "@dev", "files": [["src/a.py", "new"], ["src/b/**", ""]]}


def scene(workspace, state=None, agent_type="", work=None, settings=None, **session):
    """The scene of a tool call in a project with this session."""
    mirror = Mirror(settings=settings or DEFAULTS, session=session, work=work or {})
    event = Event("tool_before", "x", agent_id=agent_type and "a", agent_type=agent_type, host_mode="plan")
    return make_scene(event, find_places(workspace), mirror, state or {})


def test_a_project_without_anything_has_a_bare_scene(workspace):
    """No mode and no permission of Limpet's own accord (decision 47); the host's own mode is told."""
    found = scene(workspace)
    assert (found.agent, found.workflow, found.mode, found.permission, found.story) == ("", "", "", "", None)
    assert (found.host_mode, found.settings) == ("plan", DEFAULTS["guard"])


@pytest.mark.parametrize(
    ("state", "kind", "agent"),
    [
        ({}, "", "dev"),
        ({"active_agent": "pm"}, "", "detail"),
        ({"active_agent": "none"}, "", ""),
        ({}, "devops", "devops"),
        ({}, "@QA", "qa-implementation"),
        ({}, "general-purpose", "dev"),
        ({}, "marketing", "marketing"),
    ],
)
def test_whose_call_it_is(workspace, state, kind, agent):
    """A subagent's own before the conversation's agent, and that before the project's (decision 11)."""
    assert scene(workspace, state, kind, current_agent="dev", agent_names={"marketing": "marketing"}).agent == agent


def test_the_mode_is_said_while_a_workflow_is_under_way(workspace):
    """Then also the one that the settings have."""
    assert scene(workspace, mode="build").mode == ""
    under_way = {"brief": {"status": "in_progress"}}
    assert scene(workspace, workflow="greenfield", agents=under_way).mode == DEFAULTS["work"]["mode"]
    assert scene(workspace, workflow="rules-only").mode == ""
    assert scene(workspace, {"mode": "deploy"}, workflow="greenfield", mode="build").mode == "deploy"


def test_a_permission_is_a_persons_word(workspace):
    """In the conversation, in the project, in the settings; a workflow sets none."""
    changed = {**DEFAULTS, "guard": {**DEFAULTS["guard"], "permission": "ask"}}
    assert scene(workspace, workflow="greenfield").permission == ""
    assert scene(workspace, permission="ask").permission == "ask"
    assert scene(workspace, {"permission": "auto"}, permission="ask").permission == "auto"
    assert scene(workspace, settings=changed).permission == "ask"


def test_the_story_in_force(workspace):
    """The project's, or the conversation's own."""
    wanted = BoundStory(id="S-1", files=("src/a.py", "src/b/**"))
    assert scene(workspace, work={"task": TASK}).story == wanted
    own = {**TASK, "id": "S-2", "files": []}
    found = scene(workspace, {"task": own}, work={"task": TASK}).story
    assert (found.id, found.files) == ("S-2", ())


@pytest.mark.parametrize("task", [None, "Write it", {"title": "x"}, {"id": 7}, {**TASK, "problem": "no YAML"}])
def test_a_task_without_a_story_limits_nothing(workspace, task):
    assert scene(workspace, work={"task": task}).story is None
    problem = isinstance(task, dict) and "problem" in task
    assert has_unreadable_story(Mirror(settings=DEFAULTS, session={}, work={"task": task}), {}) == problem


@POSIX
def test_private_folders_are_known_by_all_their_names(workspace, tmp_path):
    """Those put away too; what all may read is nobody's."""
    for name in "qa-implementation/durable shared/durable team/durable archive/dev/daily forgotten/shared".split():
        write(private_path(workspace, "memories", *name.split("/"), "m.md"), "x")
    os.symlink(workspace.root, tmp_path / "link")
    found = find_places(workspace_at(str(tmp_path / "link")))
    assert found.root == os.path.realpath(workspace.root)
    assert found.owners == {
        private_path(workspace, "memories", "qa-implementation"): "qa-implementation",
        private_path(workspace, "memories", "archive", "dev"): "dev",
    }
    assert {data_folder(), state_folder(), cache_folder()} == set(found.kept)
