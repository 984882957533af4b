"""Changes to files, planned and carried out."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.hosts.file_changes import ChangePlan, FileChange, apply_changes, missing_folders, read_text_strictly


def test_a_file_is_made_with_its_folders_and_removed_with_them(project):
    """A folder that holds something else stays."""
    path, folder = project / "a" / "b" / "file", project / "a" / "b"
    folders = missing_folders(str(path))
    assert folders == (str(folder), str(project / "a"))
    apply_changes([FileChange(str(path), "new", None, b"text\n")])
    assert path.read_bytes() == b"text\n"
    (project / "a" / "other").write_text("mine")
    apply_changes([FileChange(str(path), "gone", b"text\n", None, folders=folders)])
    assert not folder.exists() and (project / "a" / "other").exists()


def test_nothing_is_written_when_a_file_is_not_what_the_plan_saw(project):
    """Neither that file nor the one before it."""
    first, second = project / "first", project / "second"
    second.write_bytes(b"edited meanwhile")
    changes = [FileChange(str(first), "new", None, b"1"), FileChange(str(second), "changed", b"as planned", b"2")]
    with pytest.raises(LimpetError, match="A file changed in the meantime; nothing was written"):
        apply_changes(changes)
    assert not first.exists() and second.read_bytes() == b"edited meanwhile"


def test_only_changes_that_change_something_are_pending():
    """Plans add up in their order."""
    same, new = FileChange("a", "same", b"1", b"1"), FileChange("b", "new", None, b"1")
    whole = ChangePlan((same,), ("first",)) + ChangePlan((new,), ("second",))
    assert whole.pending() == (new,) and whole.notes == ("first", "second")


def test_a_file_that_is_not_utf_8_is_refused(project):
    """With the byte; one that is not there is empty."""
    path = project / "latin"
    path.write_bytes(b"caf\xe9")
    with pytest.raises(LimpetError, match="Not valid UTF-8 at byte 3"):
        read_text_strictly(str(path))
    assert read_text_strictly(str(project / "none")) == (None, "")
