"""Patterns of files, many at once, against the plain reading of each."""

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.work.documents.project_files import PathIndex

NAMES = st.sampled_from(["a", "b", "src", "a.py", "b.k6.js", "main.py", "README.md", ".github", "x[1]", "a.b.py"])
PATHS = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), max_size=12)
PATTERNS = st.sampled_from(
    ["a", "*.py", "*.k6.js", "main.*", "*", "/a", "/src/a", "src/*", "/README*", ".github/b", "?.py", "[ab].py", "*a*"]
)


def is_match(path, pattern):
    """The rule in words: a name anywhere, or a path from the root; a folder stands for all in it."""
    parts, body = path.split("/"), pattern.strip("/")
    if "/" not in pattern.rstrip("/"):
        return any(fnmatch.fnmatchcase(part, body) for part in parts)
    return any(fnmatch.fnmatchcase("/".join(parts[:count]), body) for count in range(1, len(parts) + 1))


@given(PATHS, st.lists(PATTERNS, max_size=3))
def test_a_path_is_found_if_one_pattern_says_so(paths, patterns):
    wanted = {path for path in paths if any(is_match(path, pattern) for pattern in patterns)}
    assert PathIndex(paths).match(tuple(patterns)) == wanted


@pytest.mark.parametrize(
    ("depth", "wanted"), [(1, {"src/"}), (2, {"src/", "src/a/"}), (9, {"src/", "src/a/", "src/a/b/"})]
)
def test_folders_are_told_apart_down_to_a_depth(depth, wanted):
    """Those above a match too; the root is none."""
    index = PathIndex(["src/a/b/x.py", "main.py", "docs/x.md"])
    assert index.folders(("*.py",), depth) == wanted
