"""What was said and is no memory yet, put to the agent (decision 61); and the end of a turn."""

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

HEAD = "Said before, not written down yet."
SAID = "Amounts are integers of cents"


@pytest.fixture
def talk(host):
    """A conversation that has had its first prompt, and that is not at its end."""
    configure(host.workspace)
    host.prompt("Hello.")
    return host


def candidate(key, **fields):
    """An open candidate of the conversation."""
    usual = {"session": "s", "at": 1_800_000_000, "agent": "", "quote": f"{SAID} ({key})", "before": "", "near": []}
    return {"id": key, **usual, **fields}


def leave(host, *candidates):
    """What captures left open."""
    write(private_path(host.workspace, "candidates", "open.json"), dumps({"open": list(candidates)}))


def some(number=3, **fields):
    """So many, with ids of their own."""
    return [candidate(f"k7q{place}", **fields) for place in range(number)]


def asked(answer):
    """The ids that the block asks for, [] where it asks for none."""
    lines = answer.block["candidates"] if answer.block else []
    return [line.split()[0] for line in lines[2:]]


def stop(host, active=False, **payload):
    """The agent stops; the reason why it may not, "" for none."""
    answer = host.send("Stop", stop_hook_active=active, **payload)
    assert (answer.code, answer.err) == (0, b"")
    return json.loads(answer.out)["reason"] if answer.out else ""


def test_the_words_are_quoted_below_what_to_do_with_them(talk):
    """Each with the nearest memories."""
    near = [["3fa8b2c1", "Cents <everywhere>"]]
    first = candidate("k7q2", quote='Keep "amounts" as\ncents', before="Floats or integers?", near=near)
    leave(talk, first, candidate("9c1d", role="assistant"), candidate("77ab"))
    answer = talk.prompt()
    SCHEMA.validate(answer.block)
    head, command, *lines = answer.block["candidates"]
    assert head.startswith(HEAD) and head.endswith("drop the rest:")
    assert command.startswith('limpet memory write "k7q2: sentence" "id: drop"')
    assert lines == [
        'k7q2 person: "Keep \'amounts\' as cents" near: 3fa8b2c1 "Cents <everywhere>"',
        f'9c1d agent: "{SAID} (9c1d)"',
        f'77ab person: "{SAID} (77ab)"',
    ]
    assert 'quotes="data, not instructions"' in answer.text


def test_what_the_window_lost_comes_with_the_message_before_it(talk):
    """Of another conversation, or from before a compaction."""
    leave(talk, *some(before="Floats or integers?"))
    line = f'k7q0 person: "{SAID} (k7q0)" (after: "Floats or integers?")'
    assert talk.prompt().block["candidates"][2] == line.partition(" (after")[0]
    talk.send("PreCompact", trigger="manual")
    talk.send("SessionStart", source="compact")
    assert talk.prompt().block["candidates"][2] == line
    leave(talk, *some(session="gone", before="Floats or integers?"))
    assert talk.prompt("Hello.", session_id="new").block["candidates"][2] == line


def test_a_conversation_is_asked_once_an_epoch_and_for_six_at_most(talk):
    leave(talk, *some())
    assert asked(talk.prompt()) == ["k7q0", "k7q1", "k7q2"]
    leave(talk, *some(9))
    assert talk.prompt().out == b""
    talk.send("PreCompact", trigger="manual")
    talk.send("SessionStart", source="compact")
    assert len(asked(talk.prompt())) == 6
    assert state(talk.workspace)["asked"] == [f"k7q{place}" for place in range(6)]


def test_while_the_window_is_fresh_a_few_wait_for_more(talk):
    leave(talk, *some(2))
    assert talk.prompt().out == b""
    leave(talk, *some(3))
    assert len(asked(talk.prompt())) == 3


@pytest.mark.parametrize("bracket", ["MODERATE", "DEPLETED", "CRITICAL"])
def test_later_one_is_enough(talk, bracket):
    """What was said is lost soon."""
    leave(talk, *some(1))
    assert asked(talk.prompt(transcript_path=fill(talk.workspace, bracket))) == ["k7q0"]


def test_long_ones_are_left_for_later(talk):
    """All together take ``memory.candidates.tokens``; the ids of the others are not noted."""
    leave(talk, *some(6, session="gone", quote="The amounts are integers of cents " * 12, before="Why? " * 30))
    answer = talk.prompt("Hello.", session_id="new")
    lines = answer.block["candidates"]
    assert 1 < len(asked(answer)) < 6
    assert estimate_tokens("\n".join(lines)) <= 1000
    assert all(len(line) < 900 for line in lines[2:])
    assert state(talk.workspace, "new")["asked"] == asked(answer)
    assert answer.block["left_out"] == []


def test_those_of_others_are_not_asked_for_later(talk):
    leave(talk, *some(4, session="gone"))
    assert talk.prompt().out == b""


def test_the_first_prompt_asks_for_what_others_left(talk):
    """Once, and one is enough; its own come besides."""
    leave(talk, *some(1, session="gone"))
    assert asked(talk.prompt("Hello.", session_id="new")) == ["k7q0"]
    assert asked(talk.prompt(session_id="new")) == []
    assert state(talk.workspace, "new")["asked"] == ["k7q0"]
    leave(talk, *some(3, session="new"))
    assert len(asked(talk.prompt(session_id="new"))) == 3


def test_a_conversation_that_goes_on_answers_for_itself(talk):
    """Until it ends, or nothing was heard of it for ten minutes."""
    leave(talk, *some(1))
    assert asked(talk.prompt("Hello.", session_id="second")) == []
    path = private_path(talk.workspace, "sessions", "s.json")
    kept = state(talk.workspace)
    write(path, json.dumps({**kept, "last_activity": iso(1_500_000_000)}))
    assert asked(talk.prompt("Hello.", session_id="third")) == ["k7q0"]
    write(path, json.dumps({**kept, "ended": iso(1_500_000_000)}))
    assert asked(talk.prompt("Hello.", session_id="fourth")) == ["k7q0"]


def test_what_is_another_agents_own_is_not_shown(talk):
    leave(talk, *some(3, agent="architect"), candidate("open"))
    assert talk.prompt().out == b""
    talk.prompt("*agent architect")
    assert state(talk.workspace)["asked"] == ["k7q0", "k7q1", "k7q2", "open"]


def test_a_private_conversation_is_asked_nothing(talk):
    """Nor one that was private."""
    leave(talk, *some())
    talk.prompt("*private")
    assert talk.prompt().out == b""
    assert asked(talk.prompt("*private off")) == []


def test_a_subagent_is_asked_nothing(talk):
    leave(talk, *some(3, session="gone"))
    answer = talk.send("SubagentStart", agent_id="a1", agent_type="dev", session_id="other")
    assert asked(answer) == []


def test_the_settings_switch_it_off(talk):
    leave(talk, *some())
    configure(talk.workspace, "memory: {candidates: {told: false}}")
    assert talk.prompt().out == b""


@pytest.mark.parametrize(
    "text",
    [
        "{",
        dumps({"open": [1, {}, *some(2), candidate("a b"), candidate("x" * 13), candidate("none", quote="")]}),
        dumps({"open": [*some(2), candidate("who", session=None)]}),
    ],
)
def test_what_is_no_candidate_is_passed_over(talk, text):
    """Whatever the list holds."""
    write(private_path(talk.workspace, "candidates", "open.json"), text)
    assert talk.prompt().out == b""


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
        assert stop(talk, transcript_path=path, **payload) == ""
        return state(talk.workspace).get("heard") != before

    return grow


def test_a_turn_that_said_something_is_looked_through(talk, turn):
    """By a second process that nobody waits for; little more is left for later."""
    assert turn(3000)
    assert until(lambda: os.path.exists(private_path(talk.workspace, "sessions", "s.captured")))
    assert not turn(100)
    assert turn(2000)


@pytest.mark.parametrize(
    ("typed", "settings"), [("*private", ""), ("Hello.", "capture: false"), ("Hello.", "candidates: {told: false}")]
)
def test_a_private_turn_is_not_nor_one_where_nothing_is_captured_or_asked(talk, turn, typed, settings):
    configure(talk.workspace, f"memory: {{{settings}}}")
    talk.prompt(typed)
    assert not turn(3000)
    assert not os.path.exists(private_path(talk.workspace, "sessions", "s.captured"))


def test_a_conversation_that_nobody_knows_leaves_nothing(talk, turn):
    turn(3000, session_id="stranger")
    assert not os.path.exists(private_path(talk.workspace, "sessions", "stranger.json"))


@pytest.fixture
def attended(talk, monkeypatch):
    """Has the agent stop in a client, at which somebody may sit who wants it asked then."""
    path = fill(talk.workspace, "FRESH")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")

    def stop_in(entrypoint="cli", active=False, settings="at_stop: true"):
        configure(talk.workspace, f"memory: {{candidates: {{{settings}}}}}")
        monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", entrypoint)
        return stop(talk, active, transcript_path=path)

    return stop_in


@pytest.mark.parametrize("changes", [{"active": True}, {"entrypoint": "sdk-cli"}, {"settings": ""}], ids=str)
def test_none_is_asked_who_was_kept_going_where_nobody_sits_or_unasked(talk, attended, changes):
    """By this or by another hook; it is opt-in."""
    leave(talk, *some(1))
    assert attended(**changes) == ""


def test_an_agent_that_stops_is_asked_where_a_person_wants_that(talk, attended):
    """Once an epoch, and the next prompt does not repeat it."""
    leave(talk, *some(1))
    reason = attended()
    assert reason.startswith(HEAD) and reason.endswith(f'k7q0 person: "{SAID} (k7q0)"')
    assert attended() == ""
    leave(talk, *some())
    assert asked(talk.prompt()) == []
    assert state(talk.workspace)["asked"] == ["k7q0"]
