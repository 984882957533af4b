"""Our block in a file of the user's, and out again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import BLOCK_OPEN, CLOSE, has_block, put_block, take_block

BODY = "## Ours\n\nline\n"
# Hypothesis draws literals of the source too: files that hold one of the markers are another test's.
FILES = st.one_of(
    st.none(),
    st.binary(max_size=60).filter(
        lambda raw: raw[:2] not in (b"\xff\xfe", b"\xfe\xff") and BLOCK_OPEN not in raw and CLOSE not in raw
    ),
    st.text("a#\n\r\ufeffé ", max_size=40).map(str.encode),
)


@given(FILES, st.sampled_from([BODY, "", "x\n"]))
def test_what_is_taken_out_again_leaves_no_trace(raw, body):
    """Whatever the file was: none, empty, without a last line break, CRLF, with a BOM, no UTF-8; twice is once."""
    once = put_block(raw, BODY, "f")
    assert has_block(once) and put_block(once, BODY, "f") == once
    assert take_block(put_block(once, body, "f"), "f") == raw


def test_line_ends_are_the_files_own():
    """A file with CRLF gets CRLF; in UTF-16 our bytes would spoil it."""
    raw = put_block(b"# Mine\r\n", BODY, "f")
    assert raw.count(b"\n") == raw.count(b"\r\n") == 6
    with pytest.raises(LimpetError, match="UTF-16"):
        put_block("# Mine".encode("utf-16"), BODY, "f")


@pytest.mark.parametrize("mine", [b"# Mine\n", b"# Mine", b"\xef\xbb\xbf# Mine\r\n"])
def test_edits_around_the_block_stay(mine):
    """Text that the user wrote before and behind it, and into a file that was made for it."""
    for raw in (mine, None):
        edited = b"before\n" + put_block(raw, BODY, "f") + b"after"
        left = take_block(edited, "f")
        assert left is not None and left.startswith(b"before\n" + (raw or b"")) and left.endswith(b"after")
        assert b"Ours" not in left and b"\nafter" in left


@pytest.mark.parametrize(
    ("raw", "line"),
    [
        (b"a\n<!-- limpet:begin -->\nx\n", "f:2"),
        (b"a\nb\n<!-- limpet:end -->\n", "f:3"),
        (b"<!-- limpet:end -->\n<!-- limpet:begin -->\n", "f:2"),
        (b"<!-- limpet:begin -->\n<!-- limpet:end -->\n" * 2, "f:1"),
        (b"<!-- limpet:begin\n<!-- limpet:end -->\n", "f:1"),
    ],
)
def test_markers_that_do_not_pair_are_refused(raw, line):
    """Nothing is guessed in a user's file."""
    for act in (lambda: put_block(raw, BODY, "f"), lambda: take_block(raw, "f")):
        with pytest.raises(LimpetError) as error:
            act()
        assert error.value.where == line
