"""Patches in the form of ``apply_patch``."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.hosts.payload import edits_in, files_in, is_one_new_file

MOVED = """*** Begin Patch
*** Add File: src/z.py
+x = 1
+
*** Update File: a.txt
*** Move to: b/a: new.txt
@@ class A
 kept
-old
+new

 end
@@
-gone
*** End of File
*** Delete File: c.txt
*** End Patch
"""


def test_every_file_is_named():
    """Also the one that a file becomes."""
    assert files_in(MOVED) == ["src/z.py", "a.txt", "b/a: new.txt", "c.txt"]


def test_each_part_is_an_edit_with_the_lines_that_stay():
    assert edits_in(MOVED) == (
        ("", "x = 1\n\n", False),
        ("kept\nold\n\nend\n", "kept\nnew\n\nend\n", False),
        ("gone\n", "", False),
    )


@pytest.mark.parametrize(
    ("patch", "new"),
    [
        ("*** Begin Patch\n*** Add File: a\n+x\n*** End Patch", True),
        ("*** Begin Patch\n*** Add File: a\n+x\n*** Add File: b\n+x\n*** End Patch", False),
        ("*** Begin Patch\n*** Update File: a\n+x\n*** End Patch", False),
        (MOVED, False),
        ("", False),
    ],
)
def test_one_new_file_is_told_from_changes(patch, new):
    assert is_one_new_file(patch) == new


@given(st.text())
def test_any_text_is_read(text):
    assert all(old != new for old, new, _ in edits_in(text)) and isinstance(files_in(text), list)
