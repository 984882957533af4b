"""A candidate as a value: its record, its id, its order, and when it is open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.memory.candidates import (
    Candidate,
    Moment,
    candidate_id_of,
    ranked,
    read_candidate,
    same_words,
    write_record,
)

ONE = Candidate(id="abcdef", at=1.0, session="talk", type="decision", quote="Use Redis.")


@given(st.text(min_size=1), st.floats(0, 4e9), st.sampled_from(["", "decision"]))
def test_a_candidate_comes_back_as_it_was_written(quote, at, type):
    """Whatever its characters; what was answered too."""
    again = (Moment(at, "later", "u1"),)
    made = ONE.replace(quote=f"x{quote}"[:500], at=at, type=type, before=quote, again=again, asked=("talk",))
    assert read_candidate(write_record(made)) == made
    assert read_candidate(write_record(made.answered())) == made.answered()


@pytest.mark.parametrize("record", [{}, {"id": 3, "quote": "x"}, {"id": "", "quote": "x"}])
def test_what_is_no_candidate_is_none(record):
    """Such as a line that somebody edited."""
    assert read_candidate(record) is None


def test_an_odd_line_is_read_as_far_as_it_makes_sense():
    """A type that is none makes a note."""
    odd = {"id": "abcdef", "at": "x", "type": "nonsense", "quote": "Use it.", "again": [3], "asked": 7}
    found = read_candidate(odd)
    assert (found.type, found.at, found.quote, found.asked) == ("", 0.0, "Use it.", ())


def test_ids_are_short_and_tell_messages_apart():
    """The same for the same key; none is a word that means something else."""
    assert candidate_id_of("a") == candidate_id_of("a") != candidate_id_of("b")
    assert len({candidate_id_of(str(number)) for number in range(2000)}) == 2000
    assert all(
        len(candidate_id_of(str(number))) == 6 and "o" not in candidate_id_of(str(number)) for number in range(50)
    )


def test_it_is_open_until_it_was_asked_for_twice_or_answered():
    """A note once it was said again."""
    note = ONE.replace(type="")
    assert ONE.is_open and ONE.replace(asked=("a",)).is_open and not note.is_open
    assert note.replace(again=(Moment(2.0, "later"),)).is_open
    assert not ONE.replace(asked=("a", "b")).is_open and not ONE.answered().is_open


def test_what_an_agent_concluded_is_its_own_and_what_was_stated_is_everybodys():
    """Decision 22."""
    mine = ONE.replace(agent="dev", role="assistant", type="resolution")
    assert (mine.owner, ONE.replace(agent="dev").owner, mine.replace(type="lesson").owner) == ("dev", "", "")


def test_the_likeliest_memory_comes_first():
    """The person's, what was said twice, decisions, the newest; then the agent's that says most."""
    twice = ONE.replace(id="twice", type="", again=(Moment(2.0, "b"),))
    newer, other = ONE.replace(id="newer", at=9.0), ONE.replace(id="other", type="lesson")
    short = ONE.replace(id="short", role="assistant", at=99.0)
    long = short.replace(id="long", quote="Use Redis for the sessions.", at=0.0)
    found = ranked([short, long, other, ONE, newer, twice])
    assert [each.id for each in found] == ["twice", "newer", "abcdef", "other", "long", "short"]


def test_the_same_words_are_known_however_they_are_typed():
    """Not what is only alike."""
    assert same_words("  Use\nRedis. ") == same_words("use redis")
    assert same_words("use redis for it") != same_words("use redis")
