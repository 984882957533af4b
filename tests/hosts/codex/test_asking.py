"""One question to a model by Codex CLI's command, and what it prints as 0.169.0 printed it."""

import json
import tomllib

import pytest

from limpet.hosts.codex.asking import read_result, words

ANSWERED = (
    {"type": "thread.started", "thread_id": "1"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"id": "item_0", "type": "error", "message": "a warning"}},
    {"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": "hello"}},
    {"type": "turn.completed", "usage": {"input_tokens": 7561, "cached_input_tokens": 0, "output_tokens": 7}},
)
FAILED = (
    {"type": "error", "message": "Reconnecting... 1/5 (unexpected status 401 Unauthorized)"},
    {"type": "turn.failed", "error": {"message": "unexpected status 401\nUnauthorized"}},
)


def printed(*events):
    """What the command prints."""
    return "".join(f"{json.dumps(event)}\n" for event in events).encode()


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (ANSWERED[-1]["usage"], (7561, 7)),
        *((usage, (0, 0)) for usage in (None, 7, {"input_tokens": "x"}, {"input_tokens": -1, "output_tokens": 1.5})),
    ],
)
def test_the_answer_comes_with_what_it_cost_in_tokens(usage, tokens):
    """Figures of another type count as none."""
    found = read_result(b"WARNING: not JSON\n" + printed(*ANSWERED[:4], {"type": "turn.completed", "usage": usage}))
    assert (found.text, found.problem, found.tokens_in, found.tokens_out) == ("hello", "", *tokens)


def test_a_failure_is_told_on_one_line():
    found = read_result(printed(*ANSWERED[:2], *FAILED))
    assert (found.text, found.problem) == ("", "it reported an error: unexpected status 401 Unauthorized")


@pytest.mark.parametrize("raw", [b"", b"not json\n[1]\n7\n", b"[" * 10_000, b"\xff\xfe\x00", printed(*ANSWERED[:3])])
def test_no_answer_is_told(raw):
    assert read_result(raw).problem == "it printed no answer"


def test_the_instruction_arrives_as_it_is():
    """As a value of TOML, which reads no JSON escapes of letters beyond the first plane."""
    told = 'Pick "out"\nwhat matters: é \U0001f600 \x7f \\'
    given = words("gpt-5.5", told)
    assert tomllib.loads(given[given.index("-c", given.index("-m")) + 1])["developer_instructions"] == told


def test_nothing_of_the_users_and_no_tool_that_acts_comes_along():
    given = words("gpt-5.5", "x")
    assert {"--ephemeral", "--ignore-user-config", "--ignore-rules"} <= set(given) and given[-1] == "-"
    off = {given[place + 1] for place, word in enumerate(given) if word == "--disable"}
    assert off == {"hooks", "shell_tool", "plugins", "apps"}
    assert given[given.index("--sandbox") + 1] == "read-only"
