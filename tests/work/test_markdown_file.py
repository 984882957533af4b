"""Markdown files of ours: their names, their frontmatter, and the mistakes that people make in it."""

import pytest

from limpet.ground.errors import LimpetError
from limpet.work.markdown_file import (
    LARGEST,
    is_safe_name,
    load_keys,
    read_document,
    refuse_newer,
    set_document_keys,
    split_document,
)


@pytest.mark.parametrize("name", ["dev", "1.2", "QA_planning-2", "con-1", "a" * 80])
def test_a_name_that_every_system_takes(name):
    """Letters, digits, dots, dashes and underscores."""
    assert is_safe_name(name)


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "..", "a b", "é", "end.", "con", "COM1.txt", "a" * 81])
def test_a_name_that_some_system_refuses(name):
    """Folders, Windows devices, and what is too long."""
    assert not is_safe_name(name)


def test_a_text_without_frontmatter_is_all_body():
    """A horizontal rule further down opens none."""
    parts = split_document("# Title\n---\nkey: value\n---\n", "story.md")
    assert (parts.head, parts.yaml, parts.rest) == ("", "", "# Title\n---\nkey: value\n---\n")


def test_a_mistake_is_told_with_the_line_of_the_file():
    """YAML counts from the frontmatter's first line, people from the file's."""
    with pytest.raises(LimpetError) as raised:
        load_keys(split_document("---\nid: 1\ntasks:\n  - [ ] one\n---\n", "story.md"), "story.md")
    assert raised.value.where == "story.md:4"
    assert raised.value.hint == 'Quote items with a box: - "[x] text"'


def test_frontmatter_must_be_keys():
    """A list is none."""
    with pytest.raises(LimpetError, match="must be a mapping of keys to values"):
        load_keys(split_document("---\n- a\n---\n", "story.md"), "story.md")


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
    ("raw", "message"),
    [(b"a\nb\xff\n", "Not UTF-8"), (b"x" * (LARGEST + 1), f"File is larger than {LARGEST} bytes")],
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
