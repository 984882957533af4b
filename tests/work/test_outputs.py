"""The files that handoffs and stories name: the path in an item, and whether it stays within the project."""

import os

import pytest

from limpet.work.outputs import absent_file, is_gone, lies_inside, path_of


@pytest.mark.parametrize(("output", "path"), [
    ("`src/a.py` - the endpoint", "src/a.py"), ("src/a.py", "src/a.py"), ("src/a.py - the endpoint", "src/a.py"),
    ("src/a.py — the endpoint", "src/a.py"), ("src/a.py: the endpoint", "src/a.py"), ("src/a.py (new)", "src/a.py"),
    ("**src/a.py** (new)", "src/a.py"), ("[brief](docs/brief.md#goals)", "docs/brief.md"),
    ("src/a.py:12", "src/a.py"), ("src/app/[id]/page.tsx", "src/app/[id]/page.tsx"), ("my notes.md", "my notes.md"),
    ("src/my-file.py", "src/my-file.py"), ("https://example.com/a", ""),
])  # fmt: skip
def test_the_path_in_an_output(output, path):
    """However the item goes on."""
    assert path_of(output) == path


@pytest.mark.parametrize("sign", ["(deleted)", "(removed)", "(Excluido)"])
def test_a_deleted_file_is_marked_at_the_end(sign):
    """In brackets, in English or Portuguese; in front of the path it is part of it."""
    assert is_gone(f"src/a.py {sign}")
    assert not is_gone(f"{sign} src/a.py")


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        *((path, True) for path in ("src/a.py", "src/../a.py", "", "not/there.md")),
        *((path, False) for path in ("../a.py", "src/../../a.py", "/etc/hosts", "~/a.py", "C:\\a.py", "c:/a.py")),
        *((path, False) for path in ("\\\\host\\a", "a\0b", "docs/a.md")),
    ],
)
def test_a_path_within_the_project(tmp_path, path, inside):
    """Whether or not it exists, in the spelling of any system; a link in the middle of a path is followed."""
    (tmp_path / "project").mkdir()
    os.symlink(tmp_path, tmp_path / "project" / "docs")
    assert lies_inside(str(tmp_path / "project"), path) == inside


@pytest.mark.parametrize(("evidence", "absent"), [
    ("a.py", ""), ("a.py:3: the function", ""), ("a.py::test_it", ""), ("folder/", ""), ("my notes.md", ""),
    ("none.py", "none.py"), ("folder/none: it is there", "folder/none"), ("[the report](none.md)", "none.md"),
    ("/etc/hosts", "/etc/hosts"), ("n/a", "n/a"), ("pytest", ""), ("pytest -q none.py: 3 passed", ""),
    ("seen on the screen", ""), ("https://example.com/none", ""),
])  # fmt: skip
def test_evidence_that_names_a_file_is_looked_for(tmp_path, evidence, absent):
    """What has blanks in it, neither a slash nor an ending, or is an address is taken for words."""
    for name in ("a.py", "my notes.md"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    assert absent_file(str(tmp_path), evidence) == absent
