"""A rule offered in the conversation in which its sentence was said again, and made by the typed word."""

import json
import os
import re

import pytest

from limpet.ground.trust.approvals import read_approvals
from limpet.hosts.surroundings import variables_of_hosts

from ..commands import run_command
from ..conversation import write_rules
from ..hook_host import POSIX, rule_lines
from ..memories import Memories, configure, fill, until
from ..places import private_path
from ..wishes import say

SAID = "Never mock the database"
OFFERED = f'Limpet: Said 5 times: make it a rule of DATA? "{SAID}" If so, type *yes '
WORD = re.compile(r"type \*yes (\w{5});")
SEEN = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}
UNSEEN = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"}
pytestmark = POSIX


@pytest.fixture
def talk(host, tmp_path, monkeypatch):
    """A client at which somebody sits, in a project with a domain for what is said of databases."""
    for name in variables_of_hosts():
        monkeypatch.delenv(name, raising=False)
    for name, value in {**SEEN, "HOME": str(tmp_path / "home")}.items():
        monkeypatch.setenv(name, value)
    configure(host.workspace)
    write_rules(host.workspace, "DATA_RECALL=database\n", data="DATA_RULE_0=Read it.\n")
    return host


@pytest.fixture
def memories(workspace):
    return Memories(workspace)


def shown(answer):
    """What the person reads of an answer."""
    return json.loads(answer.out or "{}").get("systemMessage", "")


def end_turn(host, session="c1", waits=True, **process):
    """A turn of the conversation is over, and what it said is looked through."""
    told = [{"type": "user", "message": {"role": "user", "content": f"word {n} " * 20}} for n in range(40)]
    transcript = fill(host.workspace, "FRESH", f"t-{session}", told)
    host.prompt("the database", session_id=session, transcript_path=transcript)
    host.send("Stop", session_id=session, transcript_path=transcript, process=process)
    captured = private_path(host.workspace, "sessions", f"{session}.captured")
    assert until(lambda: os.path.exists(captured))
    if waits:
        assert until(lambda: read_approvals(session, 0.0))
    return transcript


def test_what_was_said_again_is_offered_once_and_made_a_rule_by_the_typed_word(talk, memories):
    """The answer tells what became of it, the model what the word was for, and the rule comes with the next block."""
    say(memories)  # last in c1
    end_turn(talk)
    first = talk.prompt("the endpoint", session_id="c1")
    assert OFFERED in shown(first) and SAID not in first.text
    assert OFFERED not in shown(talk.prompt("the endpoint", session_id="c1"))
    (word,) = WORD.findall(shown(first))
    done = talk.prompt(f"*yes {word}", session_id="c1")
    assert f'Made a rule of DATA: "{SAID}". To undo:\nlimpet learn proposals --withdraw' in shown(done)
    assert "which was for Limpet alone" in " ".join(done.block["notes"])
    assert SAID in rule_lines(talk.prompt("the database", session_id="new"), "DATA")
    assert SAID not in [card.title for card in memories.cards()]
    assert "nothing in this conversation waits" in shown(talk.prompt(f"*yes {word}", session_id="c1"))


def test_it_is_offered_nowhere_else_and_not_again(talk, memories):
    """Neither in another conversation, nor once it was shown; another word brings it back with a new one."""
    say(memories)
    end_turn(talk)
    assert OFFERED not in shown(talk.prompt("the database", session_id="other"))
    (word,) = WORD.findall(shown(talk.prompt(session_id="c1")))
    again = shown(talk.prompt("*yes wrong", session_id="c1"))
    assert OFFERED in again and WORD.findall(again) != [word]
    end_turn(talk, "c2", waits=False)
    assert not read_approvals("c2", 0.0)


def test_headless_and_for_a_subagent_nothing_is_offered(talk, memories):
    """Nobody would read it."""
    say(memories)
    end_turn(talk)
    unseen = {**os.environ, **UNSEEN}
    assert OFFERED not in shown(talk.prompt(session_id="c1", process={"env": unseen}))
    given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}
    assert OFFERED not in shown(talk.send("PreToolUse", session_id="c1", **given))
    assert OFFERED in shown(talk.prompt(session_id="c1"))


def test_an_agent_cannot_agree(talk, memories):
    """Its word counts nowhere, and no command of its own is the act."""
    say(memories)
    end_turn(talk)
    (word,) = WORD.findall(shown(talk.prompt(session_id="c1")))
    unseen = {**os.environ, **UNSEEN}
    assert "no person typed this prompt, it came from a script" in shown(
        talk.prompt(f"*yes {word}", session_id="c1", process={"env": unseen})
    )
    given = {"tool_name": "Bash", "tool_input": {"command": "limpet"}, "tool_use_id": "t"}
    answer = json.loads(talk.send("PreToolUse", session_id="c1", **given).out or "{}")
    assert "permissionDecision" not in answer.get("hookSpecificOutput", {})
    assert SAID in [card.title for card in memories.cards()]


def test_what_the_person_decided_elsewhere_meanwhile_is_said(talk, memories):
    """The word does nothing then."""
    key = say(memories)
    end_turn(talk)
    (word,) = WORD.findall(shown(talk.prompt(session_id="c1")))
    elsewhere = {name: value for name, value in os.environ.items() if name not in SEEN}
    done = run_command(("learn", "proposals", "--approve", key, "--yes"), talk.workspace.root, elsewhere)
    assert done.returncode == 0, done.stderr
    assert "Nothing was changed: Approved already" in shown(talk.prompt(f"*yes {word}", session_id="c1"))


def test_one_with_a_command_is_left_to_the_review(talk, memories):
    """What is run is read in full before."""
    say(memories, "Run `pytest -q` before you commit.")
    end_turn(talk, waits=False)
    assert not read_approvals("c1", 0.0)
