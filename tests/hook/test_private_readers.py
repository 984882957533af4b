"""Whatever reads transcripts leaves a private conversation alone, of whose words it keeps something otherwise."""

import json
import os
import time
from pathlib import Path

import pytest

from limpet.ground.clock import iso
from limpet.work.continuation import Continuation
from limpet.work.continuation_store import write_continuation
from limpet.work.conversation import Private, read_private, write_private

from ..conversation import write
from ..memories import configure, until
from ..places import private_path

WORDS = "Let's go with the zanzibar branch for all deployments"


def said(role, text, number, prompt=""):
    """A line of a transcript."""
    content = text if role == "user" else [{"type": "text", "text": text}]
    line = {"type": role, "message": {"role": role, "content": content, "model": "m"}, "uuid": f"u{number}"}
    named = {"promptId": prompt} if prompt else {}
    return json.dumps({**line, **named, "timestamp": f"2026-11-21T12:00:{number:02}.000Z", "isSidechain": False}) + "\n"


@pytest.fixture(params=[False, True], ids=["open", "private"])
def talk(request, host, tmp_path):
    """A conversation in which something was decided, and whether it became private since."""
    configure(host.workspace)
    path = str(tmp_path / "transcripts" / "s.jsonl")
    told = said("assistant", "Next, I will rename the zanzibar branch.", 2)
    write(path, said("user", "hello", 0) + said("user", f"{WORDS}.", 1, "p1") + told)
    host.prompt("hello", transcript_path=path)
    if request.param:
        write_private("s", Private(since="2026-11-21T12:00:00Z", prompts=("p1",)))
    host.path, host.private = path, request.param
    return host


def found(host, *folders, word="zanzibar"):
    """Whether the word stands in a file below these private folders of the project."""
    walks = (os.walk(private_path(host.workspace, each)) for each in folders)
    paths = [Path(top, name) for walk in walks for top, _, names in walk for name in names]
    return any(word in text_of(path) for path in paths)


def text_of(path):
    """The file's text, "" for a draft that its writer gave its name meanwhile."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""


def test_before_a_compaction(talk):
    """The hook starts neither capture nor continuation once the pause is over, and what was begun reads nothing."""
    if talk.private:
        write_private("s", Private(since="2026-11-21T12:00:00Z", until="2026-11-21T13:00:00Z"))
    talk.send("PreCompact", trigger="manual", transcript_path=talk.path)
    assert found(talk, "memories", "continuation", "notes") is not talk.private


def test_the_next_start_catches_up_with_what_ended_unnoticed(talk):
    """A client that was killed; another conversation is caught up with all the same."""
    other = os.path.join(os.path.dirname(talk.path), "other.jsonl")
    write(other, said("user", "hello", 2) + said("user", "Let's go with PostgreSQL for the job queue.", 3, "p9"))
    talk.prompt("hello", session_id="other", transcript_path=other)
    for path in (talk.path, other):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    talk.send("SessionStart", source="startup", session_id="new")
    assert until(lambda: found(talk, "memories", word="PostgreSQL"))
    assert until(lambda: found(talk, "memories") is not talk.private)


def test_a_search_of_past_conversations(talk, run):
    assert ("rename the" in run("memory", "search", "zanzibar", "--sessions").stdout) is not talk.private


def test_an_exit_from_the_command_line(talk, run):
    """``limpet work exit`` lifts the lock and captures nothing."""
    run("resume")
    assert run("work", "exit").returncode == 0
    assert found(talk, "memories", "notes") is not talk.private


def test_a_fresh_conversation_that_goes_on_from_it(talk, run):
    """``limpet resume --spawn`` is refused, for there is nothing to go on from."""
    done = run("resume", "--spawn", "--print")
    assert (done.returncode == 0) is not talk.private
    assert found(talk, "continuation") is not talk.private
    assert not talk.private or "private" in done.stderr


def test_a_copy_of_it_is_known_by_its_prompts(talk):
    """A fork brings the words along under another id."""
    copy = os.path.join(os.path.dirname(talk.path), "fork.jsonl")
    with open(talk.path, encoding="utf-8") as file:
        write(copy, file.read())
    talk.prompt("hello", session_id="fork", transcript_path=copy)
    talk.send("PreCompact", trigger="manual", session_id="fork", transcript_path=copy)
    assert found(talk, "memories", "continuation", "notes") is not talk.private


def test_its_title(talk, run):
    """A private conversation has none in the list."""
    (one,) = [each for each in json.loads(run("sessions", "--json").stdout) if each["id"] == "s"]
    assert bool(one["title"]) is not talk.private


def test_a_conversation_that_takes_over(talk):
    """What a conversation left behind in CRITICAL is not told, once it is private."""
    state = Path(private_path(talk.workspace, "sessions", "s.json"))
    state.write_text(json.dumps({**json.loads(state.read_text()), "bracket": "CRITICAL"}))
    write_continuation(talk.workspace, Continuation(at=iso(time.time()), session="s", requests=(WORDS,)))
    block = talk.send("SessionStart", source="startup", session_id="new").text
    assert ("zanzibar" in block) is not talk.private


@pytest.mark.parametrize("how", ["command", "prompt"])
def test_what_was_said_before_the_pause_is_kept(host, tmp_path, run, how):
    """Of the same turn too; of the prompt that pauses nothing is, though the transcript holds it."""
    configure(host.workspace)
    path = str(tmp_path / "transcripts" / "s.jsonl")
    before = said("user", "hello", 0) + said("user", f"{WORDS}.", 1, "p1")
    write(path, before)
    host.prompt("hello", transcript_path=path)
    if how == "command":
        assert run("pause", "--session", "s", "--yes", cwd=host.workspace.root).returncode == 0
    else:
        pausing = "*private from now on we always use quux"
        write(path, before + said("user", pausing, 2, "p2"))
        host.prompt(pausing, transcript_path=path, prompt_id="p2")
    assert read_private("s").paused
    assert found(host, "memories") and not found(host, "memories", "candidates", word="quux")
