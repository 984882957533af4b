"""A client at which nobody sits gets rules, teaches nothing and uses up nothing that is a person's (decision 65)."""

import json
import os

import pytest

from limpet.engine.person import YES
from limpet.work.session import NESTED, UNATTENDED

from ..commands import run_command
from ..conftest import write_settings
from ..conversation import write
from ..hook_host import state
from ..memories import configure
from ..places import private_path
from .test_candidates import asked, leave, some
from .test_capture import Transcript, compact

SCRIPT = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"}
WISH = "Always answer with a single line, never use markdown."


def env(**more):
    return {"env": {**os.environ, **more}}


@pytest.fixture
def path(workspace):
    """A transcript long enough that a turn is looked through."""
    place = os.path.join(os.path.dirname(workspace.root), "talk.jsonl")
    line = {"type": "user", "message": {"role": "user", "content": f"{WISH} {'x' * 3000}"}, "uuid": "u1"}
    write(place, json.dumps({**line, "promptSource": "sdk", "entrypoint": "sdk-cli"}) + "\n")
    return place


@pytest.fixture
def jobs(monkeypatch):
    """The names of the jobs that the hook starts, which are not run."""
    begun = []
    for module in ("turn", "capture"):
        monkeypatch.setattr(f"limpet.engine.steps.{module}.start_job", lambda _, job, orders: begun.append(job))
    return begun


def live(host, path, **around):
    """A conversation from its start to its end."""
    answer = host.send("SessionStart", source="startup", process=env(**around))
    host.prompt(WISH, process=env(**around))
    failed = {"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_use_id": "t", "error": "Exit code 1"}
    for event, payload in (("PostToolUseFailure", failed), ("Stop", {}), ("SessionEnd", {"reason": "other"})):
        host.send(event, transcript_path=path, process=env(**around), **payload)
    return answer


def test_it_is_answered_and_teaches_nothing(host, path, jobs):
    """No capture, no gotcha, no continuation; the state says by what it came."""
    text = live(host, path, **SCRIPT).text
    assert "Read first." in text and "<record>" not in text
    assert jobs == []
    assert state(host.workspace)[UNATTENDED] == "sdk-cli"


def test_the_same_at_which_somebody_sits_does(host, path, jobs):
    assert "<record>" in live(host, path, CLAUDE_CODE_ENTRYPOINT="cli", CLAUDE_CODE_SESSION_ATTENDED="1").text
    assert {"failure", "capture"} <= {*jobs} and UNATTENDED not in state(host.workspace)


def test_a_person_may_type_over_a_program_that_the_settings_name(host, path, jobs):
    """Then commands act, and what is said is captured."""
    write_settings(host.workspace, "hosts: {attended: [sdk-cli]}\n")
    live(host, path, **SCRIPT)
    host.prompt("*mode ask", process=env(**SCRIPT))
    assert "capture" in jobs and state(host.workspace)["permission"] == "ask"


def test_no_setting_makes_a_client_that_an_agent_started_a_persons(host):
    write_settings(host.workspace, "hosts: {attended: [sdk-cli, cli]}\n")
    answer = host.prompt("*mode ask", process=env(**SCRIPT, CLAUDE_CODE_EXECPATH="/opt/claude"))
    assert "did not act on *mode" in answer.text and state(host.workspace)[UNATTENDED] == NESTED


def test_a_client_that_an_agent_started_is_known_by_its_start(host, path, jobs, below_claude):
    """Where the client's own variables were taken away; a prompt that is no command does not look."""
    host.send("SessionStart", source="startup", process={"prefix": (*below_claude, *below_claude)})
    host.prompt(WISH)
    assert state(host.workspace)[UNATTENDED] == NESTED
    host.send("Stop", transcript_path=path)
    assert jobs == []
    host.send("SessionStart", source="resume")
    assert UNATTENDED not in state(host.workspace)


def test_it_is_not_asked_for_what_others_left(host):
    """Which the next person is."""
    configure(host.workspace)
    leave(host, *some(1, session="other"))
    assert asked(host.prompt(session_id="script", process=env(**SCRIPT))) == []
    assert asked(host.prompt(session_id="person")) == ["k7q0"]


def test_a_person_who_goes_on_with_it_is_heard_again(host, path, jobs):
    """Each prompt tells."""
    host.prompt("go on", process=env(**SCRIPT))
    host.prompt("*mode ask")
    assert UNATTENDED not in state(host.workspace) and state(host.workspace)["permission"] == "ask"
    host.send("Stop", transcript_path=path)
    assert jobs == ["capture"]


def says(talk, text, **fields):
    """A line of the transcript in the user's name, with what the client notes of its origin."""
    talk.user(text)
    with open(talk.path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    last = json.dumps({**json.loads(lines[-1]), **fields})
    write(talk.path, "\n".join([*lines[:-1], last]) + "\n")


def test_of_a_conversation_that_a_script_was_in_too_the_persons_words_are_kept(host, workspace, memories):
    """Each line tells; what no line tells of, the hook saw come."""
    talk = Transcript(workspace)
    says(talk, "Hello.", promptSource="typed", entrypoint="cli")
    says(talk, "Always use pnpm, never npm.", promptSource="typed", entrypoint="cli")
    says(talk, "Always write tests in Rust.", promptSource="sdk", entrypoint="sdk-cli")
    says(talk, "Always deploy on Fridays.", turnOrigin="scheduled")
    says(talk, "Always answer in verse.")
    host.prompt("Always answer in verse.", process=env(**SCRIPT))
    host.prompt("Hello.")
    compact(host, talk)
    kept = str([entry.title for entry in memories.entries()])
    assert "pnpm" in kept
    assert not [word for word in ("Rust", "Fridays", "verse") if word in kept]


def test_what_is_said_of_the_word_names_the_origin(host):
    """Once, to whoever reads it."""
    answer = host.prompt(f"{YES} abcde", process=env(**SCRIPT))
    message = json.loads(answer.out)["systemMessage"]
    assert message.count("no person typed this prompt, it came from a script") == 1


def test_the_doctor_says_where_nothing_is_learned(host, workspace):
    """With the setting for a person who types there."""
    host.prompt("go on", process=env(**SCRIPT))
    checks = json.loads(run_command(("doctor", "--json"), workspace.root, os.environ).stdout)
    (line,) = [each for each in checks if "no person types" in each["what"]]
    assert line["what"].endswith("by sdk-cli") and "hosts.attended" in str(line)
    assert os.path.exists(private_path(workspace, "sessions", "s.json"))
