"""Text files of people and commands: read only where an edit loses nothing, written by one at a time."""

import errno
import os
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import Lock
from limpet.ground.storage.text_file import fair_lock, read_strictly, replace_text, sole_writer


def test_the_exact_text_is_read_and_written(tmp_path):
    """A missing file is empty; one that cannot be written is named."""
    path = str(tmp_path / "a")
    assert read_strictly(path, "a") == ""
    replace_text(path, "\ufeffé\r\n", "a", 0o644)
    assert read_strictly(path, "a") == "\ufeffé\r\n"
    with pytest.raises(LimpetError, match="Cannot write the file"):
        replace_text(f"{path}/a", "x", "a.yaml", 0o644)


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


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
def test_a_folder_or_a_pipe_in_its_place_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a")
    for path, why in ((tmp_path, "Cannot read the file"), (tmp_path / "a", "Not a regular file")):
        with pytest.raises(LimpetError, match=why):
            read_strictly(str(path), "a.yaml")


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
    """Nor while somebody waits, nor where nothing can be locked."""
    path = str(tmp_path / "a.lock")
    with fair_lock(path, 1.0) as first, fair_lock(path, 0.0) as second:
        assert (first, second) == (True, False)
    with fair_lock(path, 0.0) as third:
        assert third
    with Lock(f"{path}.next", 0.0) as waiting, fair_lock(path, 0.0) as held:
        assert (waiting, held) == (True, False)
    (tmp_path / "file").write_text("")
    with fair_lock(str(tmp_path / "file" / "a.lock"), 0.0) as held:
        assert not held
