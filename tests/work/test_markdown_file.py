"""Markdown files of ours: their names, their frontmatter, and the mistakes that people make in it."""

import os

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.markdown_file import (
    LARGEST,
    is_safe_name,
    load_keys,
    read_document,
    read_inside,
    refuse_newer,
    rewrite,
    set_document_keys,
    sole_document_writer,
    split_document,
)

from .writing import content, put


@pytest.mark.parametrize(
    ("name", "is_safe"),
    [
        *((name, True) for name in ("dev", "1.2", "QA_planning-2", "con-1", "a" * 80)),
        *((name, False) for name in ("", ".hidden", "a/b", "..", "a b", "é", "end.", "con", "COM1.txt", "a" * 81)),
    ],
)
def test_a_name_that_every_system_takes(name, is_safe):
    """Letters, digits, dots, dashes and underscores; no folders, Windows devices, and what is too long."""
    assert is_safe_name(name) == is_safe


def test_a_text_without_frontmatter_is_all_body():
    """A horizontal rule further down opens none; a list is no frontmatter."""
    parts = split_document("# Title\n---\nkey: value\n---\n", "story.md")
    assert (parts.head, parts.yaml, parts.rest) == ("", "", "# Title\n---\nkey: value\n---\n")
    with pytest.raises(LimpetError, match="must be a mapping of keys to values"):
        load_keys(split_document("---\n- a\n---\n", "story.md"), "story.md")


def test_a_mistake_is_told_with_the_line_of_the_file():
    """YAML counts from the frontmatter's first line, people from the file's."""
    with pytest.raises(LimpetError) as raised:
        load_keys(split_document("---\nid: 1\ntasks:\n  - [ ] one\n---\n", "story.md"), "story.md")
    assert raised.value.where == "story.md:4"
    assert raised.value.hint == 'Quote items with a box: - "[x] text"'


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_text_without_frontmatter_gets_one(end):
    """In the line ends that it has; keys without a value are left out."""
    text = set_document_keys(f"# Title{end}", {"status": "done", "agent": None}, "story.md")
    assert text == f"---{end}status: done{end}---{end}{end}# Title{end}"


def test_other_keys_keep_their_bytes():
    """Comments and quotes too."""
    text = "---\nid: '1'  # ours\nstatus: open\n---\nbody\n"
    assert set_document_keys(text, {"status": "done"}, "story.md") == text.replace("open", "done")


@pytest.mark.parametrize(
    ("raw", "message"), [(b"a\nb\xff\n", "Not UTF-8"), (b"x" * (LARGEST + 1), f"File is larger than {LARGEST} bytes")]
)
def test_what_is_no_text_is_refused(tmp_path, raw, message):
    """With the line of the first bad byte."""
    (tmp_path / "story.md").write_bytes(raw)
    with pytest.raises(LimpetError, match=message) as raised:
        read_document(str(tmp_path / "story.md"), "story.md")
    assert raised.value.where == ("story.md:2" if b"\xff" in raw else "story.md")


@pytest.mark.parametrize("version", [2, "1", None])
def test_a_newer_version_is_read_only(version):
    """And so is one that is no number."""
    with pytest.raises(LimpetError, match="schema_version"):
        refuse_newer(version, 1, "story.md")


PATH = "stories/1/story.md"


def test_a_file_is_made_where_there_is_none(workspace):
    """The change is given None for its text; without a difference neither content nor time changes."""
    given = []
    path = put(workspace, "stories/1/other.md", "x").replace("other.md", "story.md")
    assert rewrite(path, PATH, lambda text: given.append(text) or "new\n")
    assert (given, content(workspace, PATH)) == ([None], "new\n")
    path = put(workspace, PATH, "same\r\n")
    os.utime(path, (1.0, 1.0))
    assert not rewrite(path, PATH, lambda text: text)
    assert os.stat(path).st_mtime == 1.0


def test_an_edit_in_between_is_read_again(workspace):
    """The change is worked out anew on what a person saved."""
    path = put(workspace, PATH, "one\n")

    def change(text):
        if text == "one\n":
            put(workspace, PATH, "a longer one\n")
        return f"{text}two\n"

    assert rewrite(path, PATH, change)
    assert content(workspace, PATH) == "a longer one\ntwo\n"


def test_a_file_that_changes_all_the_time_is_left_alone(workspace):
    """After some tries it is an error, and the other's text stays."""
    path = put(workspace, PATH, "x")

    def change(text):
        put(workspace, PATH, f"{text}x")
        return "ours"

    with pytest.raises(LimpetError, match="Another process is writing the file"):
        rewrite(path, PATH, change)
    assert set(content(workspace, PATH)) == {"x"}


def test_a_link_out_of_the_project_is_not_followed(workspace, tmp_path):
    """Neither read nor written."""
    (tmp_path / "secret.md").write_text("outside")
    path = put(workspace, PATH, "x")
    os.remove(path)
    os.symlink(tmp_path / "secret.md", path)
    with pytest.raises(LimpetError, match="Symlink out of the project"):
        read_inside(path, PATH)
    with pytest.raises(LimpetError, match="Symlink out of the project"):
        rewrite(path, PATH, lambda text: "ours")
    assert (tmp_path / "secret.md").read_text() == "outside"


def test_the_lock_is_free_again_after_an_error(workspace):
    """Whoever comes next gets it."""
    with pytest.raises(ValueError, match="broken"), sole_document_writer(workspace, "stories"):
        raise ValueError("broken")
    with sole_document_writer(workspace, "stories"):
        put(workspace, PATH, "x")
    assert content(workspace, PATH) == "x"
