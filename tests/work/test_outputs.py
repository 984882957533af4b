"""The files that handoffs and stories name: the path in an item, and whether it stays within the project."""

import os

import pytest

from limpet.work.outputs import absent_file, is_gone, lies_inside, path_of


@pytest.mark.parametrize(
    ("output", "path"),
    [
        ("`src/a.py` - the endpoint", "src/a.py"),
        ("src/a.py", "src/a.py"),
        ("src/a.py - the endpoint", "src/a.py"),
        ("src/a.py — the endpoint", "src/a.py"),
        ("src/a.py: the endpoint", "src/a.py"),
        ("src/a.py (new)", "src/a.py"),
        ("**src/a.py** (new)", "src/a.py"),
        ("[brief](docs/brief.md#goals)", "docs/brief.md"),
        ("src/a.py:12", "src/a.py"),
        ("src/app/[id]/page.tsx", "src/app/[id]/page.tsx"),
        ("my notes.md", "my notes.md"),
        ("src/my-file.py", "src/my-file.py"),
        ("https://example.com/a", ""),
    ],
)
def test_the_path_in_an_output(output, path):
    """However the item goes on."""
    assert path_of(output) == path


@pytest.mark.parametrize("sign", ["(deleted)", "(removed)", "(Excluido)"])
def test_a_deleted_file_is_marked_at_the_end(sign):
    """In brackets, in English or Portuguese; in front of the path it is part of it."""
    assert is_gone(f"src/a.py {sign}")
    assert not is_gone(f"{sign} src/a.py")


@pytest.mark.parametrize("path", ["src/a.py", "src/../a.py", "", "not/there.md"])
def test_a_path_within_the_project(tmp_path, path):
    """Whether or not it exists."""
    assert lies_inside(str(tmp_path), path)


@pytest.mark.parametrize(
    "path", ["../a.py", "src/../../a.py", "/etc/hosts", "~/a.py", "C:\\a.py", "c:/a.py", "\\\\host\\a", "a\0b"]
)
def test_a_path_out_of_the_project(tmp_path, path):
    """In the spelling of any system."""
    assert not lies_inside(str(tmp_path), path)


def test_a_link_out_of_the_project_is_outside(tmp_path):
    """Links are followed, also in the middle of a path."""
    (tmp_path / "project").mkdir()
    (tmp_path / "elsewhere").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "project" / "docs")
    assert not lies_inside(str(tmp_path / "project"), "docs/a.md")


@pytest.mark.parametrize(
    ("evidence", "absent"),
    [
        ("a.py", ""),
        ("a.py:3: the function", ""),
        ("a.py::test_it", ""),
        ("folder/", ""),
        ("my notes.md", ""),
        ("none.py", "none.py"),
        ("folder/none: it is there", "folder/none"),
        ("[the report](none.md)", "none.md"),
        ("/etc/hosts", "/etc/hosts"),
        ("n/a", "n/a"),
        ("pytest", ""),
        ("pytest -q none.py: 3 passed", ""),
        ("seen on the screen", ""),
        ("https://example.com/none", ""),
    ],
)
def test_evidence_that_names_a_file_is_looked_for(tmp_path, evidence, absent):
    """What has blanks in it, neither a slash nor an ending, or is an address is taken for words."""
    for name in ("a.py", "my notes.md"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    assert absent_file(str(tmp_path), evidence) == absent
