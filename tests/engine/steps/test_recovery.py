"""What the hook does of recovery: the seeds' criteria become advice, and a spawn only where it is switched on."""

import pytest

from limpet.engine.event_context import EventContext
from limpet.engine.steps import capture
from limpet.work.recovery import SPAWNED
from limpet.work.session import change_session

from ...conftest import write_settings
from ...conversation import MODEL, Conversation, write_rules


@pytest.fixture
def talking(workspace):
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\n", **{"global": "GLOBAL_RULE_0=Read first.\n"})
    talking = Conversation(workspace)
    talking.start()
    return talking


@pytest.fixture
def started(monkeypatch):
    """The modules that a spawn would have started."""
    found = []
    monkeypatch.setattr("limpet.engine.worker.start_module", lambda workspace, *words: found.append(words))
    monkeypatch.setattr(EventContext, "is_real", True)
    monkeypatch.setattr(capture, "keep_before_compaction", lambda context: context)
    monkeypatch.delenv(SPAWNED, raising=False)
    return found


def compacted(talking, times):
    """The block after the last of so many compactions."""
    for _ in range(times):
        talking.send("pre_compact", source="auto")
        talking.log({"type": "mode"})
        block = talking.start("compact")
    return block


def advised(block):
    return [note for note in (block or {"notes": []})["notes"] if "`limpet resume`" in note]


def test_three_compactions_bring_advice_once(talking):
    """Multiple compactions: 3+ in a single session (chati.dev V7.1, Spawn Decision Criteria)."""
    compacted(talking, 2)
    assert advised(talking.prompt("and now")) == []
    assert "3 compactions" in "".join(advised(compacted(talking, 1)))
    assert advised(talking.prompt("and then")) == []


def test_nothing_is_spawned_unless_it_is_switched_on(talking, started):
    """Departure of decision 8: it costs money and acts without a person."""
    compacted(talking, 3)
    talking.prompt("and now")
    assert started == []


def test_where_it_is_on_one_conversation_spawns_once(talking, started, workspace):
    write_settings(workspace, "recovery: {spawn: 'on'}\n")
    compacted(talking, 3)
    talking.prompt("and now")
    talking.prompt("and then")
    assert [words[0] for words in started] == ["limpet.hosts.spawn"]


def test_while_one_is_started_the_agent_is_told_to_start_none(talking, started, workspace):
    """Else it runs the command that the advice names, and two conversations do the same work for twice the money."""
    write_settings(workspace, "recovery: {spawn: 'on'}\n")
    notes = compacted(talking, 3)["notes"]
    assert "3 compactions in this conversation" in "".join(notes) and advised({"notes": notes}) == []
    assert [note for note in notes if "do not start another" in note]
    talking.prompt("and now")
    change_session(workspace, talking.session, {"spawned": {"session": "new", "join": "claude --resume new"}})
    block = talking.prompt("and then")
    assert "a new conversation continues this work, do not start another: `claude --resume new`" in block["notes"]


def test_the_third_critical_prompt_in_a_row_brings_the_advice(talking):
    """Not the fourth; the command is whole, however long the reasons are."""
    seen = []
    for _ in range(5):
        talking.use(160_000)
        seen.append(advised(talking.prompt("and now")))
    assert seen[:2] == seen[3:] == [[], []]
    assert "3 prompts in a row in CRITICAL" in seen[2][0] and "`limpet resume`, which also locks the work" in seen[2][0]


def test_a_spawn_that_failed_is_told_and_not_tried_again(talking, started, workspace):
    write_settings(workspace, "recovery: {spawn: 'on'}\n")
    change_session(workspace, talking.session, {"spawned": {"problem": "claude: Program not found"}})
    notes = compacted(talking, 3)["notes"]
    assert any("claude: Program not found" in note for note in notes)
    talking.prompt("and now")
    assert started == []


def test_a_spawned_conversation_spawns_no_other(talking, started, workspace, monkeypatch):
    monkeypatch.setenv(SPAWNED, "parent")
    write_settings(workspace, "recovery: {spawn: 'on'}\n")
    compacted(talking, 3)
    talking.prompt("and now")
    assert started == []


def test_none_is_started_in_silence(talking, started, workspace):
    """Whatever the figures say meanwhile: the prompt that starts one is told so in its block."""
    write_settings(workspace, "recovery: {spawn: 'on', critical_streak: 2}\n")
    for number in range(5):
        talking.log({"type": "assistant", "message": {"model": MODEL, "usage": {"input_tokens": 170_000 + number}}})
        block = talking.prompt(f"and now {number}")
        told = any("is starting" in note for note in (block or {"notes": []})["notes"])
        assert bool(started) == told
        if started:
            break
    assert len(started) == 1
