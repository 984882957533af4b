"""JSON lines: what was appended comes back, whatever else the file holds, and no more is read than is asked for."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.storage import json_lines
from limpet.ground.storage.json_lines import append_object, parse_lines, read_appended, read_newest_first, read_objects

from ...strategies import SLOW

LIMIT = 10**6


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "a.jsonl")


def add(path, raw):
    with open(path, "ab") as file:
        file.write(raw)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def test_what_was_appended_comes_back_in_order(path):
    """Folders are made on the way."""
    path = os.path.join(os.path.dirname(path), "new", "a.jsonl")
    for number in range(3):
        append_object(path, {"n": number}, LIMIT)
    assert list(read_objects(path)) == [{"n": 0}, {"n": 1}, {"n": 2}]


def test_a_full_log_is_rotated_and_the_oldest_goes(path):
    for number in range(5):
        json_lines.append_line(path, f"line {number}", limit=8, keep=2)
    assert [read(name) for name in (path, f"{path}.1", f"{path}.2")] == [b"line 4\n", b"line 3\n", b"line 2\n"]
    assert not os.path.exists(f"{path}.3")


def test_a_torn_last_line_does_not_swallow_the_next_record(path):
    """A full disk or a kill may cut a line anywhere; what is no JSON is refused before the file changes."""
    with pytest.raises(TypeError):
        append_object(path, {"n": object()}, LIMIT)
    assert not os.path.exists(path)
    append_object(path, {"n": 1}, LIMIT)
    add(path, b'{"n": 2, "to')
    append_object(path, {"n": 3}, LIMIT)
    append_object(path, {"n": 4}, LIMIT)
    assert list(read_objects(path)) == [{"n": 1}, {"n": 3}, {"n": 4}]
    assert read(path).count(b"\n") == 4


def test_torn_lines_and_what_is_no_object_are_passed_over(monkeypatch):
    """Neither bytes that are no UTF-8 nor a byte order mark lose a good line; those without the mark are not parsed."""
    lines = [b'\xef\xbb\xbf{"n": 1}', b'{"torn": ', b"[]", b"\xff\xfe", b"", b"5", b'{"n": 2}\r']
    assert list(parse_lines(lines)) == [{"n": 1}, {"n": 2}]
    parsed = []
    monkeypatch.setattr(json_lines, "loads", lambda line, loads=json_lines.loads: parsed.append(line) or loads(line))
    assert list(parse_lines([b'{"n": "one"}', b'{"n": "two"}'], b"two")) == [{"n": "two"}]
    assert parsed == ['{"n": "two"}']


def test_a_file_that_is_not_there_holds_nothing(path):
    """Nor does a folder in its place."""
    os.mkdir(path)
    assert [list(read_objects(place)) for place in (path, path + "x")] == [[], []]
    assert [list(read_newest_first(place)) for place in (path, path + "x")] == [[], []]
    assert [read_appended(place, {}) for place in (path, path + "x")] == [None, None]


def test_rotated_files_are_read_on(path):
    """The newest line comes first, over all of them."""
    for number in range(12):
        append_object(path, {"n": number}, limit=30)
    assert {name.rpartition(".")[2] for name in os.listdir(os.path.dirname(path))} == {"jsonl", "1", "2", "3"}
    found = [one["n"] for one in read_newest_first(path)]
    assert found == list(range(11, 11 - len(found), -1))
    assert len(found) == 12


@SLOW
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=200), max_size=5), st.sampled_from((1, 7, 4096)))
def test_any_text_comes_back_whatever_the_blocks(tmp_path_factory, texts, chunk):
    """A line may be longer than what is read at once, and lie on its border."""
    path = str(tmp_path_factory.mktemp("x") / "a.jsonl")
    for text in texts:
        append_object(path, {"text": text}, LIMIT)
    before, json_lines.CHUNK = json_lines.CHUNK, chunk
    try:
        found = list(read_newest_first(path))
    finally:
        json_lines.CHUNK = before
    assert [one["text"] for one in found] == texts[::-1]
    assert list(read_objects(path)) == found[::-1]


def test_only_what_was_appended_since_is_read(path):
    """Up to the last whole line; beyond the end of a file that was cut is no place to go on from."""
    add(path, b'{"n": 1}\n{"n": 2')
    inode, lines, end = read_appended(path, {})
    assert lines == [b'{"n": 1}']
    add(path, b"}\n")
    assert read_appended(path, {inode: end}) == (os.stat(path).st_ino, [b'{"n": 2}'], os.path.getsize(path))
    assert read_appended(path, {inode: 500})[1] == [b'{"n": 1}', b'{"n": 2}']
