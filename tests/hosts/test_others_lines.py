"""Copilot CLI, VS Code and Cursor run the lines of others beside their own: whatever is installed together, a prompt
gets one answer, in the shape of the client that asks."""

import itertools
import json
from pathlib import Path

import pytest

from limpet.ground.workspace import workspace_at
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.registry import host_of
from limpet.hosts.surroundings import RUN

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, run_hook

FIXTURES = Path(__file__).parents[1] / "fixtures"
TOGETHER = [
    installed
    for number in range(1, 5)
    for installed in itertools.combinations(("claude-code", "copilot-cli", "vscode", "cursor"), number)
]


def lines_run_by(client, root):
    """(host, event) of each line for a prompt in the files that the client reads."""
    for host in RUN.get(client, {client: True, "claude-code": True}):
        for found in host_of(host).in_force(root):
            events = ["UserPromptSubmit"] if host != "cursor" else ["beforeSubmitPrompt"]
            yield from ((host, event) for event in events if event in found.events)


def texts_of(client, root):
    """What each of these lines adds to the conversation."""
    name = "beforeSubmitPrompt.json" if client == "cursor" else "UserPromptSubmit.json"
    given = json.loads((FIXTURES / client / name).read_text())
    given |= {"cwd": root, "workspace_roots": [root]}
    for host, event in lines_run_by(client, root):
        done = run_hook(json.dumps(given).encode(), host, event, cwd=root)
        assert (done.code, done.err) == (0, b"")
        yield done.out.decode()


@pytest.fixture
def root(workspace, user):
    write_rules(workspace_at(workspace.root), MANIFEST, **RULES)
    return workspace.root


@pytest.mark.parametrize("installed", TOGETHER, ids="+".join)
@pytest.mark.parametrize("client", ["copilot-cli", "vscode"])
def test_a_prompt_gets_one_answer(client, installed, root):
    """In its own shape; none only where nothing that the client runs is installed."""
    for name in installed:
        apply_changes(host_of(name).plan_install(f"{root}/.limpet", "local").pending())
    answers = [json.loads(text) for text in texts_of(client, root) if text]
    assert len(answers) == bool(set(installed) & set(RUN[client]))
    for answer in answers:
        added = answer if client == "copilot-cli" else answer["hookSpecificOutput"]
        assert "Read first." in added["additionalContext"]


@pytest.mark.parametrize("installed", [each for each in TOGETHER if "cursor" in each], ids="+".join)
def test_in_cursor_lines_of_claude_code_are_silent(installed, root):
    """It calls their events otherwise: its own lines answer, after the next tool."""
    for name in installed:
        apply_changes(host_of(name).plan_install(f"{root}/.limpet", "local").pending())
    assert set(texts_of("cursor", root)) == {""}
    given = json.loads((FIXTURES / "cursor" / "postToolUse.json").read_text()) | {
        "cwd": root,
        "workspace_roots": [root],
    }
    brought = [
        run_hook(json.dumps(given).encode(), host, "postToolUse", cwd=root).out for host in ("cursor", "claude-code")
    ]
    assert [b"Read first." in out for out in brought] == [True, False]


def test_two_firings_of_one_prompt_in_vscode_count_once(root):
    """Each has a time of its own: conversation, words and transcript tell that they are one."""
    given = json.loads((FIXTURES / "vscode" / "UserPromptSubmit.json").read_text()) | {"cwd": root}
    answers = []
    for second in ("00", "01"):
        raw = json.dumps({**given, "timestamp": f"2026-02-09T10:30:{second}.000Z"}).encode()
        answers.append(run_hook(raw, "vscode", "UserPromptSubmit", cwd=root).out)
    assert b"Read first." in answers[0] and answers[1] == b""
