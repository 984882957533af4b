"""Reads that never wait, writes that are whole, and locks that exclude."""

import os
import stat
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.storage import files

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


def read(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.fixture
def path(tmp_path):
    """Where a file may lie, in a folder that is not there yet."""
    return str(tmp_path / "folder" / "a.txt")


@pytest.mark.parametrize(
    ("raw", "text"),
    [(b"\xef\xbb\xbfa\r\nb", "a\r\nb"), (b"a\xffb", "a\ufffdb"), (b"", "")],
    ids=["bom", "latin", "empty"],
)
def test_any_bytes_are_read_as_text(tmp_path, raw, text):
    (tmp_path / "a").write_bytes(raw)
    assert files.read_text(str(tmp_path / "a")) == text


@pytest.mark.parametrize("name", ["absent", ".", "nul\0", "pipe"])
def test_what_is_no_file_reads_as_none(tmp_path, name):
    """A pipe is not waited for."""
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    assert files.read_text(str(tmp_path / name)) is files.read_bytes(str(tmp_path / name)) is None


def test_what_is_too_large_to_read_is_said_rather_than_absent(tmp_path):
    """Who takes it for absent writes in its place."""
    with open(tmp_path / "a", "wb") as file:
        file.truncate(files.MOST_BYTES + 1)
    with pytest.raises(LimpetError, match="larger than 256 MB and is not read"):
        files.read_bytes(str(tmp_path / "a"))
    assert files.read_bytes(str(tmp_path / "a"), files.MOST_BYTES) is None


def test_a_view_reads_pieces_of_the_file(tmp_path):
    """And does not see one that took its place."""
    (tmp_path / "a").write_bytes(b"0123456789")
    view = files.view_file(str(tmp_path / "a"))
    if sys.platform != "win32":
        files.write_atomic(str(tmp_path / "a"), b"new")
    assert (len(view), view[2:5], view[8:]) == (10, b"234", b"89")


def test_a_write_makes_folders_and_leaves_no_draft(path):
    """New files and folders are their owner's only, an existing one keeps its permissions."""
    files.write_atomic(path, "é")
    assert (read(path), os.listdir(os.path.dirname(path))) == ("é".encode(), ["a.txt"])
    if sys.platform != "win32":
        assert [stat.S_IMODE(os.stat(each).st_mode) for each in (path, os.path.dirname(path))] == [0o600, 0o700]
        os.chmod(path, 0o640)
        files.write_atomic(path, "x")
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o640


@POSIX
@pytest.mark.parametrize(("follow", "linked"), [(True, b"new"), (False, b"old")])
def test_a_link_is_followed_or_replaced(tmp_path, follow, linked):
    """A clone may bring links that lead anywhere, so state of ours takes their place."""
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    files.write_atomic(str(tmp_path / "link"), "new", follow=follow)
    assert (read(tmp_path / "link"), read(tmp_path / "target")) == (b"new", linked)


def test_a_failed_write_keeps_the_old_file_and_leaves_no_draft(tmp_path, monkeypatch):
    (tmp_path / "a").write_bytes(b"old")

    def refuse(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="disk full"):
        files.write_atomic(str(tmp_path / "a"), "new")
    assert (read(tmp_path / "a"), os.listdir(tmp_path)) == (b"old", ["a"])


def test_an_edit_changes_the_stamp(tmp_path):
    (tmp_path / "a").write_bytes(b"1")
    before = files.stamp(str(tmp_path / "a"))
    (tmp_path / "a").write_bytes(b"12")
    assert files.stamp(str(tmp_path / "a")) != before


@pytest.mark.parametrize(
    ("age_ns", "reliable"), [(10**9, True), (0, False), (-(10**9), False), (-2 * files.HOUR_NS, True)]
)
def test_a_stamp_is_reliable_once_no_edit_can_repeat_it(age_ns, reliable):
    now = 10**18
    assert files.is_reliable((now - age_ns, 1, 1), now) is reliable


def test_a_held_lock_is_refused_and_free_again_afterwards(path):
    with files.Lock(path) as held, files.Lock(path, patience=0) as second:
        pass
    with files.Lock(path, patience=0) as third:
        pass
    assert (held, second, third) == (True, False, True)
