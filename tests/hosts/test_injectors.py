"""Other tools that add text to prompts, as ``init``, ``doctor`` and ``status`` name them."""

import json
import os

import pytest

from ..conversation import write


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
    for command in ("doctor", "status"):
        shown = run(command).stdout
        assert "CARL adds to prompts here too: its text and Limpet's both reach the model" in shown, command
        assert f"to have one, remove its hook line from {path}: python3 .carl/hook.py" in shown
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
    assert ".synapse/ holds rules of SYNAPSE, which no hook here brings (remove .synapse/ if you left SYNAPSE)" in shown


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


def test_init_names_it_in_a_new_project(project, run, tmp_path):
    """Before what comes next."""
    new = tmp_path / "new"
    write(str(new / ".carl" / "manifest"), "GLOBAL_STATE=active\n")
    done = run("init", "--yes", "--here", cwd=str(new))
    assert ".carl/ holds rules of CARL, which no hook here brings. Remove .carl/ if you left CARL\n" in done.stdout
