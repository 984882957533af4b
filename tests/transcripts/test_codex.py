"""Who said and did what in Codex CLI's transcripts, recorded and made up."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts.codex import epoch_start, holds_prompts, read_messages, read_task_list
from limpet.transcripts.messages import LONGEST_RESULT, LONGEST_TEXT, ListedTask

RECORDED = Path(__file__).parents[1] / "fixtures" / "codex-cli"
PROJECT = "/home/dev/project"
ANY = ("id", "content", "text", "command", "changes", "error", "message", "server", "stderr", "aggregated_output")


def item(turn="t1", **fields):
    """The line of an item that came to an end."""
    payload = {"type": "item_completed", "turn_id": turn, "item": {"id": "i1", **fields}}
    return {"timestamp": "2026-11-26T12:00:00.000Z", "type": "event_msg", "payload": payload}


def typed(text):
    """A prompt."""
    return item(type="UserMessage", content=[{"type": "text", "text": text}])


@pytest.fixture
def path(tmp_path):
    """The path of a transcript."""
    return tmp_path / "rollout.jsonl"


@pytest.fixture
def read(path):
    """A function that writes records to a transcript and gives the messages read from it."""

    def read(*records, root=""):
        path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records), encoding="utf-8")
        return read_messages(str(path), root=root)[0]

    return read


def recorded(name):
    """The messages of a recorded transcript."""
    return read_messages(str(RECORDED / name), root=PROJECT)[0]


def test_a_recorded_conversation_tells_words_and_deeds_in_their_order():
    found = recorded("transcript.jsonl")
    assert [(each.role, each.tool or each.text.split(" [[")[0], each.failed) for each in found] == [
        ("user", "Add a test for the parser.", False),
        ("assistant", "FAKE-ANSWER 1", False),
        ("user", "Have a look first.", False),
        ("tool", "Bash", False),
        ("tool", "Bash", True),
        ("tool", "apply_patch", False),
        ("tool", "mcp__notes__recall", False),
        ("assistant", found[7].text, False),
        ("user", "Now fix the parser.", False),
        ("assistant", found[9].text, False),
    ]
    assert all(each.at and each.id and each.prompt for each in found)


def test_a_recorded_failure_has_its_error_and_a_recorded_edit_its_file():
    found = recorded("transcript.jsonl")
    look, failed, edit = (each for each in found if each.tool in ("Bash", "apply_patch"))
    assert (look.tool_input["command"], look.text) == ("ls -a", ".\n..\nguide.md")
    assert (failed.tool_input["command"], failed.error) == ("cat none.txt", "cat: none.txt: No such file or directory")
    assert (edit.edited, edit.tool_input["file_path"]) == ("notes.md", f"{PROJECT}/notes.md")


def test_the_calls_of_a_script_are_told_one_by_one():
    """Its own text is no message."""
    calls = [each for each in recorded("transcript-script.jsonl") if each.role == "tool"]
    assert [(each.tool, each.tool_input["command"], each.failed) for each in calls] == [
        ("Bash", "ls -a", False),
        ("Bash", "cat none.txt", True),
    ]


def test_a_fork_begins_with_its_own_first_prompt_and_an_epoch_with_the_compaction():
    assert [each.text for each in recorded("transcript-fork.jsonl")][0] == "Try another way."
    path = RECORDED / "transcript.jsonl"
    begin = epoch_start(str(path))
    assert json.loads(path.read_bytes()[begin:].splitlines()[0])["type"] == "compacted"
    assert read_messages(str(path), begin)[0][0].text == "Now fix the parser."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Do it.", ["Do it."]),
        ("  \n", []),
        ('<limpet-context version="1">x</limpet-context>\n\nDo it.', ["Do it."]),
        ("# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nDo it.\n", ["Do it."]),
        ("Generate a file named AGENTS.md that serves as a contributor guide for this repository.", []),
    ],
)
def test_only_what_a_person_typed_is_theirs(read, text, words):
    assert [each.text for each in read(typed(text))] == words


def test_what_hooks_and_the_client_write_in_the_users_name_is_left_out(read):
    """It is among what the model gets, and no item of a person's."""
    prompt = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "<hook_prompt>x</hook_prompt>"}],
    }
    records = (
        item(type="HookPrompt", fragments=[{"text": "Go on."}]),
        {"type": "response_item", "payload": prompt},
        item(type="ContextCompaction"),
        item(type="SubAgentActivity", kind="completed"),
        item(type="CollabAgentToolCall", tool="wait", status="completed"),
    )
    assert read(*records) == []


def test_long_texts_are_kept_from_both_ends(read):
    (said,) = read(item(type="AgentMessage", content=[{"type": "Text", "text": "a" * LONGEST_TEXT + "end"}]))
    assert said.role == "assistant" and len(said.text) < LONGEST_TEXT + 10 and said.text.endswith("end")
    (ran,) = read(
        item(type="CommandExecution", status="completed", command=["sh", "-c", "x"], aggregated_output="b" * 9000)
    )
    assert len(ran.text) < LONGEST_RESULT + 10


def test_a_failure_without_words_has_its_code_and_a_servers_tool_its_error(read):
    (failed,) = read(item(type="CommandExecution", status="failed", command=["bash", "-lc", "false"], exit_code=1))
    assert (failed.error, failed.text, failed.tool_use_id) == ("exit code 1", "", "i1")
    (failed,) = read(item(type="McpToolCall", status="failed", server="a", tool="b", error={"message": "no"}))
    assert (failed.tool, failed.failed, failed.error) == ("mcp__a__b", True, "no")


def test_a_patch_of_several_files_is_an_edit_of_each(read):
    changes = {"/p/a.py": {"type": "update"}, "/other/b.py": {"type": "add"}}
    found = read(item(type="FileChange", status="completed", changes=changes, stdout="Success."), root="/p")
    assert [each.edited for each in found] == ["a.py", "/other/b.py"]
    (failed,) = read(item(type="FileChange", status="failed", changes={"/p/a.py": {}}, stderr="no"), root="/p")
    assert (failed.edited, failed.error, failed.tool_input) == ("", "no", {"file_path": "/p/a.py"})


@pytest.mark.parametrize("status", ["declined", "in_progress", None, 7])
def test_what_was_refused_or_is_not_over_is_left_out(read, status):
    assert read(item(type="CommandExecution", status=status, command=["sh", "-c", "x"])) == []


def test_a_turn_is_known_by_its_id(read, path):
    """A compaction keeps it, and so does a copy."""
    read({"type": "event_msg", "payload": {"type": "task_started", "turn_id": "t1"}}, typed("t2"))
    assert (holds_prompts(str(path), {"t1", "x"}), holds_prompts(str(path), {"t2"})) == (True, False)


def test_the_plan_is_what_was_written_last(read, path):
    def plan(*steps):
        given = json.dumps({"plan": [{"step": step, "status": status} for step, status in steps]})
        return {
            "type": "response_item",
            "payload": {"type": "function_call", "name": "update_plan", "arguments": given},
        }

    other = {"type": "response_item", "payload": {"type": "function_call", "name": "get_goal", "arguments": "{}"}}
    read(plan(("old", "pending")), plan(("one", "completed"), ("two", "in_progress"), ("", "pending")), other)
    assert read_task_list(str(path)) == (ListedTask("one", "completed"), ListedTask("two", "in_progress"))
    assert read_task_list(str(RECORDED / "transcript.jsonl")) == ()


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(ANY), inner, max_size=6),
        max_leaves=12,
    )
)
def test_any_item_is_read(tmp_path_factory, value):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    for kind in ("UserMessage", "AgentMessage", "CommandExecution", "FileChange", "McpToolCall"):
        fields = value if isinstance(value, dict) else {"content": value, "command": value, "changes": value}
        path.write_text(json.dumps(item(**{**fields, "type": kind, "status": "failed"})) + "\n", encoding="utf-8")
        read_messages(str(path), root="/p")


@pytest.mark.parametrize(
    ("attribution", "entries"),
    [
        ({"turn_trigger": "user"}, [""]),
        ({}, [""]),
        ({"turn_trigger": "exec"}, ["exec"]),
        ({"turn_trigger": None}, ["app-server"]),
        ({"turn_trigger": "queue"}, []),
        ({"turn_trigger": "user", "parent_turn_id": "t0"}, []),
    ],
)
def test_a_prompt_is_a_persons_a_programs_or_an_agents(tmp_path, attribution, entries):
    """As the line says with which its turn begins; an older client's says nothing."""
    begun = {"type": "task_started", "turn_id": "t1", "turn_attribution": attribution}
    item = {"type": "UserMessage", "id": "i", "content": [{"type": "text", "text": "Use pnpm."}]}
    lines = [begun, {"type": "item_completed", "turn_id": "t1", "item": item}]
    path = tmp_path / "talk.jsonl"
    text = "".join(json.dumps({"type": "event_msg", "payload": line}, separators=(",", ":")) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    assert [message.entry for message in read_messages(str(path))[0]] == entries
