"""A prompt as a host sends it: where the rules come from, and when there is nothing to say."""

import json
import os
import subprocess

import pytest

from ..conversation import write
from ..hook_host import SCHEMA, Host, rule_lines, spawn
from ..places import private_at, private_path


def test_the_first_prompt_carries_a_sound_block(host):
    """JSON on stdout with the block for the model, exit 0, nothing on stderr (decisions 4, 5)."""
    answer = host.prompt("Add an endpoint. *brief")
    SCHEMA.validate(answer.block)
    assert rule_lines(answer, "GLOBAL") == ["Read first."]
    assert rule_lines(answer, "API") == ["Version it."]
    assert answer.block["commands"] == [{"name": "brief", "lines": ["Short."]}]
    assert len(answer.block["constitution"]) >= 1


def test_a_project_without_any_file_of_rules_still_has_the_constitution(workspace):
    """The shipped constitution needs no file of the project's."""
    assert Host(workspace).prompt().block["constitution"]


def test_outside_a_project_nothing_is_said_and_nothing_written(tmp_path):
    """A folder without ``.limpet`` stays as it is."""
    (tmp_path / "elsewhere").mkdir()
    payload = json.dumps({"session_id": "s", "cwd": str(tmp_path / "elsewhere"), "prompt": "endpoint"}).encode()
    answer = spawn(payload, "claude-code", "UserPromptSubmit", cwd=tmp_path / "elsewhere")
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_worktree_has_its_own_rules_and_the_main_ones_events(host, tmp_path):
    """Decisions 13 and 64: rules and sessions are the worktree's, events the repository's."""
    root, tree = host.workspace.root, str(tmp_path / "tree")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", root]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", tree], check=True)
    borrowed = host.prompt(cwd=tree, session_id="without-own")
    write(os.path.join(tree, ".limpet", "rules", "manifest"), "GLOBAL_ALWAYS_ON=true\n")
    write(os.path.join(tree, ".limpet", "rules", "global"), "GLOBAL_RULE_0=The worktree's own.\n")
    own = host.prompt(cwd=os.path.join(tree, ".limpet"), session_id="with-own")
    assert rule_lines(borrowed, "GLOBAL") == ["Read first."]
    assert rule_lines(own, "GLOBAL") == ["The worktree's own."]
    assert os.path.exists(private_at(tree, "sessions", "with-own.json"))
    assert not os.path.exists(private_path(host.workspace, "sessions", "with-own.json"))
    assert os.path.exists(private_path(host.workspace, "events", "with-own.jsonl"))
    assert os.listdir(os.path.join(tree, ".limpet")) == ["rules"]


@pytest.mark.parametrize(
    "prompt", ["<task-notification>\nendpoint done", "<bash-notification> endpoint", " \n<system-notification>endpoint"]
)
def test_a_prompt_that_nobody_typed_gets_nothing(host, prompt):
    """What the client submits itself neither counts nor costs (parity: first prompts emit)."""
    assert host.prompt(prompt).out == b""
    assert not os.path.exists(private_path(host.workspace, "sessions", "s.json"))
