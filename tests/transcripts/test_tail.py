"""Lines from the end of a file: the same lines as from its beginning, for no more reading than asked for."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.transcripts import tail
from limpet.transcripts.tail import lines_from, lines_from_end, size_of

from ..strategies import QUICK


@pytest.fixture
def file(tmp_path):
    """A function that writes bytes to one file and gives its path."""

    def write(content: bytes) -> str:
        path = tmp_path / "file.jsonl"
        path.write_bytes(content)
        return str(path)

    return write


@pytest.fixture
def read_sizes(monkeypatch):
    """The sizes of the reads that ``tail`` makes."""
    sizes: list[int] = []

    def counting_open(*args, **options):
        return Counting(open(*args, **options), sizes)  # noqa: SIM115  # Counting closes it

    monkeypatch.setattr(tail, "open", counting_open, raising=False)
    return sizes


class Counting:
    """A file that notes how much is read from it."""

    def __init__(self, handle, sizes):
        self.handle, self.sizes = handle, sizes

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.handle.close()

    def seek(self, offset):
        self.handle.seek(offset)

    def read(self, size):
        block = self.handle.read(size)
        self.sizes.append(len(block))
        return block


def forward(content: bytes) -> list[tuple[int, bytes]]:
    """What ``lines_from_end`` must give, found the plain way: from the beginning, then reversed."""
    found, offset = [], 0
    for line in content.split(b"\n"):
        if offset < len(content):
            found.append((offset, line.removesuffix(b"\r")))
        offset += len(line) + 1
    return found[::-1]


contents = st.lists(st.sampled_from([b"\n", b"\r\n", b"\r", b"\0", b"a", b"\xff\xfe", b"long line"])).map(b"".join)


@given(content=contents, chunk=st.integers(min_value=1, max_value=40))
def test_the_lines_are_those_of_the_file_last_first(tmp_path_factory, content, chunk):
    """Whatever the bytes and wherever the chunks cut, offsets and lines agree with a reading from the beginning."""
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(content)
    assert list(lines_from_end(str(path), chunk)) == forward(content)


@given(content=contents, chunk=st.integers(min_value=1, max_value=40), limit=st.integers(min_value=0, max_value=60))
def test_a_limit_leaves_out_what_begins_before_it(tmp_path_factory, content, chunk, limit):
    """With a limit come exactly the lines whose beginning, and the newline before it, lie within the last bytes."""
    path = tmp_path_factory.getbasetemp() / "limited.jsonl"
    path.write_bytes(content)
    floor = max(0, len(content) - limit)
    expected = [(at, line) for at, line in forward(content) if floor == 0 or at > floor]
    assert list(lines_from_end(str(path), chunk, limit)) == expected


def test_a_half_written_last_line_is_a_line(file):
    """A line without its newline is given like the others."""
    assert list(lines_from_end(file(b"one\ntwo\nthr"))) == [(8, b"thr"), (4, b"two"), (0, b"one")]


def test_only_what_is_consumed_is_read(file, read_sizes):
    """The last line of a 60 MB file costs one chunk."""
    path = file(b"")
    os.truncate(path, 60_000_000)
    with open(path, "ab") as handle:
        handle.write(b"\nlast\n")
    next(lines_from_end(path, 4096))
    assert read_sizes == [4096]


def test_a_line_of_many_megabytes_is_read_once(file, read_sizes):
    """Every byte of a 50 MB line is read a single time, in chunks, and the line comes whole."""
    path = file(b"first\n" + b"x" * 50_000_000 + b"\nlast")
    assert [(at, len(line)) for at, line in lines_from_end(path)] == [(50_000_007, 4), (6, 50_000_000), (0, 5)]
    assert sum(read_sizes) == os.path.getsize(path)


def test_a_file_that_shrinks_while_it_is_read_ends_the_lines(file):
    """No line is made up from bytes that are gone."""
    path = file(b"one\ntwo\nthree\n")
    lines = lines_from_end(path, 4)
    next(lines)
    os.truncate(path, 2)
    assert list(lines) == []


def test_a_file_that_goes_before_it_is_read_has_no_lines(file, monkeypatch):
    """The file is there when its size is asked and gone when it is opened."""
    path = file(b"one\n")
    monkeypatch.setattr(tail, "size_of", lambda path: 4)
    os.unlink(path)
    assert list(lines_from_end(path)) == []


@pytest.mark.parametrize("name", ["missing", ".", "a\0b"])
def test_what_is_no_file_has_no_lines_and_no_size(tmp_path, name):
    """A missing file, a folder and an impossible name are all empty."""
    path = os.path.join(str(tmp_path), name)
    assert (list(lines_from_end(path)), size_of(path)) == ([], 0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_waited_for(tmp_path):
    """Opening a pipe nobody writes to would hang the prompt."""
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    assert (list(lines_from_end(path)), size_of(path)) == ([], 0)


def test_size_is_the_number_of_bytes(file):
    """The size is in bytes, not characters."""
    assert size_of(file("é\n".encode())) == 3


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
