"""Messages out of Gemini CLI's chat files (recorded from 0.61.0)."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts.gemini import epoch_start, read_messages, read_task_list, summary_of
from limpet.transcripts.messages import ListedTask

RECORDED = Path(__file__).parents[1] / "fixtures" / "gemini-cli" / "transcript.jsonl"
ROOT = "/home/dev/project"


@pytest.fixture
def chat(tmp_path):
    """A function that writes records to a chat and gives its path."""

    def write(*records: object) -> str:
        path = tmp_path / "session.jsonl"
        path.write_bytes(b"".join(json.dumps(each, separators=(",", ":")).encode() + b"\n" for each in records))
        return str(path)

    return write


def said(text: str, *more: str, name: str = "u") -> dict[str, object]:
    return {"id": name, "timestamp": "", "type": "user", "content": [{"text": each} for each in (text, *more)]}


def called(name: str, arguments: object, response: object, status: str = "success") -> dict[str, object]:
    result = [{"functionResponse": {"name": name, "response": response}}]
    call = {"id": f"{name}1", "name": name, "args": arguments, "result": result, "status": status}
    return {"id": "g", "timestamp": "", "type": "gemini", "content": "", "toolCalls": [call]}


@pytest.fixture(scope="module")
def messages():
    return read_messages(str(RECORDED), root=ROOT)[0]


def test_the_recorded_words_are_those_of_person_and_model(messages):
    """Neither the client's context, hooks' words, our own, the files that a prompt names, nor what is written again."""
    assert [message.text for message in messages if message.role == "user"] == [
        "Add a test for the parser.",
        "Look around.",
        "Read it.",
        "Now fix it.",
        "Explain @parser.py in a few words.",
        "Stop here.",
        "/compress",
        "Go on with the other one.",
    ]
    answers = [message.text for message in messages if message.role == "assistant"]
    assert len(answers) == 9 and all(text.startswith("FAKE-ANSWER ") for text in answers)
    assert all(message.at > 1_700_000_000 and message.id for message in messages)


def test_the_recorded_calls_have_their_outcomes(messages):
    """A refused one did not fail, and is left out."""
    tools = [message for message in messages if message.role == "tool"]
    assert [(each.tool, each.failed) for each in tools] == [
        ("run_shell_command", False),
        ("run_shell_command", True),
        ("read_file", True),
        ("replace", False),
        ("write_todos", False),
    ]
    listed, failed, absent, edit, _ = tools
    assert (listed.tool_input, listed.text.splitlines()[0]) == ({"command": "ls"}, "parser.py")
    assert "Exit Code: 3" in failed.error and absent.error == f"File not found: {ROOT}/absent.py"
    assert (edit.edited, edit.tool_input["file_path"]) == ("parser.py", "parser.py")
    assert len({each.tool_use_id for each in tools}) == len(tools)


def test_the_recorded_task_list_is_the_newest():
    assert read_task_list(str(RECORDED)) == (ListedTask(text="Write the test", status="in_progress"),)


def test_the_recorded_epoch_begins_with_the_compaction():
    """A resumption, which writes its history again, begins none."""
    lines = RECORDED.read_bytes().splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if summary_of(line))
    assert epoch_start(str(RECORDED)) == sum(map(len, lines[:first]))
    assert epoch_start(str(RECORDED), limit=len(lines[-1]) + 1) == sum(map(len, lines[:-1]))


def test_a_file_is_named_from_the_root_and_its_words_are_no_failure(chat):
    """What a file holds is no command's output."""
    path = chat(called("write_file", {"file_path": f"{ROOT}/src/a.py", "content": "x"}, {"output": "done"}))
    assert read_messages(path, root=ROOT)[0][0].edited == "src/a.py"
    assert read_messages(path)[0][0].edited == f"{ROOT}/src/a.py"
    path = chat(called("read_file", {"file_path": "log"}, {"output": "x\nExit Code: 3\n"}))
    assert not read_messages(path)[0][0].failed


@pytest.mark.parametrize(
    ("response", "status"),
    [
        ({"error": "Tool execution blocked: dev may not push"}, "error"),
        ({"error": "Tool execution denied by policy."}, "error"),
        ({}, "cancelled"),
    ],
)
def test_a_call_that_was_refused_is_left_out(chat, response, status):
    assert read_messages(chat(called("run_shell_command", {"command": "git push"}, response, status)))[0] == []


@pytest.mark.parametrize(
    ("record", "texts"),
    [
        (said("<session_context>\nThis is the Gemini CLI."), []),
        (said("<hook_context>&lt;x&gt;</hook_context>\n\nFix it.", "<hook_context>y</hook_context>"), ["Fix it."]),
        (said("<limpet-context>Mend it.</limpet-context>"), []),
        (said("<limpet-context>Go on.</limpet-context>\nFix it."), ["Fix it."]),
        (said("System: Potential loop detected. Details: x"), []),
        ({"id": "u", "type": "user", "content": [{"functionResponse": {}}]}, []),
        ({"id": "u", "type": "user", "content": "as a text"}, ["as a text"]),
        ({"id": "i", "type": "info", "content": "x"}, []),
    ],
)
def test_only_what_was_typed_is_the_persons(chat, record, texts):
    assert [message.text for message in read_messages(chat(record))[0]] == texts


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(("text", "id", "name", "args", "result", "response", "output", "todos")), inner
        )
    ),
    max_leaves=9,
)
FIELDS = st.sampled_from(("timestamp", "content", "toolCalls", "tokens", "model"))


@given(st.lists(st.tuples(st.sampled_from(("user", "gemini", "info")), st.dictionaries(FIELDS, ANY)), max_size=4))
def test_any_records_are_read(tmp_path_factory, drawn):
    path = tmp_path_factory.mktemp("any") / "chat.jsonl"
    records = [{"id": f"{at}", "type": kind, **rest} for at, (kind, rest) in enumerate(drawn)]
    path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records))
    messages, end = read_messages(str(path))
    assert end == path.stat().st_size and all(message.role for message in messages)
    read_task_list(str(path))
