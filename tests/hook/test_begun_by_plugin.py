"""A conversation that a plugin's hook hears begins a private project in a repository that has none."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from limpet.ground.trust.giving import revoke_trust
from limpet.ground.workspace import workspace_at
from limpet.hosts.beginning import BEGUN

from ..hook_host import run_hook

TOLD = "The staging database is reset every night"


@pytest.fixture
def repository(tmp_path, user):
    """A repository with a commit and no ``.limpet``."""
    root = tmp_path / "repository"
    root.mkdir()
    options = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for words in ("init -q", "commit -q --allow-empty -m x"):
        subprocess.run(["git", *options, *words.split()], cwd=root, check=True)
    return root


def send(root, event, *origin, session="s", **payload):
    """An event as the plugin's line hands it on, or one of the settings' without ``origin``."""
    data = {"session_id": session, "cwd": str(root), "hook_event_name": event, **payload}
    return run_hook(json.dumps(data).encode(), "claude-code", event, *origin, cwd=str(root))


def start(root, *origin, **payload):
    return send(root, "SessionStart", *(origin or ("plugin",)), source="startup", **payload)


def test_what_is_told_there_is_in_the_next_conversation(repository):
    """Said once; nothing is written into the working tree."""
    first = start(repository)
    assert BEGUN in json.loads(first.out)["systemMessage"]
    send(repository, "UserPromptSubmit", "plugin", prompt=f"*remember {TOLD}")
    assert BEGUN not in start(repository, session="later").out.decode()
    later = send(
        repository, "UserPromptSubmit", "plugin", session="later", prompt="when is the staging database reset?"
    )
    assert TOLD in later.text
    status = ["git", "status", "--short", "--ignored"]
    assert subprocess.run(status, cwd=repository, capture_output=True, check=True).stdout == b""
    assert os.listdir(repository) == [".git"]


def test_a_prompt_begins_it_where_a_client_tells_of_no_start(repository):
    answer = send(repository, "UserPromptSubmit", "plugin", prompt="hello")
    assert BEGUN in json.loads(answer.out)["systemMessage"] and answer.text


def bring(root):
    (root / ".limpet" / "rules").mkdir(parents=True)
    (root / ".limpet" / "rules" / "global").write_text("GLOBAL_RULE_1=Theirs.\n")


def forget(root):
    start(root)
    revoke_trust(workspace_at(str(root)))


@pytest.mark.parametrize("why", ["settings", "another event", "outside", "home", "brought along", "revoked"])
def test_elsewhere_none_begins(repository, monkeypatch, tmp_path, why):
    """Not for a line of the settings, outside a repository, in one's home, nor where the user's word is missing."""
    root, event, origin = repository, "SessionStart", ("plugin",)
    if why == "settings":
        origin = ()
    elif why == "another event":
        event = "Stop"
    elif why == "outside":
        root = tmp_path / "folder"
        root.mkdir()
    elif why == "home":
        monkeypatch.setenv("HOME", str(root))
        monkeypatch.setattr("os.path.expanduser", lambda path: path.replace("~", str(root)))
    else:
        {"brought along": bring, "revoked": forget}[why](root)
    answer = send(root, event, *origin, session="other", source="startup")
    assert answer.code == 0 and BEGUN not in answer.out.decode() and "Theirs" not in answer.out.decode()
    trusted = Path(workspace_at(str(root)).data, "trust")
    assert not trusted.exists()
