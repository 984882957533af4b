"""The fake model answers as the directives of a prompt say; no client is needed for this."""

from __future__ import annotations

import json
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from .answers import SUMMARY, answer, classify
from .conversation import Said, said
from .directives import Directives, ToolCall, parse_directives, read_request
from .fake_model import FakeModel, main, read_log
from .terminal import draw
from .tongues import translate


def request(*messages: dict[str, Any]) -> dict[str, Any]:
    """A request with a tool and these messages."""
    return {"model": "m", "tools": [{"name": "Bash"}], "messages": list(messages)}


def typed(text: str) -> dict[str, Any]:
    """A message of the user."""
    return {"role": "user", "content": [{"type": "text", "text": text}]}


RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "done"}]}


def post(model: FakeModel, body: dict[str, Any]) -> str:
    """What the fake answers over HTTP."""
    data = json.dumps(body).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(f"{model.url}/v1/messages", data)) as response:
        return str(response.read().decode())


def test_every_directive_of_a_text_is_read() -> None:
    text = 'go [[usage:5]] [[sleep:0.5]] [[fail:529]] [[tool:Bash {"a": [[1]]}]] [[tool:List]]'
    tools = (ToolCall("Bash", {"a": [[1]]}), ToolCall("List", {}))
    assert parse_directives(text) == Directives(tools, usage=5, sleep=0.5, fail=529)


def test_a_directive_inside_the_input_of_a_tool_belongs_to_that_input() -> None:
    found = parse_directives('[[tool:Task {"prompt": "look [[usage:5]]"}]]')
    assert found == Directives((ToolCall("Task", {"prompt": "look [[usage:5]]"}),))


@pytest.mark.parametrize("text", ["[[usage:many]]", "[[tool:Bash {]]", "[[tool:]]", "[[fail:5", "[[tool:Bash {} x]]"])
def test_a_malformed_directive_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="malformed directive"):
        parse_directives(text)


def test_the_newest_typed_text_counts_and_reminders_of_the_client_do_not() -> None:
    reminder = typed("<system-reminder>[[usage:7]]</system-reminder>")
    body = request(typed("[[usage:5]]"), typed("[[usage:6]]"), RESULT, reminder)
    assert read_request(body) == (Directives(usage=6), 1)


def test_a_tool_is_called_once_and_then_comes_text() -> None:
    prompt = typed("[[tool:Bash {}]]")
    first = answer(1, "main", request(prompt), None)
    second = answer(2, "main", request(prompt, RESULT), None)
    assert [each.body["stop_reason"] for each in (first, second)] == ["tool_use", "end_turn"]


def test_a_request_above_the_window_is_too_long() -> None:
    refused = answer(1, "main", request(typed("[[usage:101]]")), window=100)
    assert (refused.status, refused.body["error"]["message"]) == (400, "prompt is too long: 101 tokens > 100 maximum")


def test_kinds_are_told_apart() -> None:
    order = typed("Your task is to create a detailed summary of the conversation so far.")
    assert classify("/v1/messages?beta=true", {}, request(typed("hello"))) == "main"
    assert classify("/v1/messages", {}, request(typed("hello"), order)) == "summary"
    assert classify("/v1/messages", {"x-claude-code-agent-id": "a"}, request(typed("hello"))) == "subagent"
    assert classify("/v1/messages/count_tokens", {}, {}) == "count"
    assert classify("/api/hello", {}, {}) == "other"


def test_a_summary_is_answered_with_a_summary() -> None:
    assert answer(1, "summary", request(typed("hello")), None).body["content"][0]["text"] == SUMMARY


def test_a_streamed_answer_says_the_same_as_a_whole_one(tmp_path: Path) -> None:
    with FakeModel(tmp_path / "log.jsonl") as model:
        whole = json.loads(post(model, request(typed("hello"))))
        streamed = post(model, {**request(typed("hello")), "stream": True})
    events = [json.loads(line[6:]) for line in streamed.split("\n") if line.startswith("data: ")]
    assert whole["content"] == [{"type": "text", "text": "FAKE-ANSWER 1"}]
    assert [event["delta"]["text"] for event in events if event["type"] == "content_block_delta"] == ["FAKE-ANSWER 2"]
    assert read_log(tmp_path / "log.jsonl") == model.exchanges


def test_a_failure_that_was_asked_for_has_its_status() -> None:
    with FakeModel() as model, pytest.raises(urllib.error.HTTPError, match="529"):
        post(model, request(typed("[[fail:529]]")))


def test_a_line_that_is_still_being_written_is_not_read(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with FakeModel(log) as model:
        post(model, request(typed("hello")))
    log.write_text(log.read_text() + '{"number": 2, "ki')
    assert [exchange.number for exchange in read_log(log)] == [1]


def test_a_command_runs_beside_the_fake_in_its_folder_and_gives_its_status(tmp_path: Path) -> None:
    check = "import os, sys; sys.exit(7 if 'ANTHROPIC_BASE_URL' in os.environ and os.path.exists('here') else 1)"
    (tmp_path / "here").touch()
    command = ["--log", str(tmp_path / "log.jsonl"), "--folder", str(tmp_path), "--", sys.executable, "-c", check]
    assert main(command) == 7


CALL = {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "x"}}
CODEX = {
    "tools": [{"type": "custom", "name": "apply_patch"}],
    "input": [
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "be brief"}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go [[usage:5]]"}]},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"at": "x"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "seen"},
    ],
}
GEMINI = {
    "systemInstruction": {"parts": [{"text": "be brief"}]},
    "contents": [
        {"role": "user", "parts": [{"text": "go [[usage:5]]"}]},
        {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "look", "args": {"at": "x"}}}]},
        {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "look", "response": {"output": "seen"}}}]},
    ],
}


@pytest.mark.parametrize(
    ("path", "body", "first"), [("/v1/responses", CODEX, "developer"), ("/m:streamGenerateContent", GEMINI, "system")]
)
def test_other_tongues_say_the_same_in_ours(path: str, body: dict[str, Any], first: str) -> None:
    translated = translate(path, body)
    assert translated
    told = said(translated[0])
    assert [each.role for each in told] == [first, "user", "assistant", "tool"]
    assert told[:2] == (Said(first, "be brief"), Said("user", "go [[usage:5]]"))
    assert "look" in told[2].text and "seen" in told[3].text
    assert read_request(translated[0]) == (Directives(usage=5), 1)


def test_our_answer_is_a_call_in_their_tongues() -> None:
    """A tool of free form is given text; what does not stream is JSON alone."""
    patch = {**CALL, "name": "apply_patch", "input": {"input": "*** Begin Patch"}}
    answers = [
        (path, body, {"id": "m", "content": [block], "usage": {"input_tokens": 5, "output_tokens": 7}})
        for path, body, block in (
            ("/v1/responses", CODEX, CALL),
            ("/v1/responses", CODEX, patch),
            ("/m:streamGenerateContent", GEMINI, CALL),
            ("/m:generateContent", GEMINI, CALL),
        )
    ]
    found = []
    for path, body, message in answers:
        translated = translate(path, body)
        assert translated
        found.append(translated[1](message))
    assert [kind for kind, _ in found] == ["text/event-stream"] * 3 + ["application/json"]
    assert rb'"arguments": "{\"at\": \"x\"}"' in found[0][1]
    assert b'"custom_tool_call"' in found[1][1] and b'"input": "*** Begin Patch"' in found[1][1]
    assert found[2][1] == b"data: " + found[3][1] + b"\r\n\r\n"
    assert json.loads(found[3][1])["candidates"][0]["content"]["parts"] == [
        {"functionCall": {"name": "look", "args": {"at": "x"}}}
    ]


def test_the_api_itself_is_left_as_it_is() -> None:
    assert translate("/v1/messages", request(typed("hello"))) is None


def test_summaries_of_all_clients_are_told_apart() -> None:
    orders = ["You are performing a CONTEXT CHECKPOINT COMPACTION.", "Then, generate the updated <state_snapshot>."]
    assert [classify("/v1/messages", {}, request(typed(order))) for order in orders] == ["summary"] * 2


def test_a_screen_is_what_was_drawn_over_and_over() -> None:
    """A client that draws only the cells that have changed; erasing, moving up, and scrolling."""
    menu = b"\x1b[2;1HOpen n files\x1b[1;1HTrust?"
    assert draw(menu).split("\n")[:2] == ["Trust?", "Open n files"]
    assert draw(menu + b"\x1b[1;1H\x1b[K\x1b[2;1HSeen\x1b[2;7H\x1b[1mew\x1b[K").split("\n")[:2] == ["", "Seen new"]
    assert draw(b"one\r\ntwo\x1b[1A\x1b[2K\rup").split("\n")[:2] == ["up", "two"]
    assert draw(b"".join(b"%d\r\n" % number for number in range(50))).split("\n")[:2] == ["11", "12"]
