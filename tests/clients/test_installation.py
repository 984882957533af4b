"""What ``limpet init`` writes works in the real client, and whatever vanishes later, no prompt is lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet.ground.own_name import path_name
from limpet.ground.storage.files import write_atomic
from limpet.ground.storage.scaffold import missing_files
from limpet.ground.workspace import workspace_at
from limpet.hosts.claude_code.deny_rules import plan_writing
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.claude_code.install import plan_install, plan_removal
from limpet.hosts.commands.launcher import here, launcher_path, render_launcher
from limpet.hosts.commands.upkeep import write_launcher
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.records import LOCAL, SHARED

from .claude_code import ClaudeCode, count
from .private import private_at
from .test_guard import results, tool

pytestmark = pytest.mark.client

BLOCK = "<limpet-context"


def install(project: Path, scope: str = LOCAL) -> None:
    for path, text in missing_files(str(project)).items():
        write_atomic(path, text)
    write_launcher()
    apply_changes(plan_install(str(project / ".limpet"), scope).pending())


def test_the_installed_hooks_bring_the_block_once(claude: ClaudeCode, project: Path) -> None:
    install(project)
    conversation = claude.run(project, ["hello"])
    assert [count(request, BLOCK) for request in conversation.requests] == [1]


def test_a_compaction_runs_every_installed_hook_without_an_error(claude: ClaudeCode, project: Path) -> None:
    install(project)
    conversation = claude.run(project, ["hello", "/compact", "and now"])
    lines = private_at(project, "metrics", "hook.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == [
        *("session_start", "prompt", "stop", "pre_compact", "session_start", "post_compact", "prompt", "stop"),
        "session_end",
    ]
    failed = [hook for event in TIMEOUTS for hook in conversation.hooks(event) if hook["exit_code"] or hook["stderr"]]
    assert failed == [] and conversation.stderr == ""
    assert count(conversation.requests[-1], BLOCK) == 1


def test_after_uninstalling_nothing_is_added(claude: ClaudeCode, project: Path) -> None:
    install(project)
    apply_changes(plan_removal(str(project / ".limpet"), (LOCAL,)).pending())
    conversation = claude.run(project, ["hello"])
    assert [count(request, BLOCK) for request in conversation.requests] == [0]
    assert conversation.hooks("UserPromptSubmit") == []


@pytest.mark.parametrize("vanished", ["python", "root", ""])
def test_whatever_has_vanished_costs_no_prompt(claude: ClaudeCode, project: Path, vanished: str) -> None:
    """The interpreter, the package, or the launcher itself: nothing is said either."""
    install(project)
    if vanished:
        Path(launcher_path()).write_bytes(render_launcher(here().replace(**{vanished: "/gone"}), launcher_path()))
    else:
        os.unlink(launcher_path())
    conversation = claude.run(project, ["hello", "/compact", "and now"])
    failed = [hook for event in TIMEOUTS for hook in conversation.hooks(event) if hook["exit_code"] or hook["stderr"]]
    assert failed == [] and conversation.stderr == ""
    assert [count(request, "hello") for request in conversation.turns[0].requests] == [1]
    assert [count(request, "and now") for request in conversation.turns[2].requests] == [1]


def test_a_new_conversation_shows_that_limpet_is_gone(claude: ClaudeCode, project: Path) -> None:
    """Also where the status line is somebody else's; the message is for the person, and the model gets none."""
    install(project)
    os.unlink(launcher_path())
    conversation = claude.run(project, ["hello"])
    (start,) = conversation.hooks("SessionStart")
    assert "Limpet: not installed" in start["stdout"] and start["exit_code"] == 0
    assert [count(request, "not installed") for request in conversation.requests] == [0]


def test_the_one_permission_lets_one_command_run(claude: ClaudeCode, project: Path) -> None:
    """Without it, and for another command with it, the client asks, and here refuses."""
    install(project)
    name = path_name()
    lines = [
        f'{name} memory write "decision: x"',
        f"{name} memory forget x",
        f'{name} memory write "x" && {name} status',
    ]
    prompt = "go " + " ".join(tool("Bash", command=line) for line in lines)

    def refused() -> list[bool]:
        conversation = claude.run(project, [prompt], arguments=["--permission-mode", "default"])
        return ["approval" in text for _, text in results(conversation.requests)]

    assert refused() == [True, True, True]
    apply_changes(plan_writing(str(project / ".limpet"), name).pending())
    assert refused() == [False, True, True]


def test_shared_hooks_say_nothing_on_a_machine_without_limpet(claude: ClaudeCode, project: Path) -> None:
    install(project, SHARED)
    conversation = claude.run(project, ["hello"], env={"PATH": "/usr/bin:/bin"})
    ran = conversation.hooks("UserPromptSubmit")
    assert [(hook["exit_code"], hook["stdout"], hook["stderr"]) for hook in ran] == [(0, "", "")]


def test_the_users_status_line_is_seen_and_the_window_is_kept(claude: ClaudeCode, project: Path) -> None:
    settings = claude.home / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps({"statusLine": {"type": "command", "command": "echo MY-OWN-LINE"}}))
    install(project)
    folder = Path(workspace_at(str(project)).cached("status"))

    def measured() -> bool:
        return any(json.loads(path.read_text())["used"] for path in folder.glob("*.json"))

    with claude.terminal(project, model="claude-haiku-4-5") as terminal:
        terminal.wait(lambda: "MY-OWN-LINE" in terminal.screen)
        terminal.type("hello [[usage:50000]]")
        terminal.wait(measured)
    kept = json.loads(next(folder.glob("*.json")).read_text())
    assert (kept["window"], kept["used"] >= 50_000, kept["remaining"]) == (200_000, True, 75)


def test_without_a_users_line_ours_shows_bracket_and_rest(claude: ClaudeCode, project: Path) -> None:
    install(project)
    with claude.terminal(project, model="claude-haiku-4-5") as terminal:
        terminal.type("hello [[usage:50000]]")
        terminal.wait(lambda: "limpet FRESH 75%" in terminal.drawn)
