"""Archives of deleted ``.limpet`` folders."""

import io
import os
import stat
import tarfile

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.storage.archives import (
    archive_folder,
    archives_of,
    make_archive,
    remove_old_archives,
    unpack_archive,
)

DAY = 86_400


@pytest.fixture
def home(tmp_path):
    """A ``.limpet`` with rules and a link out of it."""
    folder = tmp_path / "project" / ".limpet"
    (folder / "rules").mkdir(parents=True)
    (folder / "rules" / "global").write_text("x")
    (folder / "link").symlink_to("/etc/hostname")
    return str(folder)


@pytest.fixture
def private(tmp_path):
    """Its private folder, with a memory that only its owner reads, and the user's word."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "a.md").write_text("private")
    (folder / "a.md").chmod(0o600)
    (folder / "trust").write_text("yes")
    return str(folder)


def test_what_was_archived_comes_back(home, private):
    """Bytes, modes and times of files and folders; links and the user's word do not."""
    path = make_archive(home, private, 0.0)
    before = os.stat(os.path.join(private, "a.md"))
    os.rename(home, f"{home}.old")
    os.rename(private, f"{private}.old")
    assert unpack_archive(path, home, private) == 2
    after = os.stat(os.path.join(private, "a.md"))
    assert (after.st_mode, int(after.st_mtime)) == (before.st_mode, int(before.st_mtime))
    assert (os.listdir(home), os.listdir(private)) == (["rules"], ["a.md"])


def test_nobody_else_reads_an_archive(home, private):
    """Neither the file nor its folder."""
    path = make_archive(home, private, 0.0)
    modes = [stat.S_IMODE(os.stat(each).st_mode) for each in (path, archive_folder())]
    assert modes == [0o600, 0o700]


def test_archives_of_one_second_are_kept_apart_the_newest_first(home, private):
    """Each project's own only."""
    first, second = make_archive(home, private, 0.0), make_archive(home, private, 0.0)
    os.utime(first, (1, 1))
    assert archives_of(home) == (second, first)
    assert archives_of(os.path.join(os.path.dirname(home), "other", ".limpet")) == ()


def test_old_archives_go(home, private):
    """After so many days, never with 0."""
    path = make_archive(home, private, 0.0)
    os.utime(path, (0, 0))
    assert (remove_old_archives(0, 90 * DAY), remove_old_archives(30, 30 * DAY)) == (0, 0)
    assert remove_old_archives(30, 31 * DAY) == 1 and not os.path.exists(path)


def test_nothing_is_overwritten_and_a_broken_archive_says_so(home, private, tmp_path):
    """What stands there stays, and nothing is left."""
    with pytest.raises(LimpetError, match="exists already"):
        unpack_archive(make_archive(home, private, 0.0), home, private)
    (tmp_path / "bad.tar.gz").write_bytes(b"nothing")
    with pytest.raises(LimpetError, match="cannot be unpacked"):
        unpack_archive(str(tmp_path / "bad.tar.gz"), str(tmp_path / ".limpet"), private)
    assert not (tmp_path / ".limpet").exists()


@pytest.mark.parametrize("name", ["../x", ".limpet/../../x", "private/../x", "/x", "other/x"])
def test_an_archive_that_leads_elsewhere_is_refused_whole(tmp_path, name):
    """Before anything is written."""
    path = tmp_path / "bad.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for each in (".limpet/a", "private/a", name):
            archive.addfile(tarfile.TarInfo(each), io.BytesIO())
    with pytest.raises(LimpetError, match="no file of a project"):
        unpack_archive(str(path), str(tmp_path / "project" / ".limpet"), str(tmp_path / "private"))
    assert not (tmp_path / "project").exists() and not (tmp_path / "private").exists() and not (tmp_path / "x").exists()
