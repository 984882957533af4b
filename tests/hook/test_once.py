"""After a compaction a decision stands once: what goes on, the memories and the digest do not repeat each other
(decision 6)."""

import pytest

from ..hook_host import state
from ..memories import remembered
from .test_capture import Transcript, compact

NEWS = "put the release notes into docs/news, one file a change"


@pytest.fixture
def talk(workspace):
    """A conversation that decided where release notes go, and did something else after that."""
    talk = Transcript(workspace)
    talk.user("Let's use pnpm for all packages.")
    talk.user(f"From now on, {NEWS}.")
    talk.model("Each change has its file in docs/news.")
    talk.tool("Edit", {"file_path": "docs/news/1.md"})
    talk.user("Add the parser of invoices.")
    talk.model("It is there.")
    return talk


def blocks_after(host, talk, *prompts):
    """The blocks of a compaction and of the prompts that follow it, as one text in lower case."""
    compact(host, talk)
    start = host.send("SessionStart", source="compact", transcript_path=talk.path)
    answers = [start, *(host.prompt(text, transcript_path=talk.path) for text in prompts)]
    return "\n".join(answer.text for answer in answers if answer.out).lower()


@pytest.mark.parametrize("others", [0, 30])
def test_after_a_compaction_a_decision_stands_once(host, memories, talk, others):
    """However much else is hot, and though prompts ask for it."""
    memories.add_many({"title": f"Number {number} of the ledger", "confidence": 1.0} for number in range(others))
    host.send("SessionStart", source="startup", transcript_path=talk.path)
    told = blocks_after(host, talk, "Where do the release notes go?", "Which file of docs/news has a change?", "Go on.")
    assert (told.count(NEWS), told.count("docs/news, one")) == (1, 1)


def test_the_last_words_are_a_decision_and_stand_once(host, memories, talk):
    """As what was said last."""
    talk.user("Let's keep the cents in parse_invoice as they came.")
    told = blocks_after(host, talk, "Does parse_invoice keep the cents?")
    assert told.count("keep the cents in parse_invoice") == 1


def test_what_the_continuation_has_no_room_for_comes_as_a_memory(host, memories, talk):
    """Once as well."""
    memories.add(f"From now on, {NEWS}.")
    for thing in ("the ledger", "the queue", "the export", "the archive"):
        talk.user(f"Let's keep {thing} in a table of its own, sorted by the day on which it was booked.")
    told = blocks_after(host, talk, "Where do the release notes go?")
    assert told.count("into docs/news") == 1


def test_entries_of_one_title_come_once(host, memories):
    """As hot ones, for a prompt, and as hot ones beside those of a prompt; the other one counts as told."""
    title = "The nightly export of the ledger skips Sundays"
    twins = {memories.add(title), memories.add(title, "And holidays.")}
    ask = "What of the nightly ledger export?"
    opened = host.send("SessionStart", source="startup")
    assert len(remembered(opened)) == 1 and remembered(host.prompt(ask)) == []
    host.send("SessionStart", source="fork", session_id="asked")
    both = [remembered(host.prompt(ask, session_id="asked")) for _ in range(2)]
    assert [len(lines) for lines in both] == [1, 0]
    assert [len(remembered(host.prompt(ask, session_id="first"))) for _ in range(2)] == [1, 0]
    assert len(twins.intersection(state(host.workspace, "asked")["recalled"])) == 1


def test_twins_of_other_text_are_told_apart_by_their_titles(host, memories):
    """A title that only begins alike is another one."""
    beginning = "The nightly export of the ledger for the bank in the capital of "
    memories.add(f"{beginning}Norway")
    memories.add(f"{beginning}Sweden")
    host.send("SessionStart", source="fork")
    assert len(remembered(host.prompt("What of the nightly ledger export?"))) == 2
