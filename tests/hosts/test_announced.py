"""A client that tells before a compaction and not after: the next event that can carry it brings what that took, and
the compaction counts, at the hook's door."""

import json

import pytest

from limpet.ground.workspace import workspace_at

from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST, run_hook
from ..memories import Memories, configure

S = "00000000-0000-4000-8000-00000000000d"
WISH = "Never push without a review"


@pytest.fixture
def project(workspace):
    write_rules(workspace_at(workspace.root), MANIFEST, **RULES)
    configure(workspace)
    Memories(workspace).add(WISH, type="user_correction", source="person")
    return workspace


def send(project, host, event, **fields):
    """The text that the event adds for the model."""
    log = f"{project.root}/log.jsonl"
    if host == "cursor":
        given = {"conversation_id": S, "cursor_version": "3.18.0", "workspace_roots": [project.root]}
        given |= {"transcript_path": log, **fields}
    else:
        given = {"timestamp": "2026-01-01T00:00:00.000Z", "sessionId": S, "hookEventName": event, "cwd": project.root}
        given |= {"transcript_path": log, **fields}
    done = run_hook(json.dumps(given).encode(), host, event, cwd=project.root)
    assert (done.code, done.err) == (0, b"")
    answer = json.loads(done.out or b"{}")
    return answer.get("additional_context") or answer.get("hookSpecificOutput", {}).get("additionalContext", "")


def talk(project, host):
    """A conversation that holds everything, about the work that is under way."""
    write(f"{project.root}/log.jsonl", json.dumps({"role": "user", "message": {"content": []}}) + "\n")
    began = send(project, host, "sessionStart" if host == "cursor" else "SessionStart", source="new")
    assert WISH in began and "Read first." in began and "<constitution" in began


def has_all(text):
    return [part for part in (WISH, "Read first.", "<constitution", "<continuation") if part not in text] == []


def compactions(run):
    (found,) = json.loads(run("sessions", "--json").stdout)
    return found["compactions"]


def test_vscode_has_it_again_with_the_next_prompt_and_once(project, run):
    run("work", "set", "task", "Build the importer")
    talk(project, "vscode")
    assert WISH not in send(project, "vscode", "UserPromptSubmit", prompt="the endpoint")
    send(project, "vscode", "PreCompact", trigger="auto")
    assert has_all(send(project, "vscode", "UserPromptSubmit", prompt="go on with it"))
    assert compactions(run) == 1
    assert WISH not in send(project, "vscode", "UserPromptSubmit", prompt="and now the rest of it")
    assert compactions(run) == 1


def test_cursor_has_it_again_with_the_next_tool_and_once(project, run):
    """In the middle of a turn; what a prompt left comes before it."""
    run("work", "set", "task", "Build the importer")
    talk(project, "cursor")
    send(project, "cursor", "beforeSubmitPrompt", prompt="the endpoint", generation_id="g1")
    send(project, "cursor", "preCompact", trigger="auto")
    told = send(project, "cursor", "postToolUse", tool_name="Shell", tool_use_id="1")
    assert "Version it." in told and has_all(told)
    assert compactions(run) == 1
    assert send(project, "cursor", "postToolUse", tool_name="Shell", tool_use_id="2") == ""
    send(project, "cursor", "beforeSubmitPrompt", prompt="go on with the rest", generation_id="g2")
    assert WISH not in send(project, "cursor", "postToolUse", tool_name="Shell", tool_use_id="3")
    assert compactions(run) == 1


def test_cursor_has_it_again_after_a_prompt(project, run):
    """It waits for the next tool as what answers any prompt does."""
    run("work", "set", "task", "Build the importer")
    talk(project, "cursor")
    send(project, "cursor", "preCompact", trigger="auto")
    send(project, "cursor", "beforeSubmitPrompt", prompt="go on with it", generation_id="g1")
    assert has_all(send(project, "cursor", "postToolUse", tool_name="Shell"))
    assert compactions(run) == 1


@pytest.mark.parametrize(("host", "event"), [("cursor", "sessionStart"), ("vscode", "SessionStart")])
def test_a_start_that_follows_brings_it_too(project, run, host, event):
    run("work", "set", "task", "Build the importer")
    talk(project, host)
    send(project, host, "preCompact" if host == "cursor" else "PreCompact", trigger="manual")
    assert has_all(send(project, host, event, source="new", tool_use_id="again"))
    assert compactions(run) == 1


def test_each_of_two_in_a_turn_counts(project, run):
    """Though nothing came between them that could carry anything."""
    talk(project, "vscode")
    for tool in ("1", "2"):
        send(project, "vscode", "PreCompact", trigger="auto", tool_use_id=tool)
    send(project, "vscode", "UserPromptSubmit", prompt="go on with it")
    assert compactions(run) == 2
