"""Links in ``.limpet``: followed inside the project, and by nobody out of it."""

import os
import sys

import pytest

from limpet.ground.errors import LimpetError
from limpet.ground.storage import durable, files
from limpet.ground.storage.confinement import is_linked, leads_out
from limpet.ground.storage.json_lines import append_line
from limpet.ground.storage.text_file import read_strictly, replace_text, sole_writer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


@pytest.fixture
def home(tmp_path):
    """A project's ``.limpet``, with a folder that leads out, one that stays inside, and a file that leads out."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a").write_text("mine")
    home = tmp_path / "project" / ".limpet"
    home.mkdir(parents=True)
    (tmp_path / "project" / "docs").mkdir()
    (home / "out").symlink_to(tmp_path / "mine")
    (home / "inside").symlink_to("../docs")
    (home / "file").symlink_to("../../mine/a")
    (home / "real").mkdir()
    return str(home)


@pytest.mark.parametrize(
    ("path", "out", "linked"),
    [
        ("real/a", False, False),
        ("missing/a", False, False),
        ("inside/a", False, True),
        ("out/a", True, True),
        ("out/missing/a", True, True),
        ("file", True, True),
        ("real/../out/a", True, True),
        ("real/../../../mine/a", True, True),
        ("real\0/a", False, False),
        ("", False, False),
    ],
)
def test_where_a_path_leads(home, path, out, linked):
    full = f"{home}/{path}".rstrip("/")
    assert (leads_out(full), is_linked(full)) == (out, linked)


def test_a_linked_folder_of_the_project_leads_out_with_all_in_it(tmp_path, home):
    """A link above the project is the user's, as /tmp on some systems."""
    (tmp_path / "other").mkdir()
    os.symlink(home, tmp_path / "other" / ".limpet")
    assert leads_out(str(tmp_path / "other" / ".limpet"))
    assert leads_out(str(tmp_path / "other" / ".limpet" / "real" / "a"))
    os.symlink(tmp_path / "project", tmp_path / "short")
    assert not leads_out(str(tmp_path / "short" / ".limpet" / "real" / "a"))
    assert leads_out(str(tmp_path / "short" / ".limpet" / "out" / "a"))


def test_paths_beside_the_folder_are_asked_about_with_the_projects_root(tmp_path, home):
    """Without it, they are the user's own, and followed."""
    os.symlink(tmp_path / "mine", tmp_path / "project" / "squads")
    path = str(tmp_path / "project" / "squads" / "a")
    assert (leads_out(path), leads_out(path, str(tmp_path / "project"))) == (False, True)


@pytest.mark.parametrize("path", ["out/a", "file"])
def test_nothing_is_read_through_a_link_out_of_the_project(home, path):
    full = f"{home}/{path}"
    assert (files.read_text(full), files.read_bytes(full), files.view_file(full)) == (None, None, None)
    with pytest.raises(LimpetError, match="ymlink out of the project"):
        read_strictly(full, path)


@pytest.mark.parametrize(
    "write",
    [
        lambda path: files.write_atomic(path, "new"),
        lambda path: files.write_atomic(path, "new", follow=False),
        lambda path: durable.write_durably(path, "new"),
        lambda path: durable.create_file(path + ".new", b"new"),
        lambda path: durable.replace_file(path, b"new"),
        lambda path: durable.rename_file(path, path + ".new"),
        lambda path: durable.delete_file(path),
        lambda path: durable.make_folder(path + ".new"),
        lambda path: append_line(path, "new", 10**6),
        lambda path: replace_text(path, "new", "a", 0o600),
        lambda path: sole_writer(path + ".lock", "a").__enter__(),
    ],
)
def test_nothing_is_written_through_a_linked_folder(tmp_path, home, write):
    with pytest.raises((OSError, LimpetError), match="ymlink out of the project"):
        write(f"{home}/out/a")
    files.remove_file(f"{home}/out/a")
    assert (os.listdir(tmp_path / "mine"), (tmp_path / "mine" / "a").read_text()) == (["a"], "mine")


def test_a_lock_in_a_linked_folder_is_not_held(home, tmp_path):
    """Inside the project links are followed."""
    with files.Lock(f"{home}/out/lock", 0) as held:
        assert not held
    assert not os.path.exists(f"{home}/out/lock")
    files.write_atomic(f"{home}/inside/a", "new")
    assert (tmp_path / "project" / "docs" / "a").read_text() == files.read_text(f"{home}/inside/a") == "new"
