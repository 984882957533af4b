"""Messages, conversations and tasks out of Copilot CLI's logs (recorded from 1.0.102)."""

import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.hosts.copilot.events import read_event
from limpet.transcripts.copilot import holds_prompts, read_messages, read_task_list
from limpet.transcripts.messages import ListedTask

from ..strategies import QUICK

FIXTURES = Path(__file__).parents[1] / "fixtures" / "copilot-cli"
RECORDED = FIXTURES / "transcript.jsonl"
AT = "2026-11-21T12:00:00.000Z"


@pytest.fixture
def log(tmp_path):
    """A function that writes records to a log and gives its path."""

    def write(*records):
        path = tmp_path / "events.jsonl"
        path.write_text("".join(f"{json.dumps(each)}\n" for each in records), encoding="utf-8")
        return str(path)

    return write


def record(kind, **data):
    return {"type": kind, "data": data, "id": kind, "timestamp": AT}


def call(tool, arguments, **outcome):
    """A call and what it came to."""
    begun = record("tool.execution_start", toolCallId="c", toolName=tool, arguments=arguments)
    return begun, record("tool.execution_complete", toolCallId="c", **{"success": True, **outcome})


def words_of(path):
    return [(each.role, each.text) for each in read_messages(path)[0]]


def test_the_recorded_conversation_is_read():
    """The person's words, the tools with what they came to, and no subagent's."""
    messages = read_messages(str(RECORDED), root="/home/dev/project")[0]
    typed = [each.text.partition(" [[")[0] for each in messages if each.role == "user"]
    first = ["Add a test for the parser.", "What is here?", "Is it there?"]
    assert typed == [*first, "Change it.", "Ask another.", "Now fix the parser."]
    called = [each for each in messages if each.role == "tool"]
    assert [(each.tool, each.failed, each.edited) for each in called[:5]] == [
        ("Bash", False, ""),
        ("Bash", True, ""),
        ("Read", True, ""),
        ("Edit", False, "notes.txt"),
        ("Agent", False, ""),
    ]
    command, missing = called[1:3]
    assert command.tool_input["command"] == "ls none.txt" and "No such file" in command.error
    assert (missing.tool_input["file_path"], missing.error) == ("/home/dev/project/none.txt", "Path does not exist")
    assert all(each.at and each.id for each in messages)


def test_a_prompt_is_known_by_the_id_that_its_hook_was_told():
    """A conversation that is copied keeps it."""
    payload = json.loads((FIXTURES / "UserPromptSubmit.json").read_text(encoding="utf-8"))
    known = read_event("UserPromptSubmit", payload, {}).prompt_id
    assert holds_prompts(str(RECORDED), {known}) and not holds_prompts(str(RECORDED), {"2026-11-21T12:00:00.000Z"})
    assert [each.prompt for each in read_messages(str(RECORDED))[0] if each.role == "user"][0] == known


@pytest.mark.parametrize(
    "records",
    [
        [record("user.message", content="<limpet-context>\nA rule is broken.\n</limpet-context>")],
        [record("user.message", content="", transformedContent="You have not yet marked the task as complete")],
        [record("user.message", content="Which?", source="agent-1")],
        [{**record("user.message", content="Which?"), "agentId": "a"}],
        [
            record("hook.end", hookType="agentStop", output={"decision": "block", "reason": "Go on."}),
            record("user.message", content="Go on."),
        ],
        [record("system.notification", content="A command has ended.")],
        [record("assistant.message", content="")],
        call("bash", {"command": "ls"}, success=False, error={"message": "Denied by user", "code": "denied"}),
        call("local_shell", {"command": "ls"}, isUserRequested=True, result={"content": "a"}),
    ],
)
def test_what_no_person_and_no_model_said_is_left_out(log, records):
    """Nor did a call fail that was refused."""
    assert words_of(log(*records)) == []


def test_words_around_our_block_and_questions_with_their_answers_are_kept(log):
    path = log(record("user.message", content="<limpet-context>\nx\n</limpet-context>\nGo on."))
    assert words_of(path) == [("user", "Go on.")]
    response = {"message": "Which colour?", "content": {"colour": "red", "several": ["a"]}}
    path = log(record("human_response.recorded", response=response))
    assert words_of(path) == [("assistant", "Which colour?"), ("user", 'red\n["a"]')]


def test_a_patch_names_each_of_its_files(log):
    edits = [{"path": "/p/a.txt", "kind": "edit"}, {"path": "/x/b.txt", "kind": "create"}]
    path = log(*call("apply_patch", "*** Begin Patch", fileEdits=edits, result={"content": "done"}))
    messages = read_messages(path, root="/p")[0]
    assert [(each.tool, each.edited, each.text) for each in messages] == [
        ("Edit", "a.txt", "done"),
        ("Edit", "/x/b.txt", "done"),
    ]


def test_reading_goes_on_in_the_midst_of_a_call(log):
    """Then its arguments are unknown."""
    begun, done = call("bash", {"command": "ls"}, result={"content": "a"})
    path = log(begun, done)
    (message,) = read_messages(path, len(json.dumps(begun)) + 1)[0]
    assert (message.role, message.tool, message.tool_use_id, message.text) == ("tool", "", "c", "a")


def test_the_models_tasks_are_read_from_its_database(log, tmp_path):
    """None where it keeps none, or not as expected."""
    path = log()
    assert read_task_list(path) == ()
    with sqlite3.connect(tmp_path / "session.db") as database:
        assert read_task_list(path) == ()
        database.execute("CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT NOT NULL, status TEXT)")
        rows = [("b", "Write it", "done"), ("a", "Test it", "in_progress"), ("c", "Ship it", "blocked")]
        database.executemany("INSERT INTO todos VALUES (?, ?, ?)", rows)
    database.close()
    assert read_task_list(path) == (
        ListedTask("Write it", "completed"),
        ListedTask("Test it", "in_progress"),
        ListedTask("Ship it", "pending"),
    )
    (tmp_path / "session.db").write_bytes(b"no database" * 99)
    assert read_task_list(path) == ()


@QUICK
@given(st.recursive(st.none() | st.integers() | st.text() | st.booleans(), st.lists, max_leaves=4))
def test_any_value_in_a_field_is_read(tmp_path_factory, value):
    """Of an unexpected type it counts as absent."""
    path = tmp_path_factory.mktemp("any") / "events.jsonl"
    kinds = ("hook.start", "hook.end", "user.message", "assistant.message", "tool.execution_start")
    fields = ("content", "arguments", "toolCallId", "toolName", "input", "output", "result", "error", "response")
    records = [record(kind, **dict.fromkeys(fields, value)) for kind in kinds]
    records += [record("tool.execution_complete", **dict.fromkeys((*fields, "fileEdits", "shellExecution"), value))]
    records += [{"type": kind, "data": value, "timestamp": value} for kind in (*kinds, "human_response.recorded")]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records), encoding="utf-8")
    assert read_messages(str(path))[1] == path.stat().st_size
    holds_prompts(str(path), {"x"})
