"""After a compaction a decision stands once: what goes on and the memories do not repeat each other (decision 6)."""

import pytest

from ..hook_host import state
from ..memories import ids, listed, remembered
from .test_capture import Transcript, compact

NEWS = "put the release notes into docs/news, one file a change"
TITLE = f"From now on, {NEWS}"


@pytest.fixture
def talk(workspace):
    """A conversation that decided where release notes go, and did something else after that."""
    talk = Transcript(workspace)
    talk.user("Let's use pnpm for all packages.")
    talk.user(f"{TITLE}.")
    talk.model("Each change has its file in docs/news.")
    talk.tool("Edit", {"file_path": "docs/news/1.md"})
    talk.user("Add the parser of invoices.")
    talk.model("It is there.")
    return talk


def start_after(host, talk):
    """The block after a compaction, in lower case."""
    compact(host, talk)
    start = host.send("SessionStart", source="compact", transcript_path=talk.path)
    assert start.block["continuation"]
    return start.text.lower()


@pytest.mark.parametrize("kind", ["decision", "user_correction"])
@pytest.mark.parametrize("others", [0, 30])
def test_after_a_compaction_a_decision_stands_once(host, memories, talk, others, kind):
    """As what goes on: neither as what is always wanted nor as a title, however much else there is."""
    memories.add_many({"title": f"Number {number} of the ledger", "confidence": 1.0} for number in range(others))
    memories.add(TITLE, type=kind)
    host.send("SessionStart", source="startup", transcript_path=talk.path)
    told = start_after(host, talk)
    assert (told.count(NEWS), told.count("docs/news, one")) == (1, 1)


def test_the_last_words_are_a_decision_and_stand_once(host, memories, talk):
    """As what was said last."""
    talk.user("Let's keep the cents in parse_invoice as they came.")
    memories.add("Let's keep the cents in parse_invoice as they came")
    assert start_after(host, talk).count("keep the cents in parse_invoice") == 1


def test_what_the_continuation_has_no_room_for_is_a_title(host, memories, talk):
    """Once as well."""
    for thing in ("the ledger", "the queue", "the export", "the archive"):
        talk.user(f"Let's keep {thing} in a table of its own, sorted by the day on which it was booked.")
    memories.add(TITLE)
    assert start_after(host, talk).count("into docs/news") == 1


def test_entries_of_one_title_come_once(host, memories):
    """In a list and for a prompt."""
    title = "The nightly export of the ledger skips Sundays"
    twins = {memories.add(title), memories.add(title, "And holidays.")}
    assert len(listed(host.prompt("Translate the login page into Welsh", session_id="other"))) == 1
    assert len(ids(asked := host.prompt("What of the nightly ledger export?"))) == 1 and listed(asked) == []
    assert len(twins.intersection(state(host.workspace)["recalled"])) == 1


def test_twins_of_other_text_are_told_apart_by_their_titles(host, memories):
    """A title that only begins alike is another one."""
    beginning = "The nightly export of the ledger for the bank in the capital of "
    memories.add(f"{beginning}Norway")
    memories.add(f"{beginning}Sweden")
    host.send("SessionStart", source="fork")
    assert len(remembered(host.prompt("What of the nightly ledger export?"))) == 2
