"""Writing the files that git tracks: what a person saves meanwhile is never lost."""

import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.markdown_file import read_inside, rewrite, sole_document_writer

from .writing import content, put

PATH = "stories/1/story.md"


def test_a_file_is_made_where_there_is_none(workspace):
    """The change is given None for its text."""
    given = []
    path = put(workspace, "stories/1/other.md", "x").replace("other.md", "story.md")
    assert rewrite(workspace, path, PATH, lambda text: given.append(text) or "new\n")
    assert (given, content(workspace, PATH)) == ([None], "new\n")


def test_nothing_is_written_without_a_difference(workspace):
    """Neither its content nor its time changes."""
    path = put(workspace, PATH, "same\r\n")
    os.utime(path, (1.0, 1.0))
    assert not rewrite(workspace, path, PATH, lambda text: text)
    assert os.stat(path).st_mtime == 1.0


def test_an_edit_in_between_is_read_again(workspace):
    """The change is worked out anew on what a person saved."""
    path = put(workspace, PATH, "one\n")

    def change(text):
        if text == "one\n":
            put(workspace, PATH, "a longer one\n")
        return f"{text}two\n"

    assert rewrite(workspace, path, PATH, change)
    assert content(workspace, PATH) == "a longer one\ntwo\n"


def test_a_file_that_changes_all_the_time_is_left_alone(workspace):
    """After some tries it is an error, and the other's text stays."""
    path = put(workspace, PATH, "x")

    def change(text):
        put(workspace, PATH, f"{text}x")
        return "ours"

    with pytest.raises(LimpetError, match="Another process is writing the file"):
        rewrite(workspace, path, PATH, change)
    assert set(content(workspace, PATH)) == {"x"}


def test_a_link_out_of_the_project_is_not_followed(workspace, tmp_path):
    """Neither read nor written."""
    (tmp_path / "secret.md").write_text("outside")
    path = put(workspace, PATH, "x")
    os.remove(path)
    os.symlink(tmp_path / "secret.md", path)
    with pytest.raises(LimpetError, match="Symlink out of the project"):
        read_inside(workspace, path, PATH)
    with pytest.raises(LimpetError, match="Symlink out of the project"):
        rewrite(workspace, path, PATH, lambda text: "ours")
    assert (tmp_path / "secret.md").read_text() == "outside"


def test_the_lock_is_free_again_after_an_error(workspace):
    """Whoever comes next gets it."""
    with pytest.raises(ValueError, match="broken"), sole_document_writer(workspace, "stories"):
        raise ValueError("broken")
    with sole_document_writer(workspace, "stories"):
        put(workspace, PATH, "x")
    assert content(workspace, PATH) == "x"
