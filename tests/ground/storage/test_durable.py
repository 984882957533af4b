"""Writes of what people would miss: whole, for their owner only, and never over somebody else's file."""

import os
import stat
import sys

import pytest

from limpet.ground.storage import durable
from limpet.ground.storage.files import stamp

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


def read(path):
    with open(path, "rb") as file:
        return file.read()


@pytest.fixture
def path(tmp_path):
    """Where a file may lie."""
    return str(tmp_path / "a.md")


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_replaces_nothing(path, tmp_path, monkeypatch, links):
    def refuse(*_):
        raise OSError("no links here")

    if not links:
        monkeypatch.setattr(os, "link", refuse)
    durable.create_file(path, b"one")
    with pytest.raises(FileExistsError):
        durable.create_file(path, b"two")
    assert (read(path), os.listdir(tmp_path)) == (b"one", ["a.md"])


def test_a_file_that_somebody_saved_meanwhile_is_not_replaced(path, tmp_path):
    durable.create_file(path, b"one")
    mark = stamp(path)
    durable.replace_file(path, b"by hand")
    assert durable.replace_file(path, b"two", mark) is False
    assert (read(path), os.listdir(tmp_path)) == (b"by hand", ["a.md"])
    assert durable.replace_file(path, b"two", stamp(path)) is True
    assert (read(path), os.listdir(tmp_path)) == (b"two", ["a.md"])


@POSIX
def test_files_and_folders_are_their_owners_only(tmp_path):
    os.mkdir(tmp_path / "loose", 0o755)
    for name in ("loose", "new"):
        durable.make_folder(str(tmp_path / name))
        durable.create_file(str(tmp_path / name / "a"), b"")
        assert stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o700
        assert stat.S_IMODE(os.stat(tmp_path / name / "a").st_mode) == 0o600


@POSIX
@pytest.mark.parametrize(
    "write",
    [durable.replace_file, lambda path, raw: durable.write_durably(path, raw, follow=False)],
    ids=["replaced", "state of ours"],
)
def test_a_link_is_replaced_and_not_followed(path, tmp_path, write):
    (tmp_path / "theirs").write_bytes(b"theirs")
    os.symlink(tmp_path / "theirs", path)
    write(path, b"ours")
    assert (read(path), (tmp_path / "theirs").read_bytes(), os.path.islink(path)) == (b"ours", b"theirs", False)


def test_a_rename_replaces_nothing(path, tmp_path):
    durable.create_file(path, b"one")
    durable.create_file(str(tmp_path / "b.md"), b"two")
    with pytest.raises(FileExistsError):
        durable.rename_file(path, str(tmp_path / "b.md"))
    durable.rename_file(path, str(tmp_path / "c.md"))
    assert sorted(os.listdir(tmp_path)) == ["b.md", "c.md"]


def test_a_full_disk_leaves_the_old_bytes_and_no_draft(path, tmp_path, monkeypatch):
    durable.create_file(path, b"one")

    def refuse(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        durable.replace_file(path, b"two")
    assert (read(path), os.listdir(tmp_path)) == (b"one", ["a.md"])


def test_a_users_file_is_on_the_disk_before_the_write_returns(tmp_path, monkeypatch):
    """Its bytes before they take the old ones' place, then the names of all folders that are new."""
    done = []
    monkeypatch.setattr(os, "fsync", lambda handle: done.append(("sync", stat.S_ISDIR(os.fstat(handle).st_mode))))
    monkeypatch.setattr(os, "replace", lambda a, b, do=os.replace: (done.append(("replace", False)), do(a, b)))
    path = str(tmp_path / "new" / "deeper" / "a.yaml")
    durable.write_durably(path, "one", 0o644)
    assert read(path) == b"one"
    assert done[:2] == [("sync", False), ("replace", False)]
    assert done[2:] == ([] if os.name == "nt" else [("sync", True)] * 3)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_users_own_link_is_followed(tmp_path):
    """As from a project to a folder of settings that a person keeps elsewhere."""
    (tmp_path / "kept").write_text("old")
    (tmp_path / "link").symlink_to("kept")
    durable.write_durably(str(tmp_path / "link"), "new")
    assert (os.path.islink(tmp_path / "link"), (tmp_path / "kept").read_text()) == (True, "new")


@POSIX
def test_the_names_of_new_folders_are_on_the_disk_too(tmp_path, monkeypatch):
    """A folder's name stands in the folder above it."""
    synced = []
    monkeypatch.setattr(durable, "sync_folder", synced.append)
    home = str(tmp_path)
    durable.make_shared_folders(f"{home}/a/b")
    durable.make_shared_folders(f"{home}/a/b")
    assert sorted(synced) == [home, f"{home}/a"]
    synced.clear()
    durable.write_durably(f"{home}/c/d/e", b"x")
    assert sorted(synced) == [home, f"{home}/c", f"{home}/c/d"]


def test_the_time_of_a_file_is_on_the_disk(path, monkeypatch):
    """By it, it may be deleted."""
    durable.create_file(path, b"one")
    synced = []
    monkeypatch.setattr(durable, "sync_file", synced.append)
    durable.date_file(path, 1_700_000_000.0)
    assert (os.stat(path).st_mtime, synced) == (1_700_000_000.0, [path])
