"""Use is use (decision 20): shown, opened and confirmed are three counts, and only the latter two are accesses."""

import json
import os
import time

import pytest

from limpet.ground.clock import iso

from ..conversation import write
from ..memories import remembered
from .test_capture import Transcript, compact

NAMED = "parse_invoice keeps the cents as they came"
ASK = "Why does parse_invoice drop the sign?"


class Today(Transcript):
    """A conversation of this moment, or so many seconds ``ago``: what it does comes after what it was shown."""

    ago = 0

    def _log(self, kind, message):
        said = iso(time.time() - self.ago)
        line = {"type": kind, "uuid": f"u{next(self.numbers)}", "timestamp": said, "message": message}
        append(self.path, line)


@pytest.fixture
def today(workspace, memories):
    """The transcript of the conversation ``s``."""
    write(workspace.cached("kept"), "")  # today's maintenance is done: no second one meanwhile
    talk = Today(workspace)
    talk.user("Look at the invoices with me.")
    return talk


@pytest.fixture
def uses(run):
    """How many conversations an entry was shown in, opened in, this question included, and confirmed in."""

    def ask(key):
        done = run("memory", "show", key, "--json")
        assert done.returncode == 0, done.stderr
        return tuple(json.loads(done.stdout)["uses"].values())

    return ask


def accesses(memories, key):
    """The accesses of an entry, as the index counts them."""
    memories.tell_index()
    return next(card.accesses for card in memories.cards() if card.id == key)


def show(host, today):
    """A prompt that calls for the entry that names ``parse_invoice``."""
    host.send("SessionStart", source="fork", transcript_path=today.path)
    (line,) = remembered(host.prompt(ASK, transcript_path=today.path))
    assert NAMED in line


def test_shown_opened_and_confirmed_are_counted_apart(host, memories, today, uses):
    """Each once a conversation, whatever the times."""
    key = memories.add(NAMED)
    show(host, today)
    for _ in range(2):
        today.tool("Bash", {"command": "pytest -k parse_invoice"})
        compact(host, today)
    assert uses(key) == (1, 1, 1) == uses(key)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Edit", {"file_path": "src/billing/ledger_rows.py", "old_string": "a", "new_string": "b"}),
        ("Bash", {"command": "pytest tests -k parse_invoice"}),
    ],
)
def test_work_on_what_a_shown_entry_names_confirms_it(host, memories, today, uses, tool, given):
    """Its file or its identifier; that is an access."""
    key = memories.add(NAMED, "The rows lie in billing/ledger_rows.py.")
    show(host, today)
    today.tool(tool, given)
    compact(host, today)
    assert accesses(memories, key) == 1
    assert uses(key)[2] == 1


@pytest.mark.parametrize(
    ("said", "times"),
    [("By k7q2m9xa they stay.", 1), ("As k7q2 says, they stay.", 1), ("As k7q2m9 says.", 1), ("As k7 says.", 0)],
)
def test_an_answer_that_cites_a_shown_entry_confirms_it(host, memories, today, uses, said, times):
    """By its name; the block gives four letters of it, and more only where another begins the same."""
    key = "mem-2026-11-01-k7q2m9xa"
    memories.add(NAMED, id=key)
    show(host, today)
    today.model(said)
    compact(host, today)
    assert uses(key)[2] == times


def test_what_was_not_shown_is_not_confirmed(host, memories, today, uses):
    """Though the work was on what it names as well, and though another conversation was shown it."""
    shown, other = memories.add(NAMED), memories.add("sum_ledger rounds to the cent")
    host.prompt("Why does parse_invoice drop what sum_ledger keeps?", session_id="other")
    show(host, today)
    today.tool("Bash", {"command": "pytest -k 'parse_invoice or sum_ledger'"})
    compact(host, today)
    assert (accesses(memories, shown), accesses(memories, other)) == (1, 0)
    assert (uses(shown), uses(other)) == ((2, 1, 1), (1, 1, 0))


def test_what_was_shown_and_left_alone_is_not_confirmed(host, memories, today, uses):
    """Nor is it by work on something else, or by what was done before."""
    key = memories.add(NAMED)
    today.ago = 60
    today.tool("Bash", {"command": "pytest -k parse_invoice"})
    show(host, today)
    today.ago = 0
    today.tool("Edit", {"file_path": "src/other.py", "old_string": "a", "new_string": "b"})
    compact(host, today)
    assert accesses(memories, key) == 0
    assert uses(key) == (1, 1, 0)


def test_the_command_that_shows_it_opens_it(memories, today, uses):
    """Once a day outside of a conversation."""
    key = memories.add(NAMED)
    assert uses(key) == uses(key) == (0, 1, 0)
    assert accesses(memories, key) == 1


def append(path, record):
    """Add a line to a log."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
