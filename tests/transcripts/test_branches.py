"""A conversation is a tree: what hangs on a branch that was left is read by no reader, in each client's own form."""

import json
from pathlib import Path

import pytest

from limpet.transcripts import claude_code, claude_code_usage, codex, copilot, gemini

from ..trees import Tree


@pytest.fixture
def tree(tmp_path):
    return Tree(str(tmp_path))


def texts(reader, path, **given):
    """What was said, by the reader."""
    return [message.text for message in reader.read_messages(str(path), **given)[0] if message.role == "user"]


def lines(path, *records, separators=(",", ":")):
    path.write_text("".join(json.dumps(each, separators=separators) + "\n" for each in records), encoding="utf-8")
    return path


def test_claude_code_leaves_out_what_the_newest_line_does_not_come_from(tree):
    """A branch of a branch too; what was left is there for who asks for it."""
    _, one = tree.turn("one")
    _, two = tree.turn("two")
    tree.turn("three")
    tree.back(two)
    tree.turn("four")
    tree.back(one)
    tree.turn("five")
    assert texts(claude_code, tree.path) == ["one", "five"]
    assert texts(claude_code, tree.path, left=True) == ["two", "three", "four"]
    tree.back(None)
    tree.turn("six")
    assert texts(claude_code, tree.path) == ["six"]


def test_calls_side_by_side_are_no_branches(tree):
    tree.user("one")
    tree.tool("ls")
    tree.tool("pwd")
    tree.turn("two")
    assert texts(claude_code, tree.path) == ["one", "two"] and texts(claude_code, tree.path, left=True) == []


def test_a_line_that_names_none_or_an_unknown_one_hangs_on_those_before(tree):
    """As lines of other versions do, and of a file that was cut."""
    tree.turn("one")
    tree.back("gone")
    tree.turn("two")
    assert texts(claude_code, tree.path) == ["one", "two"]


@pytest.mark.parametrize(("metadata", "said"), [({"messagesSummarized": 2}, True), ({"trigger": "manual"}, False)])
def test_what_was_summed_up_was_said(tree, metadata, said):
    """ "Summarize from here" keeps the turns before in the window and sums up the others; a compaction after going back
    has nothing of the branch that was left."""
    _, one = tree.turn("one")
    tree.turn("two")
    tree.compact(one, **metadata)
    tree.turn("three")
    assert texts(claude_code, tree.path) == ["one", *["two"] * said, "three"]


def test_summed_up_to_a_turn_what_follows_it_was_said(tree):
    """What is kept stands before the compaction in the file, and the newest prompt hangs on it."""
    _, one = tree.turn("one")
    _, two = tree.turn("two")
    tree.compact(one, messagesSummarized=2)
    tree.back(two)
    tree.turn("three")
    assert texts(claude_code, tree.path) == ["one", "two", "three"]


def test_usage_prompts_and_held_words_are_those_of_the_branch(tree):
    tree.user("one")
    kept = tree.model("Done.", tokens=100)
    left = tree.user("two")
    tree.model("quokka", tokens=900)
    tree.back(kept)
    tree.user("three")
    assert claude_code_usage.read_usage(tree.path).used == 101
    assert not claude_code_usage.holds(tree.path, b"quokka") and claude_code_usage.holds(tree.path, b"Done.")
    prompt = next(
        each["promptId"]
        for each in map(json.loads, Path(tree.path).read_text("utf-8").splitlines())
        if each["uuid"] == left
    )
    assert not claude_code.holds_prompts(tree.path, {prompt})


def user(name, text):
    return {"id": name, "timestamp": "", "type": "user", "content": [{"text": text}]}


def test_gemini_takes_the_named_message_away_with_all_that_followed(tmp_path):
    """All there is where it does not know it."""
    before = [user("a", "one"), user("b", "two"), user("c", "three"), {"$rewindTo": "b"}, user("d", "four")]
    path = lines(tmp_path / "chat.jsonl", *before)
    assert (texts(gemini, path), texts(gemini, path, left=True)) == (["one", "four"], ["two", "three"])
    lines(path, *before, {"$rewindTo": "unknown"}, user("e", "five"))
    assert texts(gemini, path) == ["five"]


def event(kind, **payload):
    return {"timestamp": "2026-11-28T10:00:00.000Z", "type": "event_msg", "payload": {"type": kind, **payload}}


def turn(number, text):
    said = {"type": "UserMessage", "id": f"m{number}", "content": [{"type": "text", "text": text}]}
    name = f"t{number}"
    return [event("task_started", turn_id=name), event("item_completed", turn_id=name, item=said)]


def test_codex_goes_back_by_turns_in_which_somebody_said_something(tmp_path):
    """It is a boundary for what was sent, and none for what was said before."""
    back = event("thread_rolled_back", num_turns=1)
    first, second = turn(1, "one"), turn(2, "two")
    steered = turn(2, "two, soon")[1]
    path = lines(
        tmp_path / "r.jsonl", *first, *second, steered, event("task_started", turn_id="t3"), back, *turn(4, "four")
    )
    assert (texts(codex, path), texts(codex, path, left=True)) == (["one", "four"], ["two", "two, soon"])
    assert codex.epoch_start(str(path)) == 0
    lines(path, *first, *second, back)
    assert codex.read_usage(str(path)).boundary is not None
    lines(path, *first, *second, event("thread_rolled_back", num_turns=9), *turn(4, "four"))
    assert texts(codex, path) == ["four"]


def test_copilots_log_has_nothing_of_what_was_left(tmp_path):
    """What was said before is of the same epoch."""
    said = {"type": "user.message", "id": "e1", "timestamp": "", "data": {"content": "one"}}
    back = {"type": "session.info", "id": "e2", "timestamp": "", "data": {"infoType": "rewind", "message": ""}}
    path = lines(tmp_path / "events.jsonl", said, back, {**said, "id": "e3", "data": {"content": "two"}})
    assert (texts(copilot, path), texts(copilot, path, left=True)) == (["one", "two"], [])
    assert copilot.epoch_start(str(path)) == 0


def test_older_rollouts_of_codex_are_read(tmp_path):
    """Which know no items; nobody types in one of ``codex exec``."""
    begun = {"timestamp": "", "type": "session_meta", "payload": {"cli_version": "0.148.0", "source": "vscode"}}
    said = [event("user_message", client_id="c1", message="one\n"), event("agent_message", message="Done.")]
    path = lines(tmp_path / "r.jsonl", begun, *said)
    found = codex.read_messages(str(path))[0]
    assert [(each.role, each.text, each.id) for each in found] == [("user", "one", "c1"), ("assistant", "Done.", "")]
    lines(path, {**begun, "payload": {"source": "exec"}}, *said)
    assert codex.read_messages(str(path))[0][0].entry == "exec"
    lines(path, begun, *said, *turn(1, "one"))
    assert texts(codex, path) == ["one"]


def test_older_chats_of_gemini_are_read_on_where_they_ended(tmp_path):
    """One object, written anew with each message."""
    path = tmp_path / "session-1.json"
    answer = {"id": "g", "timestamp": "", "type": "gemini", "content": "Done.", "model": "m"}

    def write(*messages):
        path.write_text(json.dumps({"sessionId": "s", "messages": messages}, indent=2), encoding="utf-8")

    write(user("a", "one"), answer)
    messages, end = gemini.read_messages(str(path))
    assert [each.text for each in messages] == ["one", "Done."]
    write(user("a", "one"), answer, {**user("b", ""), "content": "two"})
    assert [each.text for each in gemini.read_messages(str(path), end)[0]] == ["two"]
