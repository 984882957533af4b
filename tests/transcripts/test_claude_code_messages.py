"""Who said and did what in Claude Code transcripts, recorded and made up."""

import json
import os
import sys

import pytest

from holdfast.transcripts.claude_code_messages import LONGEST_RESULT, LONGEST_TEXT, read_messages

from ..conversation import obstruct

RECORDED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "fixtures", "claude-code")
PROJECT = "/home/dev/project"


@pytest.fixture
def read(tmp_path):
    """A function that writes records to a transcript and gives the messages read from it."""

    def read(*records: object):
        path = tmp_path / "session.jsonl"
        path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in records), encoding="utf-8")
        return read_messages(str(path))[0]

    return read


def user(content: object, **record: object) -> dict[str, object]:
    return {"type": "user", "message": {"role": "user", "content": content}, "uuid": "u1", **record}


def answer(*blocks: object, **message: object) -> dict[str, object]:
    return {"type": "assistant", "message": {"role": "assistant", "content": list(blocks), **message}, "uuid": "a1"}


def call(name: str, **given: object) -> dict[str, object]:
    return answer({"type": "tool_use", "id": "t1", "name": name, "input": given})


def result(content: object, **block: object) -> dict[str, object]:
    return user([{"type": "tool_result", "tool_use_id": "t1", "content": content, **block}])


def test_a_recorded_session_gives_what_people_and_model_said():
    """Not its commands, summaries, reminders and outputs of local commands."""
    messages, end = read_messages(os.path.join(RECORDED, "transcript.jsonl"))
    said = [(message.role, message.text) for message in messages]
    assert said == [
        ("user", "Add a test for the parser."),
        ("assistant", "FAKE-ANSWER 1"),
        ("assistant", "FAKE-ANSWER 2"),
        ("user", "Now fix the parser."),
        ("assistant", "FAKE-ANSWER 4"),
    ]
    assert end == os.path.getsize(os.path.join(RECORDED, "transcript.jsonl"))


def test_recorded_tools_come_with_their_input_and_outcome():
    """A failed one with its error, an edit with its file, told from the project's root."""
    messages, _ = read_messages(os.path.join(RECORDED, "transcript-tools.jsonl"), root=PROJECT)
    told = [(each.tool, each.failed, each.edited) for each in messages if each.role == "tool"]
    assert told == [
        ("Bash", True, ""),
        ("Read", True, ""),
        ("Read", False, ""),
        ("Edit", False, "parser.py"),
        ("Bash", False, ""),
    ]
    first = next(each for each in messages if each.role == "tool")
    assert first.tool_input["command"] == "python3 -c 'import parser_check'"
    assert first.error == "Exit code 1\nValueError: expected 2 fields, got 1"
    assert first.at > 1_790_000_000


def test_a_recorded_subagent_says_nothing():
    """Its conversation is not the user's."""
    assert read_messages(os.path.join(RECORDED, "transcript-subagent.jsonl"))[0] == []


@pytest.mark.parametrize(
    "record",
    [
        user("We decided.", isMeta=True),
        user("We decided.", isCompactSummary=True),
        user("We decided.", isVisibleInTranscriptOnly=True),
        user("We decided.", isSidechain=True),
        user("We decided.", origin={"kind": "task-notification"}),
        user("We decided.", promptSource="system"),
        user("<command-name>/greet</command-name>"),
        user("<local-command-stdout>We decided.</local-command-stdout>"),
        user("<bash-input>ls</bash-input>"),
        user("<task-notification>\n<task-id>x</task-id>"),
        user([{"type": "text", "text": "[Request interrupted by user for tool use]"}]),
        user("<system-reminder>We decided.</system-reminder>"),
        user("<holdfast-context>We decided.</holdfast-context>"),
        user("<system-reminder>never closed: we decided"),
        answer({"type": "text", "text": "API error"}, model="<synthetic>"),
        answer({"type": "thinking", "thinking": "We decided."}),
        {"type": "system", "message": {"role": "user", "content": "We decided."}},
        {"type": "api-request-blob", "message": {"role": "user", "content": "We decided."}},
        {"type": "user", "message": "We decided."},
        ["message"],
    ],
)
def test_what_no_person_wrote_is_not_taken_for_their_words(read, record):
    """Whoever wrote it in their name."""
    assert read(record) == []


def test_words_between_reminders_are_the_users(read):
    """The client adds its own before and after."""
    text = "<system-reminder>a</system-reminder>Use tabs.<system-reminder>b</system-reminder>"
    assert [message.text for message in read(user(text, origin={"kind": "human"}))] == ["Use tabs."]


def test_a_prompt_queued_while_the_model_works_is_the_users(read):
    """Corrections often come that way."""
    queued = {"type": "queued_command", "prompt": "No, use tabs.", "origin": {"kind": "human"}}
    assert [message.text for message in read({"type": "attachment", "attachment": queued})] == ["No, use tabs."]


def test_a_refused_tool_is_no_failure(read):
    """The user said no; nothing went wrong."""
    refusal = result("The user doesn't want to proceed with this tool use.", is_error=True)
    assert [each.role for each in read(call("Bash", command="rm -r x"), refusal)] == []


def test_the_marks_of_a_tool_error_are_taken_off(read):
    """They are the client's."""
    told = read(call("Edit", file_path="a.py"), result("<tool_use_error>not found</tool_use_error>", is_error=True))
    assert [(each.failed, each.error, each.edited) for each in told] == [(True, "not found", "")]


def test_a_result_whose_call_was_told_earlier_has_no_input(read):
    """The stretch began in between."""
    assert [(each.tool, each.text, dict(each.tool_input)) for each in read(result("ok"))] == [("", "ok", {})]


def test_huge_texts_are_clipped_in_the_middle(read):
    """Their ends tell what was asked and what went wrong."""
    words, output = read(user("a" * 50_000 + "z"), result("b" * 50_000 + "y"))
    assert len(words.text) < LONGEST_TEXT + 10 and words.text.endswith("z")
    assert len(output.text) < LONGEST_RESULT + 10 and output.text.endswith("y")


def test_broken_lines_are_skipped(tmp_path):
    """A crash of the machine leaves them."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"message":\n\0\0\n\xff"message"\n[]\n' + json.dumps(user("hello")).encode() + b"\n")
    assert [message.text for message in read_messages(str(path))[0]] == ["hello"]


def test_reading_again_gives_only_what_is_new(tmp_path):
    """And nothing where nothing was added."""
    path = tmp_path / "session.jsonl"
    path.write_text(json.dumps(user("one")) + "\n", encoding="utf-8")
    _, end = read_messages(str(path))
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(user("two")) + "\n")
    messages, later = read_messages(str(path), end)
    assert [(message.text, message.offset) for message in messages] == [("two", end)]
    assert read_messages(str(path), later) == ([], later)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
@pytest.mark.parametrize("kind", ["device", "fifo", "folder"])
def test_what_is_no_file_has_no_messages(tmp_path, kind):
    """A device would never end, a FIFO never begin."""
    path = str(tmp_path / "t.jsonl")
    obstruct(kind, path)
    assert read_messages(path) == ([], 0)
