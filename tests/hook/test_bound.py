"""A project that loses the user's trust while a conversation goes on: what it says ends, what binds it does not."""

import json
import os
import shutil

import pytest

from limpet.ground.repository import ID
from limpet.ground.trust.giving import revoke_trust

from ..conftest import trusted
from ..conversation import write
from ..hook_host import Host
from ..hostile_git import git
from ..places import private_path

PUSH = {"tool_name": "Bash", "tool_input": {"command": "git push origin main"}, "tool_use_id": "t"}


def decision(answer):
    return json.loads(answer.out)["hookSpecificOutput"]["permissionDecision"] if answer.out else ""


@pytest.fixture
def bound(workspace):
    """A conversation under the agent dev, which may not push."""
    revoke_trust(workspace)
    git(workspace.root, "init", "-q")
    workspace = trusted(workspace.root)
    write(private_path(workspace, "session.yaml"), "current_agent: dev\n")
    host = Host(workspace)
    host.send("SessionStart", source="startup")
    host.prompt("please fix the typo")
    assert decision(host.send("PreToolUse", **PUSH)) == "deny"
    return host


def lose_the_id(workspace):
    os.unlink(os.path.join(workspace.root, ".git", ID))


def make_another_id(workspace):
    write(os.path.join(workspace.root, ".git", ID), "another\n")


def lose_the_repository(workspace):
    shutil.rmtree(os.path.join(workspace.root, ".git"))


def spoil_the_record(workspace):
    write(os.path.join(workspace.data, "trust"), "spoilt")


@pytest.mark.parametrize("lose", [lose_the_id, make_another_id, lose_the_repository, spoil_the_record])
def test_the_role_stays_and_the_person_is_told(bound, lose):
    """By the very next call, as by all later ones, with one line of why."""
    lose(bound.workspace)
    assert decision(bound.send("PreToolUse", **PUSH)) == "deny"
    told = bound.prompt("go on")
    assert "this project is not trusted" in json.loads(told.out)["systemMessage"]
    assert decision(bound.send("PreToolUse", **PUSH)) == "deny"
    assert bound.prompt("go on").out == b""


def test_a_remote_that_moves_takes_nothing_away(bound):
    git(bound.workspace.root, "remote", "add", "origin", "https://example.org/a")
    git(bound.workspace.root, "remote", "set-url", "origin", "https://example.org/b")
    assert decision(bound.send("PreToolUse", **PUSH)) == "deny"
    assert b"not trusted" not in bound.prompt("go on").out


def test_a_branch_without_the_folder_keeps_role_and_memories(bound):
    shutil.rmtree(bound.workspace.home)
    assert decision(bound.send("PreToolUse", **PUSH)) == "deny"
    new = bound.send("SessionStart", session_id="new", source="startup")
    assert b"not trusted" not in new.out
    assert decision(bound.send("PreToolUse", session_id="new", **PUSH)) == "deny"


@pytest.mark.parametrize("command", ["rm .git/limpet-id", "echo x > .git/limpet-id", "cp x .bare/limpet-id"])
def test_what_the_project_is_known_by_is_not_changed_unasked(bound, command):
    call = {**PUSH, "tool_input": {"command": command}}
    assert decision(bound.send("PreToolUse", **call)) == "ask"
