"""The harness tells the truth: what it reports of the real client is what the client did."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from .claude_code import (
    OWN_TURN,
    ClaudeCode,
    ClientFailure,
    count,
    hook_settings,
    texts,
    write_settings,
)

pytestmark = pytest.mark.client

MARKER = "MARKER-OF-THE-HOOK"


def answer_every_prompt(project: Path, context: str) -> None:
    """Give the project a hook that adds a context to every prompt."""
    output = {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": context}}
    script = project / "hook.py"
    script.write_text(f"print({json.dumps(output)!r})", encoding="utf-8")
    write_settings(project, hooks=hook_settings({"UserPromptSubmit": f'"{sys.executable}" "{script}"'}))


def test_the_context_of_a_hook_reaches_the_model_once(claude: ClaudeCode, project: Path) -> None:
    answer_every_prompt(project, MARKER)
    conversation = claude.run(project, ["hello"])
    assert [count(request, MARKER) for request in conversation.requests] == [1]


def test_without_hooks_nothing_is_added(claude: ClaudeCode, project: Path) -> None:
    conversation = claude.run(project, ["hello"])
    assert [count(request, MARKER) for request in conversation.requests] == [0]
    assert conversation.hooks("UserPromptSubmit") == []


def test_the_model_hears_what_was_typed_in_each_turn(claude: ClaudeCode, project: Path) -> None:
    conversation = claude.run(project, ["first words", "second words"])
    first, second = (turn.requests for turn in conversation.turns)
    assert ["second words" in texts(request) for request in [*first, *second]] == [False, True]


def test_the_context_of_a_hook_reaches_a_small_model_once(claude: ClaudeCode, project: Path) -> None:
    answer_every_prompt(project, MARKER)
    conversation = claude.run(project, ["hello"], model="claude-haiku-4-5")
    assert [count(request, MARKER) for request in conversation.requests] == [1]


def test_a_compaction_asks_for_a_summary_and_forgets_the_old_words(claude: ClaudeCode, project: Path) -> None:
    conversation = claude.run(project, ["old words", "/compact", "new words"])
    assert len(conversation.summary_requests) == 1
    assert count(conversation.requests[-1], "FAKE-SUMMARY") == 1
    assert count(conversation.requests[-1], "old words") == 0


def test_a_conversation_that_outgrows_the_model_is_compacted_by_the_client(claude: ClaudeCode, project: Path) -> None:
    long = "All work and no play. " * 4000
    conversation = claude.run(project, [long, long, long, long], model="claude-haiku-4-5", window=100_000)
    assert [exchange.kind for exchange in conversation.exchanges if exchange.status == 400] == ["main"]
    assert len(conversation.summary_requests) == 1


def test_the_reported_usage_ends_in_the_transcript(claude: ClaudeCode, project: Path) -> None:
    conversation = claude.run(project, ["hello [[usage:123456]]"])
    answers = [line for line in conversation.transcript_lines() if line["type"] == "assistant"]
    assert [answer["message"]["usage"]["input_tokens"] for answer in answers] == [123456]


def test_the_tools_of_a_prompt_run_one_after_the_other(claude: ClaudeCode, project: Path) -> None:
    write = {"file_path": str(project / "new.txt"), "content": "alpha"}
    look = {"command": "tr a-z A-Z < new.txt", "description": "look"}
    conversation = claude.run(project, [f"[[tool:Write {json.dumps(write)}]] [[tool:Bash {json.dumps(look)}]]"])
    assert len(conversation.requests) == 3
    assert count(conversation.requests[-1], "ALPHA") == 1


def test_a_subagent_is_no_part_of_the_main_conversation(claude: ClaudeCode, project: Path) -> None:
    task = {
        "description": "look",
        "prompt": "look around",
        "subagent_type": "general-purpose",
        "run_in_background": False,
    }
    conversation = claude.run(project, [f"go [[tool:Task {json.dumps(task)}]]"])
    assert len(conversation.requests) == 2
    assert [count(request, "look around") for request in conversation.subagent_requests] == [1]


def test_the_turn_that_the_client_takes_by_itself_can_be_awaited(claude: ClaudeCode, project: Path) -> None:
    work = {"command": "sleep 1", "description": "work", "run_in_background": True}
    conversation = claude.run(project, [f"go [[tool:Bash {json.dumps(work)}]]", OWN_TURN, "and now"])
    assert [turn.prompt is None for turn in conversation.turns] == [False, True, False]
    assert count(conversation.turns[1].requests[0], "<task-notification>") == 1


def test_a_session_can_be_resumed_and_forked(claude: ClaudeCode, project: Path) -> None:
    first = claude.ask(project, "first words")
    resumed = claude.ask(project, "second words", resume=first.session_id)
    forked = claude.ask(project, "third words", resume=first.session_id, fork=True)
    assert count(resumed.requests[0], "first words") == 1
    assert resumed.session_id == first.session_id != forked.session_id
    assert count(forked.requests[0], "second words") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
def test_the_client_in_a_terminal_runs_the_status_line(claude: ClaudeCode, project: Path) -> None:
    script = project / "status.py"
    script.write_text("import sys; open('status.txt', 'a').write(sys.stdin.read()); print(f'{6 * 7} IS THE STATUS')")
    write_settings(project, statusLine={"type": "command", "command": f'"{sys.executable}" "{script}"'})
    with claude.terminal(project) as terminal:
        terminal.wait_for("42 IS THE STATUS")
        terminal.type("hello")
        terminal.wait_for("FAKE-ANSWER 1")
        terminal.type("/exit")
        terminal.wait_for_end()
    assert "context_window" in (project / "status.txt").read_text()


def test_a_failure_of_the_model_is_the_result_of_the_turn(claude: ClaudeCode, project: Path) -> None:
    conversation = claude.run(project, ["hello [[fail:529]]"])
    assert conversation.result["is_error"] is True
    assert [exchange.status for exchange in conversation.exchanges] == [529]


def test_a_misspelt_directive_fails_the_turn(claude: ClaudeCode, project: Path) -> None:
    conversation = claude.run(project, ["hello [[usage:many]]"])
    assert "malformed directive" in conversation.result["result"]


def test_a_request_above_the_window_is_refused(claude: ClaudeCode, project: Path) -> None:
    conversation = claude.run(project, ["hello"], window=100)
    assert conversation.result["is_error"] is True


def test_a_client_that_does_not_answer_in_time_is_a_failure(claude: ClaudeCode, project: Path) -> None:
    with pytest.raises(ClientFailure, match="did not answer within 3 seconds"):
        claude.run(project, ["hello [[sleep:100]]"], timeout=3)


def test_a_client_that_will_not_start_is_a_failure(claude: ClaudeCode, project: Path) -> None:
    with pytest.raises(ClientFailure, match="exited before it answered"):
        claude.run(project, ["hello"], arguments=["--no-such-option"])


def test_nothing_of_the_developers_environment_reaches_a_hook(
    claude: ClaudeCode, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_DEVELOPER", "SECRET")
    script = project / "hook.py"
    script.write_text("import os; print('HOME IS', os.environ['HOME'], os.environ.get('SECRET_OF_THE_DEVELOPER'))")
    write_settings(project, hooks=hook_settings({"UserPromptSubmit": f'"{sys.executable}" "{script}"'}))
    conversation = claude.run(project, ["hello"])
    assert f"HOME IS {claude.home} None" in texts(conversation.requests[0])


def test_the_status_of_a_hook_that_the_client_does_not_announce_is_told(claude: ClaudeCode, project: Path) -> None:
    write_settings(project, hooks=hook_settings({"PreCompact": "exit 3", "SessionEnd": "exit 0"}))
    conversation = claude.run(project, ["hello", "/compact"])
    assert conversation.hooks("PreCompact") == []
    assert (conversation.statuses("PreCompact"), conversation.statuses("SessionEnd")) == ([3], [0])
