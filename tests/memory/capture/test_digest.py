"""The digest of a conversation: what it holds, and how it grows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.message import Message
from limpet.memory.capture.digest import find_subject, own_words, write_digest
from limpet.memory.capture.heard import Heard
from limpet.memory.capture.outcomes import Activity, CommandRun

from ...strategies import QUICK, hostile

DAY = "2026-11-21"
TYPES = ("decision", "user_correction", "error_pattern", "resolution", "validated_pattern")


def heard(line, type="decision"):
    return Heard(role="user", type=type, line=line, quote=line)


def test_everything_has_its_section():
    """In one order, empty sections left out."""
    done = Activity(files=(("a.py", 2), ("b.py", 1)), runs=(CommandRun("make", 2, 1, True),), questions=("Push?",))
    said = [heard("No, use tabs", "user_correction"), heard("Use Redis")]
    title, body = write_digest(said, done, DAY, subject="Add a cache to the report")
    assert title == "Add a cache to the report (2026-11-21)"
    assert body == (
        "## Decisions\n\n- Use Redis\n\n## Corrections\n\n- No, use tabs\n\n"
        "## Files\n\n- `a.py` (2 edits)\n- `b.py`\n\n## Commands\n\n- `make`: 2 runs, 1 failed, the last one too\n\n"
        "## Open questions\n\n- Push?"
    )


def test_a_later_stretch_is_added_to_it():
    """Counts add up, nothing stands twice, answered questions go."""
    first = Activity(files=(("a.py", 2),), runs=(CommandRun("make", 1, 1, True),), questions=("Push?",))
    _, body = write_digest([heard("Use Redis")], first, DAY)
    later = Activity(files=(("a.py", 1), ("c.py", 1)), runs=(CommandRun("make", 2, 0, False),))
    _, body = write_digest([heard("use redis!"), heard("Use Kafka")], later, DAY, body)
    assert body == (
        "## Decisions\n\n- use redis!\n- Use Kafka\n\n## Files\n\n- `a.py` (3 edits)\n- `c.py`\n\n"
        "## Commands\n\n- `make`: 3 runs, 1 failed"
    )


def test_what_a_person_wrote_into_it_stays():
    """Before the sections, in them, and under headings of their own."""
    written = "My words.\n\n## Decisions\n\n- Use Redis (I insist)\n\n## Mine\n\nMore words."
    _, body = write_digest([heard("Use Kafka")], Activity(), DAY, written)
    assert body == "My words.\n\n## Decisions\n\n- Use Redis (I insist)\n- Use Kafka\n\n## Mine\n\nMore words."


def test_it_stays_bounded():
    """The newest of each section are kept."""
    body = ""
    for place in range(100):
        done = Activity(files=((f"{place}.py", 1),), runs=(CommandRun(f"make {place}", 1, 0, False),))
        _, body = write_digest([heard(f"Use tool {place}")], done, DAY, body)
    assert "Use tool 99" in body and "`99.py`" in body and "`make 99`" in body
    assert len(body) < 6000


def test_without_a_subject_the_files_name_it():
    """And the day alone without files; what was decided does not, noise as it may be."""
    assert write_digest([heard("Use Redis")], Activity(files=(("src/a.py", 1),)), DAY)[0] == "a.py (2026-11-21)"
    assert write_digest([], Activity(), DAY) == ("Conversation of 2026-11-21", "")


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        (["hi", "ok", "Please add a cache to the report."], "add a cache to the report."),
        (["[Image #1]", "Why does the login fail?"], "Why does the login fail?"),
        (["<command-name>/clear</command-name>", "Fix the login"], "Fix the login"),
        (["Implement the following plan:\n\n# Plan: Move the export\n\n## Context\n\nIt is slow."], "Move the export"),
        (["yes", 'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: 1'], ""),
    ],
)
def test_the_subject_is_the_first_thing_that_was_asked_for(said, subject):
    """Not a greeting, a picture, a command of the client, or an error; of a plan its heading."""
    assert find_subject([Message(role="user", text=text) for text in said]) == subject


def test_commands_are_a_short_list():
    """Without the text that they are given; those that look alike then count together."""
    runs = tuple(CommandRun(f"python - <<'E' print({place}) E", 1, place % 2, False) for place in range(3))
    _, body = write_digest([], Activity(runs=(*runs, CommandRun("echo `date` " + "x" * 200, 1, 0, False))), DAY)
    assert "- `python -`: 3 runs, 1 failed\n- `echo 'date' xx" in body
    assert all(len(line) < 120 for line in body.splitlines())


@QUICK
@given(st.lists(st.tuples(st.sampled_from(TYPES), hostile), max_size=6), hostile)
def test_writing_the_same_again_changes_nothing(said, existing):
    """Whatever is said and whatever stood there."""
    found = [heard(" ".join(title.split()) or "x", type) for type, title in said]
    title, body = write_digest(found, Activity(), DAY, existing)
    assert write_digest(found, Activity(), DAY, body) == (title, body)
    assert len(title) <= 120


REVIEWED = "Got this comment from a reviewer, what say you?"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("<command-name>/clear</command-name>\n<command-args></command-args>", ""),
        ("[Image #1] The button must stay green.", "The button must stay green."),
        ("It fails:\n\n    Traceback\n    KeyError: 1\n\nUse the id instead.", "It fails:\nUse the id instead."),
        ("Address: 1. Rename the helper, it is bad\n\nKeep it private though.", "Address\nKeep it private though."),
        ("A review comment: The parser has three exits.", "A review comment"),
        ("Implement this plan:\n\n# Plan\n\nWe decided to use Redis.", "Implement this plan:"),
        ("Do it like this:\n\nuser@host:~/app$ make\nall done\n\nI want it.", "Do it like this:\nI want it."),
        ("See /srv/app/src/main.go", "See /srv/app/src/main.go"),
        ("/srv/app/src/main.go\nhere it is", "here it is"),
        ("Got this comment from a reviewer, what say you?\n\nAlways validate.\n\nNever use floats.", REVIEWED),
        ("I got the totals wrong.\n\nAlways use cents.", "I got the totals wrong.\nAlways use cents."),
    ],
)
def test_what_was_pasted_is_left_out(text, own):
    """Commands of the client, pictures, output, the items of a review, plans, places, what somebody else wrote."""
    assert own_words(text).text == own


@QUICK
@given(hostile)
def test_own_words_are_words_of_the_text(text):
    """Whatever it is."""
    own = own_words(text)
    assert len(own.text) <= len(text) + len(own.paragraphs)


def test_what_is_under_way_is_that_of_now():
    """It stands before the files, and goes once it is done."""
    _, body = write_digest([heard("Use Redis")], Activity(files=(("a.py", 1),)), DAY, action="Next I add\nthe index.")
    assert body == ("## Decisions\n\n- Use Redis\n\n## Under way\n\n- Next I add the index.\n\n## Files\n\n- `a.py`")
    _, body = write_digest([], Activity(), DAY, body, action="Then the docs.")
    assert "## Under way\n\n- Then the docs.\n\n" in body and "index" not in body
    assert "Under way" not in write_digest([], Activity(), DAY, body)[1]
