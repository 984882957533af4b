"""The state of a project."""

import json
import os

import pytest

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.event import Event
from limpet.hosts.claude_code.host import CLIENT
from limpet.hosts.installation import carry_out_plan, plan_installation
from limpet.hosts.project_status import project_status
from limpet.hosts.records import SHARED
from limpet.work.session import change_session

from ..conversation import write, write_rules


def test_hooks_are_named_by_host_and_file(workspace):
    """From the project's root; before there are none, and no conversation or event."""
    found = project_status(workspace, Clock())
    assert (found["project"], found["hooks"]) == (workspace.root, [])
    assert found["domains"] == {"active": 16, "known": 18, "wait": ["STORY", "QA"]}
    assert (found["agent"], found["mode"], found["permission"]) == (None, None, None)
    assert (found["conversation"], found["last_hook"]) == (None, None)
    carry_out_plan(plan_installation(workspace.root, SHARED, CLIENT.NAME))
    assert project_status(workspace, Clock())["hooks"] == [(CLIENT.NAME, ".claude/settings.json", CLIENT.EVENTS)]
    handle(
        Event(kind="prompt", host=CLIENT.NAME, session="one", cwd=workspace.root, prompt="hello"), workspace, Clock()
    )
    change_session(workspace, "one", {"squad": "etl"})
    found = project_status(workspace, Clock())
    assert (found["conversation"]["id"], found["conversation"]["own"]) == ("one", {"squad": "etl"})
    assert found["last_hook"]["event"] == "prompt" and found["last_hook"]["crash"] is None


def test_mistakes_are_counted_by_where_they_are(workspace):
    """In the rules, and in the configuration."""
    write_rules(workspace, "nonsense\nQA_RECALL=test\n", qa="QA_RULE_0=Write tests.\n")
    write(workspace.path("config.yaml"), "rules:\n  match: nonsense\n")
    mistakes = project_status(workspace, Clock())["mistakes"]
    assert mistakes["errors"] + mistakes["warnings"] > 0 and mistakes["configuration"] == 1


@pytest.fixture
def project(workspace, monkeypatch, tmp_path):
    """A project of a user without settings."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return workspace


def hook(workspace, command, event="UserPromptSubmit"):
    """A hook line in the settings that git keeps."""
    hooks = {event: [{"hooks": [{"type": "command", "command": command}]}]}
    path = os.path.join(workspace.root, ".claude", "settings.json")
    write(path, json.dumps({"hooks": hooks}))
    return path


def test_a_tool_that_is_known_is_named_with_its_line(project, run):
    """What happens now, and how to have one; its file keeps its bytes."""
    write(os.path.join(project.root, ".carl", "manifest"), "GLOBAL_STATE=active\n")
    path = hook(project, "python3 .carl/hook.py")
    for command in (("doctor", "--all"), ("status",)):
        shown = run(*command).stdout
        assert "CARL brings .carl/ by its own hook, and Limpet does not" in shown, command
        assert f"remove its hook line from {path}: python3 .carl/hook.py; then: limpet trust" in shown
    hook(project, "python3 .carl/hook.py")
    with open(path, encoding="utf-8") as file:
        before = file.read()
    run("init", "--yes")
    with open(path, encoding="utf-8") as file:
        assert file.read() == before


def test_rules_without_a_hook_are_named_as_that(project, run):
    """They reach nobody."""
    write(os.path.join(project.root, ".synapse", "manifest"), "GLOBAL_STATE=active\n")
    shown = run("status").stdout
    assert ".synapse/ is of SYNAPSE, and nothing reads it here (to have it read there: limpet trust;" in shown
    run("trust", "--yes")
    shown = run("status").stdout
    assert "Limpet reads .synapse/ of SYNAPSE where it lies (to move it: limpet import --from synapse)" in shown


def test_a_hook_of_no_tool_we_know_is_named_by_its_script(project, run):
    """On prompts and on starts; ours and those of other events are none."""
    assert run("init", "--yes").returncode == 0
    assert "Other hooks" not in run("status").stdout
    path = hook(project, "node /opt/x/inject.js --fast", "SessionStart")
    shown = run("status").stdout
    assert (
        f"Other hooks on prompts or starts: inject.js; what they print reaches the model too (they are in {path})"
        in (shown)
    )
    hook(project, "node /opt/x/inject.js", "PostToolUse")
    assert json.loads(run("status", "--json").stdout)["others"] == []


def test_doctor_names_it_in_a_new_project(project, run, tmp_path):
    new = tmp_path / "new"
    write(str(new / ".carl" / "manifest"), "GLOBAL_STATE=active\n")
    run("init", "--yes", "--here", cwd=str(new))
    told = run("doctor", "--json", cwd=str(new)).stdout
    assert "Limpet reads .carl/ of CARL where it lies" in told and "limpet import --from carl" in told
