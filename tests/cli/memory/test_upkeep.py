"""``limpet memory write``, and the words that a search finds before anybody wrote them down."""

import json

import pytest

from limpet.memory.candidates import Candidate, save, write_open

SENTENCE = "The job queue of the shop is in PostgreSQL."
ONE = Candidate(id="queue0", at=1_795_000_000.0, session="of-dev", type="decision", quote="Let's take PostgreSQL.")
OWN = ONE.replace(id="mend00", agent="dev", type="resolution", quote="The driver was not pinned.")
RECORD = {
    "id": "queue0",
    "entry": "",
    "session": "of-dev",
    "at": ONE.at,
    "agent": "",
    "role": "user",
    "quote": ONE.quote,
    "before": "Redis or PostgreSQL?",
    "near": [["3fa8b2c1", "The queue is in Redis"]],
}


@pytest.fixture(autouse=True)
def said(workspace):
    """Two wait for a sentence, the one an agent's own."""
    save(workspace.shared, [ONE, OWN])
    own = {**RECORD, "id": "mend00", "agent": "dev", "quote": OWN.quote, "before": "", "near": []}
    write_open(workspace.shared, [RECORD, own])


def test_bare_it_lists_what_waits(call):
    """With what it answers and what is near, each in a line."""
    assert call("memory", "write").stdout.splitlines() == [
        "Said, not yet written down:",
        'queue0 person: "Let\'s take PostgreSQL." (after: "Redis or PostgreSQL?")'
        ' near: 3fa8b2c1 "The queue is in Redis"',
        'mend00 person: "The driver was not pinned."',
        'Answer: limpet memory write "ID: SENTENCE" "ID: drop"',
    ]


def test_an_agent_answers_several_at_once(call, ask):
    """A line for each, then what is left; in the end there is nothing."""
    done = call("memory", "write", f"queue0: {SENTENCE}", agent="dev")
    first, *rest = done.stdout.splitlines()
    (hit,) = [one for one in ask("search", "job queue") if "candidate" not in one]
    assert first == f'queue0  written {hit["id"][-8:]} "{SENTENCE}"'
    assert rest[1] == 'mend00 person: "The driver was not pinned."' and done.returncode == 0
    done = call("memory", "write", "mend00: drop", "gotcha: The linter reads the parent folder.", agent="dev")
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["dropped", "written"]
    assert call("memory", "write").stdout == "Nothing waits to be written down.\n"


def test_an_unknown_id_is_told_and_the_others_count(call):
    """With exit code 1."""
    done = call("memory", "write", "zzzzzz: drop", "queue0: drop")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("zzzzzz  No open candidate with this ID: zzzzzz.") and lines[1] == "queue0  dropped"


def test_a_program_gets_the_answers_and_what_is_open(call):
    """As data."""
    done = call("memory", "write", f"queue0: {SENTENCE}", "--json", agent="dev")
    told = json.loads(done.stdout)
    assert [(each["name"], each["did"], each["title"]) for each in told["answers"]] == [("queue0", "written", SENTENCE)]
    assert [each["id"] for each in told["open"]] == ["mend00"]


def test_a_search_shows_what_was_heard_below_the_memories(call, ask, add):
    """Only where nothing narrows it to memories."""
    add("The PostgreSQL server is on port 5433.")
    lines = call("memory", "search", "postgresql").stdout.splitlines()
    assert lines[-2:] == ["Heard, not kept:", 'queue0  2026-11-18 11:06  you: "Let\'s take PostgreSQL."']
    heard = [one for one in ask("search", "postgresql") if one.get("candidate")]
    told = [(one["id"], one["quote"], one["type"], one["role"]) for one in heard]
    assert told == [("queue0", ONE.quote, "decision", "user")]
    assert not any(one.get("candidate") for one in ask("search", "postgresql", "--type", "lesson"))
    assert call("memory", "search", "zebra").stdout == 'No memories match "zebra".\n'
