"""Lines from a byte onwards: whole ones only, replaced files from their start, endless lines never held."""

from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts.tail import lines_from

from ..strategies import QUICK

EVERYTHING = 1 << 40


def write(tmp_path, content):
    path = tmp_path / "session.jsonl"
    path.write_bytes(content)
    return str(path)


def test_a_line_without_its_newline_is_left_for_next_time(tmp_path):
    """The host may be in the middle of writing it."""
    path = write(tmp_path, b"one\ntwo\nthr")
    assert list(lines_from(path, 0, EVERYTHING)) == [(0, 4, b"one"), (4, 8, b"two")]


def test_reading_goes_on_where_it_ended(tmp_path):
    """Only what was added is read."""
    path = write(tmp_path, b"one\ntwo\nthree\r\n")
    assert list(lines_from(path, 8, EVERYTHING)) == [(8, 15, b"three")]


def test_a_shorter_file_is_read_from_its_start(tmp_path):
    """It was replaced."""
    path = write(tmp_path, b"new\n")
    assert list(lines_from(path, 100, EVERYTHING)) == [(0, 4, b"new")]


def test_a_file_in_which_no_line_begins_there_is_read_from_its_start(tmp_path):
    """It was replaced by a longer one."""
    path = write(tmp_path, b"another\nfile\n")
    assert [line for _, _, line in lines_from(path, 4, EVERYTHING)] == [b"another", b"file"]


def test_the_limit_ends_with_a_whole_line(tmp_path):
    """What is left is read next time."""
    path = write(tmp_path, b"one\ntwo\nthree\n")
    assert [end for _, end, _ in lines_from(path, 0, 5)] == [4, 8]


def test_a_line_beyond_the_longest_comes_empty(tmp_path):
    """Its bytes are passed over, and the next line is read."""
    path = write(tmp_path, b"x" * 50 + b"\nshort\n")
    assert list(lines_from(path, 0, EVERYTHING, longest=10)) == [(0, 51, b""), (51, 57, b"short")]


def test_a_missing_file_has_no_lines(tmp_path):
    """Before the first answer there is no transcript."""
    assert list(lines_from(str(tmp_path / "none"), 0, EVERYTHING)) == []


@QUICK
@given(st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"").rstrip(b"\r"))), st.data())
def test_reading_in_two_stretches_gives_what_one_gives(tmp_path_factory, lines, data):
    """Wherever the first one ended."""
    path = write(tmp_path_factory.mktemp("forward"), b"".join(line + b"\n" for line in lines))
    whole = list(lines_from(path, 0, EVERYTHING))
    cut = data.draw(st.integers(0, len(whole)))
    since = whole[cut - 1][1] if cut else 0
    assert whole[:cut] + list(lines_from(path, since, EVERYTHING)) == whole
    assert [line for _, _, line in whole] == lines
