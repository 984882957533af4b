"""Text files of people and commands: read only where an edit loses nothing, written by one at a time."""

import errno
import os
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import Lock
from limpet.ground.storage.text_file import fair_lock, read_strictly, replace_text, sole_writer


def test_the_exact_text_is_read(tmp_path):
    (tmp_path / "a").write_bytes("\ufeffé\r\n".encode())
    assert read_strictly(str(tmp_path / "a"), "a") == "\ufeffé\r\n"


def test_a_missing_file_is_empty(tmp_path):
    assert read_strictly(str(tmp_path / "a"), "a") == ""


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"a: \xff\n", "File is not UTF-8: a.yaml"),
        (b"a: 1\n<<<<<<< HEAD\n", "a.yaml:2: Unresolved merge conflict"),
        (b"a: 1\n=======\n", "a.yaml:2: Unresolved merge conflict"),
    ],
)
def test_a_text_that_an_edit_would_harm_is_refused(tmp_path, raw, message):
    (tmp_path / "a").write_bytes(raw)
    with pytest.raises(LimpetError, match=message):
        read_strictly(str(tmp_path / "a"), "a.yaml")


def test_a_folder_in_its_place_is_refused(tmp_path):
    with pytest.raises(LimpetError, match="Cannot read the file"):
        read_strictly(str(tmp_path), "a.yaml")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a")
    with pytest.raises(LimpetError, match="Not a regular file"):
        read_strictly(str(tmp_path / "a"), "a.yaml")


def test_what_was_replaced_reads_back(tmp_path):
    replace_text(str(tmp_path / "a"), "é\r\n", "a", 0o644)
    assert read_strictly(str(tmp_path / "a"), "a") == "é\r\n"


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(LimpetError, match="Cannot write the file"):
        replace_text(str(tmp_path / "file" / "a"), "x", "a.yaml", 0o644)


def test_a_second_writer_is_refused_while_the_first_is_at_work(tmp_path):
    lock = str(tmp_path / "a.lock")
    refused = pytest.raises(LimpetError, match=r"Cannot lock \(.*a.lock: in use by another process\): a.yaml")
    with Lock(lock), refused, sole_writer(lock, "a.yaml", 0):
        pass


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_lock_that_cannot_be_made_is_refused_with_the_systems_own_reason(tmp_path, monkeypatch, number):
    """No inodes left, a file system for reading only, a folder of somebody else's: nobody is at work there."""

    def refuse(path):
        raise OSError(number, os.strerror(number), path)

    for module in ("files", "text_file"):
        monkeypatch.setattr(f"limpet.ground.storage.{module}.open_append", refuse)
    with pytest.raises(LimpetError) as raised, sole_writer(str(tmp_path / "a.lock"), "a.yaml"):
        pass
    assert f"a.lock: {os.strerror(number)}): a.yaml" in str(raised.value)


def test_one_holds_it_and_nobody_else(tmp_path):
    path = str(tmp_path / "a.lock")
    with fair_lock(path, 1.0) as first, fair_lock(path, 0.0) as second:
        assert (first, second) == (True, False)
    with fair_lock(path, 0.0) as third:
        assert third


def test_while_somebody_waits_nobody_else_gets_it(tmp_path):
    path = str(tmp_path / "a.lock")
    with Lock(f"{path}.next", 0.0) as waiting, fair_lock(path, 0.0) as held:
        assert (waiting, held) == (True, False)


def test_what_cannot_be_locked_is_not_held(tmp_path):
    (tmp_path / "file").write_text("")
    with fair_lock(str(tmp_path / "file" / "a.lock"), 0.0) as held:
        assert not held
