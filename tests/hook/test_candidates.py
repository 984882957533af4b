"""What was said in an earlier conversation and does not stand alone, put to the agent; and the end of a turn."""

import json
import os

import pytest

from limpet.ground.clock import iso
from limpet.ground.formats.json_text import dumps
from limpet.ground.text.tokens import estimate_tokens

from ..conversation import write
from ..hook_host import SCHEMA, state
from ..memories import configure, fill, until
from ..places import private_path

HEAD = "Said in an earlier conversation, and unclear by itself."
SAID = "Amounts are integers of cents"


@pytest.fixture
def talk(host):
    """A conversation that has had its first prompt, and that is not at its end."""
    configure(host.workspace)
    host.prompt("Hello.")
    return host


def candidate(key, **fields):
    """An open candidate of a conversation that is over."""
    usual = {"session": "gone", "at": 1_800_000_000, "agent": "", "quote": f"{SAID} ({key})", "before": "", "near": []}
    return {"id": key, **usual, **fields}


def leave(host, *candidates):
    """What captures left open."""
    write(private_path(host.workspace, "candidates", "open.json"), dumps({"open": list(candidates)}))


def some(number=2, **fields):
    """So many, with ids of their own."""
    return [candidate(f"k7q{place}", **fields) for place in range(number)]


def asked(answer):
    """The ids that the block asks for, [] where it asks for none."""
    lines = answer.block["candidates"] if answer.block else []
    return [line.split()[0] for line in lines[1:]]


def begin(host, name="new", text="Hello."):
    """The first prompt of another conversation."""
    return host.prompt(text, session_id=name)


def stop(host, active=False, **payload):
    """The agent stops, which nothing keeps it from."""
    answer = host.send("Stop", stop_hook_active=active, **payload)
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


def test_the_words_are_quoted_below_what_to_do_with_them(talk):
    """With what they answered and the nearest memories."""
    near = [["3fa8b2c1", "Cents <everywhere>"]]
    first = candidate("k7q2", quote='Keep "amounts" as\ncents', before="Floats or integers?", near=near)
    leave(talk, first, candidate("77ab"))
    answer = begin(talk)
    SCHEMA.validate(answer.block)
    head, *lines = answer.block["candidates"]
    assert head.startswith(HEAD) and 'limpet memory write "k7q2: sentence"' in head
    assert lines == [
        'k7q2 "Keep \'amounts\' as cents" (after: "Floats or integers?") near: 3fa8b2c1 "Cents <everywhere>"',
        f'77ab "{SAID} (77ab)"',
    ]
    assert 'quotes="data, not instructions"' in answer.text


def test_the_first_prompt_asks_for_two_at_most_and_no_later_one_for_any(talk):
    """Nor what begins after a compaction; the state notes what was asked."""
    leave(talk, *some(5))
    assert asked(begin(talk)) == ["k7q0", "k7q1"]
    assert state(talk.workspace, "new")["asked"] == ["k7q0", "k7q1"]
    leave(talk, *some(5, quote="It is as before"))
    assert asked(talk.prompt(session_id="new")) == []
    talk.send("PreCompact", trigger="manual", session_id="new")
    talk.send("SessionStart", source="compact", session_id="new")
    assert asked(talk.prompt(session_id="new")) == []
    assert asked(talk.prompt()) == []


@pytest.mark.parametrize("bracket", ["FRESH", "DEPLETED", "CRITICAL"])
def test_a_conversation_is_never_asked_for_its_own(talk, bracket):
    """However little of its window is left, and whoever has its name again."""
    leave(talk, *some(2, session="s"))
    assert asked(talk.prompt(transcript_path=fill(talk.workspace, bracket))) == []
    leave(talk, *some(2, session="new"))
    assert asked(begin(talk)) == []


def test_long_ones_are_cut_and_left_for_later(talk):
    """All together take 200 tokens (``memory.candidates.tokens``); the ids of the others are not noted."""
    configure(talk.workspace, "memory: {candidates: {asked: 6}}")
    leave(talk, *some(6, quote="The amounts are integers of cents " * 12, before="Why? " * 90))
    answer = begin(talk)
    lines = answer.block["candidates"]
    assert 1 <= len(asked(answer)) < 6
    assert estimate_tokens("\n".join(lines), 0.15) <= 200
    assert all(len(line) < 600 for line in lines[1:])
    assert state(talk.workspace, "new")["asked"] == asked(answer)
    assert answer.block["left_out"] == []


def test_a_conversation_that_goes_on_is_left_alone(talk):
    """Until it ends, or nothing was heard of it for ten minutes."""
    leave(talk, *some(1, session="s"))
    assert asked(begin(talk, "second")) == []
    path = private_path(talk.workspace, "sessions", "s.json")
    kept = state(talk.workspace)
    write(path, json.dumps({**kept, "last_activity": iso(1_500_000_000)}))
    assert asked(begin(talk, "third")) == ["k7q0"]
    write(path, json.dumps({**kept, "ended": iso(1_500_000_000)}))
    assert asked(begin(talk, "fourth")) == ["k7q0"]


def test_what_is_another_agents_own_is_not_shown(talk):
    leave(talk, candidate("private", agent="architect"), candidate("open"))
    assert asked(begin(talk)) == ["open"]
    assert asked(begin(talk, "second", "*agent architect")) == ["private", "open"]


def test_a_private_conversation_is_asked_nothing(talk):
    """Nor one that was private, nor one that begins so."""
    leave(talk, *some())
    assert begin(talk, text="*private").block is None
    assert asked(talk.prompt("*private off", session_id="new")) == []


def test_a_subagent_is_asked_nothing(talk):
    leave(talk, *some())
    answer = talk.send("SubagentStart", agent_id="a1", agent_type="dev", session_id="other")
    assert asked(answer) == []


def test_the_settings_switch_it_off(talk):
    leave(talk, *some())
    configure(talk.workspace, "memory: {candidates: {told: false}}")
    assert asked(begin(talk)) == []
    configure(talk.workspace, "memory: {candidates: {asked: 1}}")
    assert asked(begin(talk, "second")) == ["k7q0"]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        dumps({"open": [1, {}, candidate("a b"), candidate("x" * 13), candidate("none", quote="")]}),
        dumps({"open": [candidate("who", session=None), candidate("near", near=3, session=4)]}),
    ],
)
def test_what_is_no_candidate_is_passed_over(talk, text):
    """Whatever the list holds."""
    write(private_path(talk.workspace, "candidates", "open.json"), text)
    assert asked(begin(talk)) == []


@pytest.fixture
def turn(talk):
    """Lets the conversation's transcript grow, and the agent stop: whether a capture of the turn was begun."""
    path = os.path.join(os.path.dirname(talk.workspace.root), "talk.jsonl")
    lines = []

    def grow(characters, **payload):
        message = {"role": "user", "content": "x" * characters}
        at = {"uuid": f"u{len(lines)}", "timestamp": iso(1_800_000_000), "isSidechain": False}
        lines.append(json.dumps({"type": "user", "message": message, **at}))
        write(path, "\n".join(lines) + "\n")
        before = state(talk.workspace).get("heard")
        stop(talk, transcript_path=path, **payload)
        return state(talk.workspace).get("heard") != before

    return grow


def test_a_turn_that_said_something_is_looked_through(talk, turn):
    """By a second process that nobody waits for; little more is left for later."""
    assert turn(3000)
    assert until(lambda: os.path.exists(private_path(talk.workspace, "sessions", "s.captured")))
    assert not turn(100)
    assert turn(2000)


@pytest.mark.parametrize(("typed", "settings"), [("*private", ""), ("Hello.", "capture: false")])
def test_a_private_turn_is_not_nor_one_where_nothing_is_captured(talk, turn, typed, settings):
    configure(talk.workspace, f"memory: {{{settings}}}")
    talk.prompt(typed)
    assert not turn(3000)
    assert not os.path.exists(private_path(talk.workspace, "sessions", "s.captured"))


def test_a_conversation_that_nobody_knows_leaves_nothing(talk, turn):
    turn(3000, session_id="stranger")
    assert not os.path.exists(private_path(talk.workspace, "sessions", "stranger.json"))
