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


def test_a_half_written_last_line_is_a_line_and_the_size_is_in_bytes(file):
    """Not in characters."""
    assert list(lines_from_end(file(b"one\ntwo\nthr"))) == [(8, b"thr"), (4, b"two"), (0, b"one")]
    assert size_of(file("é\n".encode())) == 3


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


def test_a_file_that_shrinks_or_goes_ends_the_lines(file, monkeypatch):
    """No line is made up from bytes that are gone."""
    path = file(b"one\ntwo\nthree\n")
    lines = lines_from_end(path, 4)
    next(lines)
    os.truncate(path, 2)
    assert list(lines) == []
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


EVERYTHING = 1 << 40


def write(tmp_path, content):
    path = tmp_path / "session.jsonl"
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    ("content", "since", "limits", "expected"),
    [
        # A line without its newline is left for next time, and reading goes on where it ended.
        (b"one\ntwo\nthr", 0, (EVERYTHING,), [(0, 4, b"one"), (4, 8, b"two")]),
        (b"one\ntwo\nthree\r\n", 8, (EVERYTHING,), [(8, 15, b"three")]),
        # A shorter file, or one in which no line begins there, was replaced.
        (b"new\n", 100, (EVERYTHING,), [(0, 4, b"new")]),
        (b"another\nfile\n", 4, (EVERYTHING,), [(0, 8, b"another"), (8, 13, b"file")]),
        # The limit ends with a whole line; of a line beyond the longest the bytes are passed over.
        (b"one\ntwo\nthree\n", 0, (5,), [(0, 4, b"one"), (4, 8, b"two")]),
        (b"x" * 50 + b"\nshort\n", 0, (EVERYTHING, 10), [(0, 51, b""), (51, 57, b"short")]),
    ],
)
def test_whole_lines_are_read_from_where_the_last_reading_ended(tmp_path, content, since, limits, expected):
    """Before the first answer there is no transcript."""
    assert list(lines_from(write(tmp_path, content), since, *limits)) == expected
    assert list(lines_from(str(tmp_path / "none"), since, *limits)) == []


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
