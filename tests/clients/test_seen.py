"""What a person sees of Limpet in the real Claude Code, and a private conversation that leaves nothing behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from limpet.ground.trust.approvals import take_lines
from limpet.ground.workspace import workspace_at

from .claude_code import ClaudeCode, texts
from .private import private_at
from .test_claude_code import init
from .test_memory import CORRECTION, WORK, blocks, entries, finish, learned, limpet

pytestmark = pytest.mark.client

TOLD = "The staging database is reset every night"
# Words that a capture would keep, were the conversation not private.
PRIVATE = ["Remember: always deploy from the zanzibar branch", "No, that's wrong: use zanzibar, not main, to deploy."]
PAUSED = "Limpet is paused for this conversation: nothing is sent or kept."


@pytest.fixture
def project(project: Path) -> Path:
    """A project with Limpet that has time enough for a slow machine."""
    init(project)
    for key in ("context.allowances_ms.memory", "context.total_ms", "hosts.refresh_deadline_ms"):
        limpet(project, "config", "set", key, "4000", "--yes")
    take_lines()  # those of the settings, which the first message would name
    return project


def files_with(folder: Path, words: str) -> list[str]:
    """The files below a folder that hold these words, and not the client's own transcripts."""
    found = (Path(top, name) for top, _, names in os.walk(folder) for name in names)
    return [str(path) for path in found if ".claude" not in path.parts and words.encode() in path.read_bytes()]


def kept_with(project: Path, words: str) -> list[str]:
    """The files of ours with these words, in the project and of what is private of it."""
    private = Path(workspace_at(str(project)).data)
    assert private.is_dir()
    return [*files_with(project / ".limpet", words), *files_with(private, words)]


def test_a_recalled_memory_and_a_typed_command_are_seen_in_the_terminal(claude: ClaudeCode, project: Path) -> None:
    """What came with the first prompt, the reply to a command, and a command with a typing error."""
    limpet(project, "memory", "add", TOLD, "--type", "user_correction")
    with claude.terminal(project) as terminal:
        terminal.type("hello")
        terminal.wait_for("Limpet: 1 of your wishes (limpet why)")
        terminal.wait_for("FAKE-ANSWER 1")
        terminal.type("/limpet recall staging")
        terminal.wait_for(f'"{TOLD}"')
        terminal.wait_for("FAKE-ANSWER 2")
        terminal.type("*mode ask")
        terminal.wait_for("Permission mode of this conversation: ask.")
        terminal.type("*remembr the door code")
        terminal.wait_for("No command *remembr. Did you mean *remember?")


def test_before_and_after_a_compaction_what_was_said_is_kept_once(claude: ClaudeCode, project: Path) -> None:
    """When its turn was over, and not again."""
    with claude.terminal(project) as terminal:
        terminal.type("hello")
        terminal.wait_for("FAKE-ANSWER 1")
        terminal.type(f"{CORRECTION}.")
        terminal.wait_for("FAKE-ANSWER 2")
        terminal.type("/compact")
        terminal.wait_for("Compacted")
    assert learned(project) == [("user_correction", CORRECTION)]


def test_hosts_visible_false_shows_nothing(claude: ClaudeCode, project: Path) -> None:
    """The model is answered all the same."""
    limpet(project, "config", "set", "hosts.visible", "false", "--yes")
    conversation = claude.run(project, ["hello", "*mode ask"])  # the first is told that the person's word was used
    assert "Permission mode of this conversation: ask." in texts(conversation.requests[-1])
    assert "systemMessage" not in str(conversation.hooks("UserPromptSubmit")[-1])


def test_a_private_conversation_is_neither_fed_nor_kept(claude: ClaudeCode, project: Path) -> None:
    """From the switch on no block comes, and nothing of it is found later: not by a compaction, the session's end, the
    next session's start, a search, or a fork."""
    first = claude.run(project, ["*private", *PRIVATE, "/compact", "fix the failing tests"])
    assert [blocks(request).count("<limpet-context") for request in first.requests] == [1, 1, 1, 0]
    claude.run(project, ["carry on"], resume=first.session_id, fork=True)
    claude.run(project, ["hello"])
    finish(project)
    assert learned(project) == []
    assert "zanzibar" not in limpet(project, "memory", "search", "zanzibar", "--sessions").replace('"zanzibar"', "")
    assert kept_with(project, "zanzibar") == []
    claude.run(project, ["hello", *PRIVATE, "/compact"])
    finish(project)
    assert files_with(private_at(project, "memories"), "zanzibar")


def test_what_follows_a_private_part_is_fed_and_not_kept(claude: ClaudeCode, project: Path) -> None:
    """``*private off``: the rules come again; the whole conversation stays out of the memories."""
    conversation = claude.run(project, ["hello", "*private", PRIVATE[0], "*private off", *WORK, "/compact", "go on"])
    assert "<constitution>" in texts(conversation.turns[3].requests[0]).rpartition("zanzibar")[2]
    fork = claude.run(project, ["elsewhere", "/compact", "further"], resume=conversation.session_id, fork=True)
    assert fork.session_id != conversation.session_id
    finish(project)
    assert [each["title"] for each in entries(project) if "digest" in each["tags"]] == []
    assert [title for kind, title in learned(project) if kind != "gotcha"] == []
    assert kept_with(project, "zanzibar") == []


def test_a_pause_is_seen_in_the_terminal(claude: ClaudeCode, project: Path) -> None:
    """One line at the switch, and one where it ends."""
    with claude.terminal(project) as terminal:
        terminal.type("*private")
        terminal.wait_for(PAUSED)
        terminal.type("*private off")
        terminal.wait_for("Limpet sends rules and memories again.")
