"""A package in its folder: written whole, and never over or outside of anything else."""

import os
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.hosts.packages import LIST, write_package

FILES = {"a.json": b"{}\n", "hooks/hooks.json": b"[]\n"}
NEWER = {"a.json": b'{"version": 2}\n', "skills/limpet/SKILL.md": b"---\n"}


def content(folder):
    """Relative path -> bytes of what is in a folder, our list apart."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.name != LIST]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_a_new_and_an_empty_folder_get_the_files(tmp_path):
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new/deep"):
        write_package(FILES, str(tmp_path / name))
        assert content(tmp_path / name) == FILES
    assert {path.name for path in tmp_path.iterdir()} - {"home"} == {"empty", "new"}


def test_an_older_package_is_replaced(tmp_path):
    """What only the older one had is gone, with its folders."""
    write_package(FILES, str(tmp_path))
    write_package(NEWER, str(tmp_path))
    assert content(tmp_path) == NEWER
    assert not (tmp_path / "hooks").exists()
    write_package(NEWER, str(tmp_path))
    assert content(tmp_path) == NEWER


def test_a_package_that_was_half_written_is_finished(tmp_path):
    """There is no list yet, and what is there is as it would be written."""
    (tmp_path / "a.json").write_bytes(FILES["a.json"])
    write_package(FILES, str(tmp_path))
    assert content(tmp_path) == FILES


@pytest.mark.parametrize("name", ["notes.txt", "hooks/mine.json", ".git/../x"])
def test_a_folder_with_other_files_is_refused(tmp_path, name):
    """Also where a package of ours is in it; nothing is written."""
    folder = tmp_path / "out"
    write_package(FILES, str(folder))
    other = folder / name if ".." not in name else folder / "x"
    other.write_bytes(b"mine")
    before = content(folder)
    with pytest.raises(LimpetError, match="no file of a package of ours"):
        write_package(NEWER, str(folder))
    assert content(folder) == before


def test_a_file_of_ours_that_was_changed_is_refused(tmp_path):
    write_package(FILES, str(tmp_path))
    (tmp_path / "a.json").write_bytes(b"mine")
    with pytest.raises(LimpetError, match=r"a\.json"):
        write_package(NEWER, str(tmp_path))
    assert (tmp_path / "a.json").read_bytes() == b"mine"


def test_a_repository_may_hold_the_package(tmp_path):
    """A marketplace is published from one; nothing of git's is touched."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_bytes(b"[core]\n")
    write_package(FILES, str(tmp_path))
    assert content(tmp_path) == {**FILES, ".git/config": b"[core]\n"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
@pytest.mark.parametrize("name", ["hooks", "a.json", LIST])
def test_no_link_leads_the_writing_out(tmp_path, name):
    """Neither a folder nor a file, also where what it leads to is what would be written."""
    folder, outside = tmp_path / "out", tmp_path / "outside"
    folder.mkdir()
    if name == "hooks":
        outside.mkdir()
        (outside / "hooks.json").write_bytes(FILES["hooks/hooks.json"])
    else:
        outside.write_bytes(FILES["a.json"])
    os.symlink(outside, folder / name)
    with pytest.raises(LimpetError, match="no file of a package of ours"):
        write_package(NEWER, str(folder))
    assert sorted(os.listdir(folder)) == [name]
    assert content(tmp_path)[f"outside{'/hooks.json' if name == 'hooks' else ''}"] in FILES.values()
