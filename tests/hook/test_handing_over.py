"""An agent that works on after a hand-over in mid-turn: all that comes then knows who works now."""

import os
import time

import pytest

from limpet.engine import worker
from limpet.ground.clock import iso
from limpet.ground.text.tokens import estimate_tokens
from limpet.operations.commit import commit
from limpet.operations.work.handoffs import Content, hand_over
from limpet.work.session import change_session

from ..finishing import finish_step
from ..hook_host import notes, state
from ..memories import configure, fill, remembered, until
from ..operations.callers import PERSON, opened
from ..places import private_path
from ..project_session import update_project
from .test_capture import Transcript, compact

FINISH = "limpet work finish -"
# When the newest prompt was.
WHEN = ("role_at", "last_activity")


@pytest.fixture
def handed(host, memories, run):
    """A turn of ``solo`` that began as brief; work is handed to architect within it."""
    assert run("work", "start", "solo", "--name", "Harbour").returncode == 0
    assert host.send("SessionStart", source="startup").block["agent"]["name"] == "brief"
    host.prompt("Carry on until it is finished.")

    def hand(at):
        project = opened(host.workspace, PERSON.replace(now=at))
        hand_over(project, "brief", "architect", Content(summary="The clerks type orders.", met=("It is so",)))
        agents = {"brief": {"status": "completed"}, "architect": {"status": "in_progress"}}
        commit(project, lambda session: _moved(agents))

    return hand


def _moved(agents):
    from limpet.work.pipeline.state import Move

    return Move({("agents", name): record for name, record in agents.items()} | {"current_agent": "architect"})


def test_after_a_compaction_in_mid_turn_the_role_is_the_new_one(host, handed, memories):
    """Role, mission, limits, criteria, path, the form's head and the one command: in the file and in the block."""
    handed(4_000_000_000.0)
    talk = Transcript(host.workspace)
    talk.user("Carry on until it is finished.")
    talk.model("The brief is done.")
    compact(host, talk)
    answer = host.send("SessionStart", source="compact", transcript_path=talk.path)
    block = answer.block
    with open(private_path(host.workspace, "continuation", "s.md"), encoding="utf-8") as file:
        kept = file.read()
    assert block["agent"]["name"] == "architect"
    assert "You are now architect: Decide how it is built" in kept and "You are now brief" not in kept
    assert "Mode planning: write only documents and .limpet/." in kept
    for text in (kept, answer.text):
        assert text.count("Decide how it is built") == 1
        assert "Write specs/harbour-" in text and "architecture.md" in text
        assert text.count("Every need of the brief has its place in the design") == 1
        assert "from_agent: architect; run: " in text and FINISH in text
        assert "limpet resume --spawn" not in text
    assert estimate_tokens("\n".join(block["continuation"])) <= 700


@pytest.mark.parametrize(("spawn", "times"), [("off", 0), ("on", 1)])
def test_who_took_over_here_goes_on_here(host, handed, monkeypatch, spawn, times):
    """Unless the user has fresh conversations started (chati.dev V7.1, Spawn Decision Criteria)."""
    started = []
    monkeypatch.setattr(worker, "start_module", lambda *words: started.append(words))
    configure(host.workspace, f'recovery: {{spawn: "{spawn}"}}')
    handed(4_000_000_000.0)
    change_session(host.workspace, "s", {"last_activity": "2026-01-01T00:00:00Z"})
    update_project(host.workspace, {"language": "en"})
    found = [note for note in notes(host.prompt("And now?")) if "a handoff is pending" in note]
    assert len(found) == len(started) == times
    assert all(note.startswith("a new conversation is starting to continue this work") for note in found)


def test_work_that_came_back_waits_for_nobody(host, run):
    """What its agent handed over before is no reason for a fresh conversation."""
    assert run("work", "start", "solo").returncode == 0
    host.prompt("Begin.")
    finish_step(opened(host.workspace, PERSON))
    assert run("work", "back", "brief", "--reason", "F-1: one need is missing").returncode == 0
    answer = host.prompt("Go on.")
    assert "mend what came back" in answer.block["next"]
    assert not any("a handoff is pending" in note for note in notes(answer))


def test_a_hand_over_that_nobody_took_is_told_once(host, run):
    assert run("work", "start", "solo").returncode == 0
    project = opened(host.workspace, PERSON)
    hand_over(project, "brief", "architect", Content(summary="The clerks type orders.", met=("It is so",)))
    told = [note for _ in range(3) for note in notes(host.prompt("And now?")) if "a handoff is pending" in note]
    assert len(told) == 1 and "`limpet resume`" in told[0]


def test_it_is_none_where_the_conversation_began_after_it(host, handed):
    """Nor once the agent went on here."""
    handed(1_000_000_000.0)
    host.send("SessionStart", source="startup", session_id="new")
    for session in ("s", "new"):
        assert not any("a handoff is pending" in note for note in notes(host.prompt("And now?", session_id=session)))


def test_resumed_in_critical_the_block_points_to_a_file_that_is_there(host, memories):
    """It is written first."""
    configure(host.workspace)
    memories.add("The staging database is reset every night", "At three.")
    host.send("SessionStart", source="startup")
    host.prompt("How is it going?")
    path = private_path(host.workspace, "continuation", "s.md")
    assert not os.path.exists(path)
    answer = host.send("SessionStart", source="resume", transcript_path=fill(host.workspace, "CRITICAL"))
    assert state(host.workspace)["bracket"] == "CRITICAL"
    assert os.path.isfile(path)
    assert remembered(answer) == ["work and memories in full: limpet resume --full s"]


def test_the_first_critical_prompt_points_nowhere(host, memories):
    """The file is written behind it; the next one points to it."""
    memories.add("The staging database is reset every night", "At three.")
    host.send("SessionStart", source="startup")
    full = fill(host.workspace, "CRITICAL")
    assert remembered(host.prompt("And now?", transcript_path=full)) == []
    assert until(lambda: os.path.isfile(private_path(host.workspace, "continuation", "s.md")))
    told = remembered(host.prompt("And then?", transcript_path=full))
    assert told == ["work and memories in full: limpet resume --full s"]


def test_another_role_is_told_in_one_short_line(host, run):
    """Once, in words for people: the next prompt says nothing of it."""
    assert run("work", "start", "solo").returncode == 0
    host.prompt("Begin.")
    finish_step(opened(host.workspace, PERSON.replace(now=4_000_000_000.0)))
    told = host.prompt("Go on.").shown
    assert [line for line in told if "at work now" in line] == ["Limpet: architect is at work now."]
    assert "at work now" not in "\n".join(host.prompt("And on.").shown)
    assert run("work", "stop").returncode == 0
    assert "Limpet: no role is at work now." in host.prompt("Enough.").shown


def test_a_role_that_no_command_set_is_told_as_that(host, run):
    """Somebody wrote it into the state."""
    assert run("work", "start", "solo").returncode == 0
    host.prompt("Begin.")
    update_project(host.workspace, {"current_agent": "architect"})
    told = [line for line in host.prompt("Go on.").shown if "at work now" in line]
    assert told == [
        "Limpet: architect is at work now. No command of Limpet's did that. To see what did, run limpet log."
    ]


def test_a_compaction_between_the_end_of_a_step_and_the_next_prompt_hides_no_cause(host, run):
    """The prompt was two hours ago, the end of the step one."""
    assert run("work", "start", "solo").returncode == 0
    host.prompt("Begin.")
    now = time.time()
    change_session(host.workspace, "s", dict.fromkeys(WHEN, iso(now - 7200)))
    finish_step(opened(host.workspace, PERSON.replace(now=now - 3600)))
    host.send("SessionStart", source="compact")
    told = "\n".join(host.prompt("Go on.").shown)
    assert "Limpet: architect is at work now." in told and "No command of Limpet's" not in told
