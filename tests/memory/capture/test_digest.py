"""The digest of a conversation: what it holds, and how it grows."""

from hypothesis import given
from hypothesis import strategies as st

from holdfast.memory.capture.activity import Activity, Run
from holdfast.memory.capture.candidate import Candidate
from holdfast.memory.capture.digest import write_digest

from ...strategies import QUICK, hostile

DAY = "2026-11-21"
TYPES = ("decision", "user_correction", "error_pattern", "resolution", "validated_pattern")


def candidate(title, type="decision"):
    return Candidate(type=type, title=title, body="", confidence=0.8)


def test_everything_has_its_section():
    """In one order, empty sections left out."""
    done = Activity(files=(("a.py", 2), ("b.py", 1)), runs=(Run("make", 2, 1, True),), questions=("Push?",))
    title, body = write_digest([candidate("No, use tabs", "user_correction"), candidate("Use Redis")], done, DAY)
    assert title == "Conversation of 2026-11-21: Use Redis"
    assert body == (
        "## Decisions\n\n- Use Redis\n\n## Corrections\n\n- No, use tabs\n\n"
        "## Files\n\n- `a.py` (2 edits)\n- `b.py`\n\n## Commands\n\n- `make`: 2 runs, 1 failed, the last one too\n\n"
        "## Open questions\n\n- Push?"
    )


def test_a_later_stretch_is_added_to_it():
    """Counts add up, nothing stands twice, answered questions go."""
    first = Activity(files=(("a.py", 2),), runs=(Run("make", 1, 1, True),), questions=("Push?",))
    _, body = write_digest([candidate("Use Redis")], first, DAY)
    later = Activity(files=(("a.py", 1), ("c.py", 1)), runs=(Run("make", 2, 0, False),))
    _, body = write_digest([candidate("use redis!"), candidate("Use Kafka")], later, DAY, body)
    assert body == (
        "## Decisions\n\n- use redis!\n- Use Kafka\n\n## Files\n\n- `a.py` (3 edits)\n- `c.py`\n\n"
        "## Commands\n\n- `make`: 3 runs, 1 failed"
    )


def test_what_a_person_wrote_into_it_stays():
    """Before the sections, in them, and under headings of their own."""
    written = "My words.\n\n## Decisions\n\n- Use Redis (I insist)\n\n## Mine\n\nMore words."
    _, body = write_digest([candidate("Use Kafka")], Activity(), DAY, written)
    assert body == "My words.\n\n## Decisions\n\n- Use Redis (I insist)\n- Use Kafka\n\n## Mine\n\nMore words."


def test_it_stays_bounded():
    """The newest of each section are kept."""
    body = ""
    for place in range(100):
        done = Activity(files=((f"{place}.py", 1),), runs=(Run(f"make {place}", 1, 0, False),))
        _, body = write_digest([candidate(f"Use tool {place}")], done, DAY, body)
    assert "Use tool 99" in body and "`99.py`" in body and "`make 99`" in body
    assert len(body) < 6000


def test_without_statements_the_files_name_it():
    """And the day alone without files."""
    assert write_digest([], Activity(files=(("src/a.py", 1),)), DAY)[0] == "Conversation of 2026-11-21: a.py"
    assert write_digest([], Activity(), DAY) == ("Conversation of 2026-11-21", "")


@QUICK
@given(st.lists(st.tuples(st.sampled_from(TYPES), hostile), max_size=6), hostile)
def test_writing_the_same_again_changes_nothing(said, existing):
    """Whatever is said and whatever stood there."""
    found = [candidate(" ".join(title.split()) or "x", type) for type, title in said]
    title, body = write_digest(found, Activity(), DAY, existing)
    assert write_digest(found, Activity(), DAY, body) == (title, body)
    assert len(title) <= 120
