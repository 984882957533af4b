"""What reverses a decision closes it, within a conversation and across several: one is current at the end."""

import itertools

import pytest

from .test_capture import Transcript, compact, learned

REVERSALS = [
    ("Let's use 4 workers.", "make it 8 workers instead"),
    ("Let's use 4 workers for the import.", "No, make it 8 workers instead."),
    ("Let's put the release notes in docs/news.", "actually, put the release notes in docs/changes instead"),
    ("From now on, put the release notes into docs/news.", "Put the release notes in docs/changes instead."),
    ("Let's keep logs for 30 days.", "Actually, keep logs for 90 days instead."),
]
BESIDE = [
    ("Let's use 4 workers.", "make it 8 retries instead"),
    ("Let's put the release notes in docs/news.", "actually, put the screenshots in docs/images instead"),
    ("Let's use Redis for the cache.", "Actually, use Redis for the sessions instead."),
]


@pytest.fixture
def talk(workspace):
    return Transcript(workspace)


def choices(memories):
    """The titles of what was decided and is current."""
    found = [each for kind in ("decision", "user_correction") for each in learned(memories).get(kind, ())]
    return [each.title for each in found]


def say(host, talk, *said, **payload):
    """The person says these, and the host compacts."""
    for text in said:
        talk.user(text)
        talk.model("Done.")
    compact(host, talk, **payload)


@pytest.mark.parametrize(("first", "second"), REVERSALS)
def test_what_was_reversed_within_a_conversation_is_closed(host, memories, talk, first, second):
    """Captured at once."""
    say(host, talk, first, second)
    (title,) = choices(memories)
    assert title in second


@pytest.mark.parametrize(("first", "second"), REVERSALS)
def test_a_later_conversation_reverses_what_an_earlier_one_decided(host, memories, talk, workspace, first, second):
    """The closed one stays readable, and names what closed it."""
    say(host, talk, first)
    (old,) = learned(memories)["decision"]
    later = Transcript(workspace, "later")
    later.numbers = itertools.count(30)
    say(host, later, second, session_id="later")
    (title,) = choices(memories)
    known = memories.library.show(old.id, count=False).entry
    new = memories.library.show(known.superseded_by, count=False).entry
    assert (new.title, new.supersedes) == (title, (old.id,)) and known.valid_until


@pytest.mark.parametrize(("first", "second"), BESIDE)
def test_what_says_instead_of_something_else_closes_nothing(host, memories, talk, first, second):
    """Another thing with a number, a place or a purpose."""
    say(host, talk, first, second)
    assert len(choices(memories)) == 2


def test_where_it_may_be_several_nothing_is_closed(host, memories, talk):
    """A decision that was closed wrongly is worse than two that stand side by side."""
    say(host, talk, "Let's use 4 workers for the import.", "Let's use 4 workers for the export.")
    say(host, talk, "make it 8 workers instead", trigger="manual")
    assert len(choices(memories)) == 3


def test_an_order_that_made_no_memory_leaves_one_decision_once_it_is_changed(host, memories, talk):
    """What was said first stays a note."""
    say(host, talk, "Put the release notes in docs/news", "actually, put the release notes in docs/changes instead")
    assert choices(memories) == ["put the release notes in docs/changes instead"]


def test_after_a_compaction_only_the_newer_is_told(host, memories, talk):
    """Neither by the continuation nor as a memory."""
    said = [text for pair in (REVERSALS[0], REVERSALS[2], REVERSALS[4]) for text in pair]
    say(host, talk, *said, "Add the parser of invoices.")
    start = host.send("SessionStart", source="compact", transcript_path=talk.path)
    told = " ".join(start.block["continuation"])
    assert "8 workers" in told and "docs/changes" in told
    assert not any(old in start.text for old in ("4 workers", "docs/news", "30 days"))
