"""What a transcript teaches, captured once however often it is read."""

import errno
import json
import os
import time

import pytest

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.event import Surroundings
from limpet.ground.message import Message
from limpet.ground.storage.files import Lock
from limpet.memory import candidates
from limpet.memory.candidates import read_candidate_files
from limpet.memory.model.entry import DIGEST, Query
from limpet.operations.memory.conversations import capture as capturing
from limpet.operations.memory.conversations.capture import (
    capture,
    captured_title,
    captured_until,
    catch_up,
    hear_rest,
    keep_digest,
)
from limpet.operations.memory.conversations.conversation import Conversation
from limpet.operations.memory.library import open_library
from limpet.work.session import change_session

from ....conversation import write
from ....hook_host import Host
from ....leaks import KNOWN, TOKEN, know_secret, leaks
from ....places import private_path
from ...callers import NOW, PERSON, indexed, opened

TASK = "Build the queue of the shop."


def said(text, number=1):
    message = {"role": "user", "content": text}
    line = {"type": "user", "uuid": f"u{number}", "timestamp": "2026-11-21T10:00:00Z", "message": message}
    return json.dumps(line) + "\n"


@pytest.fixture
def conversation(workspace, tmp_path):
    """A conversation that took a decision."""
    path = str(tmp_path / "talk.jsonl")
    write(path, said(TASK, 0) + said("Let's go with PostgreSQL for the job queue."))
    return Conversation(session="talk", now=NOW, host="claude-code", transcript=path)


def test_a_decision_is_captured_once(workspace, conversation):
    """As an entry and a line of the digest; the second time there is nothing new."""
    assert capture(workspace, conversation) == {"said": 1}
    assert [one.quote for one in read_candidate_files(workspace.shared)] == [""]
    assert indexed(workspace) == [f"{TASK} (2026-11-21)", "Let's go with PostgreSQL for the job queue"]
    assert capture(workspace, conversation) == {}


def test_the_mark_is_where_the_transcript_ends(workspace, conversation, tmp_path):
    """Another transcript under the same id is read from its beginning."""
    capture(workspace, conversation)
    size = (tmp_path / "talk.jsonl").stat().st_size
    assert captured_until(workspace, "talk", conversation.transcript) == size
    assert captured_until(workspace, "talk", str(tmp_path / "other.jsonl")) == 0


def test_its_title_outlives_the_turns_after_a_compaction(workspace, conversation):
    """The mark that a turn writes has it too."""
    capture(workspace, conversation, ended=False)
    title = captured_title(workspace, "talk")
    with open(conversation.transcript, "a", encoding="utf-8") as file:
        file.write(said("And always use tabs.", 2))
    capture(workspace, conversation, turn=True)
    assert title and captured_title(workspace, "talk") == title


def test_no_secret_of_a_conversation_is_kept(workspace, conversation):
    """Neither one of a known form nor one of the project's own."""
    know_secret(workspace.root)
    write(
        conversation.transcript,
        said(TASK, 0) + said(f"Let's go with the password {KNOWN} and the token {TOKEN} for staging."),
    )
    assert capture(workspace, conversation)["said"] == 1
    assert leaks(workspace) == []


def test_two_captures_of_one_conversation_do_not_meet(workspace, conversation, monkeypatch):
    """The second says so, and changes nothing."""
    monkeypatch.setattr(capturing, "PATIENCE", 0.0)
    with Lock(os.path.join(workspace.shared, "locks", "capture-talk.lock"), 1.0) as held:
        assert held
        with pytest.raises(LimpetError, match="Another process is capturing this conversation"):
            capture(workspace, conversation)


def test_what_a_full_disk_refused_is_captured_the_next_time(workspace, conversation, monkeypatch):
    """The capture ends where it was, and what it wrote already counts once."""
    texts = ("Decision: we use SQLite for the tests.", "Let's go with Redis.")
    write(conversation.transcript, said(TASK, 0) + "".join(said(text, place) for place, text in enumerate(texts, 1)))
    writes, calls = candidates.write_durably, []

    def refuse_second(path, *given, **how):
        calls.append(path)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        writes(path, *given, **how)

    monkeypatch.setattr(candidates, "write_durably", refuse_second)
    monkeypatch.setattr("limpet.operations.memory.candidates.LEAST_ALONE", 9)  # so that something is asked for
    with pytest.raises(Unwritten, match="No space left"):
        capture(workspace, conversation)
    assert captured_until(workspace, "talk", conversation.transcript) == 0 and calls[1].endswith("open.json")
    assert capture(workspace, conversation) == {}
    assert [one.quote for one in read_candidate_files(workspace.shared)] == ["", ""]
    assert sorted(indexed(workspace)) == [f"{TASK} (2026-11-21)", *(text.rstrip(".") for text in texts)]


def test_what_was_kept_before_its_candidate_could_be_written_is_not_kept_twice(workspace, conversation, monkeypatch):
    """The entry is there, the candidate is not: the same words in the same message."""
    monkeypatch.setattr(capturing, "update_index", lambda library: "")
    monkeypatch.setattr("limpet.operations.memory.candidates.save", refuse)
    with pytest.raises(Unwritten, match="No space left"):
        capture(workspace, conversation)
    monkeypatch.undo()
    capture(workspace, conversation)
    capture(workspace, conversation)
    (entry,) = [title for title in indexed(workspace) if TASK not in title]
    assert entry == "Let's go with PostgreSQL for the job queue"


def refuse(*given):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_who_captures_is_the_conversations_agent(conversation):
    """By way of the capture."""
    caller = conversation.replace(agent="dev").caller
    assert (caller.reader.agent, caller.reader.person, caller.writer) == ("dev", False, "capture:talk")
    assert (caller.conversation, caller.now) == ("talk", NOW)


SAID = {
    "type": "user",
    "uuid": "u1",
    "timestamp": "2026-11-21T10:00:00Z",
    "message": {"role": "user", "content": "Let's go with PostgreSQL for the job queue."},
}


@pytest.fixture
def left(workspace):
    """A project with a conversation whose transcript was left an hour ago; the path."""
    path = os.path.join(workspace.root, "left.jsonl")
    write(path, json.dumps(SAID) + "\n")
    os.utime(path, (time.time() - 3600, time.time() - 3600))
    Host(workspace).send("UserPromptSubmit", session_id="left", prompt="hello", transcript_path=path)
    os.utime(path, (time.time() - 3600, time.time() - 3600))
    return path


def caught(workspace, session="new"):
    return catch_up(workspace, time.time(), session)


def test_a_left_conversation_is_captured_once(workspace, left):
    """The second time there is nothing new in it."""
    assert (caught(workspace), caught(workspace)) == (1, 0)
    assert [one.quote for one in read_candidate_files(workspace.shared)] == [
        "Let's go with PostgreSQL for the job queue."
    ]


@pytest.mark.parametrize("why", ["spoken in", "starting", "gone"])
def test_nothing_is_caught_up_with_without_need(workspace, left, why):
    """One that is still spoken in, that starts, or whose transcript is gone; odd session files cost nothing."""
    write(private_path(workspace, "sessions", "odd.json"), "[")
    write(private_path(workspace, "sessions", "other.json"), '{"id": 7, "transcript": []}')
    if why == "spoken in":
        os.utime(left)
    elif why == "gone":
        os.remove(left)
    assert caught(workspace, session="left" if why == "starting" else "new") == 0


def talked(workspace, name, minute=0):
    """A conversation whose last turn nobody told of."""
    path = os.path.join(workspace.root, f"{name}.jsonl")
    Host(workspace).send("UserPromptSubmit", session_id=name, prompt=TASK, transcript_path=path)
    change_session(workspace, name, {"last_activity": iso(1_790_000_000 + 60 * minute)})
    decided = f"Let's go with queue {name} for the invoices of the shop."
    write(path, said(TASK, f"{name}-0") + said(decided, f"{name}-1"))
    return path


def test_the_last_words_of_the_newest_conversations_are_heard_before_another(workspace):
    """Of three at most, for the start waits; each once, and not those of the one that starts."""
    names = [f"q{number}" for number in range(5)]
    for minute, name in enumerate(names):
        talked(workspace, name, minute)
    assert hear_rest(workspace, time.time(), names[-1]) == 3
    assert indexed(workspace) == [f"Let's go with queue {name} for the invoices of the shop" for name in names[1:4]]
    assert hear_rest(workspace, time.time(), names[-1]) == 0


def test_what_another_process_hears_or_cannot_be_read_is_left(workspace, monkeypatch):
    """The start goes on; odd states cost nothing."""
    monkeypatch.setattr(capturing, "PATIENCE", 0.0)
    talked(workspace, "busy")
    os.unlink(talked(workspace, "gone"))
    write(private_path(workspace, "sessions", "odd.json"), "[")
    write(private_path(workspace, "sessions", "other.json"), '{"id": 7, "transcript": []}')
    with Lock(os.path.join(workspace.shared, "locks", "capture-busy.lock"), 1.0) as held:
        assert held and hear_rest(workspace, time.time(), "new") == 0
    assert hear_rest(workspace, time.time(), "new") == 1 and len(indexed(workspace)) == 1


RUN = Message(role="tool", tool="Bash", tool_input={"command": "pytest -q"}, at=NOW)


def edit(path):
    return Message(role="tool", tool="Edit", tool_input={"file_path": path}, edited=path, at=NOW)


@pytest.fixture
def library(workspace):
    """The library as the capture of a conversation opens it."""
    caller = PERSON.replace(surroundings=Surroundings("claude-code", "one"), by="capture:one")
    return open_library(opened(workspace, caller))


def digests(library):
    return [library.show(card.id, count=False).entry for card in library.list(Query(tag=DIGEST)).cards]


def test_the_digest_is_titled_by_its_subject_and_dated_by_the_conversation(library):
    """Whenever it is captured, and whatever comes later."""
    said = Message(role="user", text="Add a cache to the report", at=NOW - 86_400)
    keep_digest(library, [said, edit("src/model.py")], ())
    keep_digest(library, [said.replace(text="Now the login"), edit("src/login.py")], ())
    (entry,) = digests(library)
    day = iso(NOW - 86_400)[:10]
    assert (entry.title, entry.created_at[:10]) == (f"Add a cache to the report ({day})", day)


def test_the_digest_grows_with_each_capture(library):
    """One memory of the conversation, with the files of both captures; words alone are not worth one."""
    keep_digest(library, [Message(role="user", text="Good morning!", at=NOW)], ())
    assert digests(library) == []
    keep_digest(library, [edit("src/model.py"), RUN], ())
    keep_digest(library, [edit("src/endpoint.py")], ())
    (entry,) = digests(library)
    assert "src/model.py" in entry.body and "src/endpoint.py" in entry.body
    assert (entry.session, entry.storage, entry.type) == ("one", "daily", "episodic")
