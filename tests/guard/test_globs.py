"""Globs over paths."""

import pytest

from holdfast.guard.globs import matches


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.py", "src/deep/a.py"),
        ("src/*.py", "src/a.py"),
        ("src/**", "src/deep/a.py"),
        ("src/**/a.py", "src/a.py"),
        ("**/build/**", "build/x"),
        ("src/orders", "src/orders/deep/a.py"),
        ("tests/", "tests/a.py"),
        ("./a.py", "a.py"),
        ("app/[id]/page.tsx", "app/[id]/page.tsx"),
        ("a?c", "abc"),
        ("*tokens*.json", "x/my-tokens-1.json"),
    ],
)
def test_what_is_meant(pattern, path):
    """A glob without a folder means a name anywhere, a folder all below it, brackets themselves."""
    assert matches(path, pattern)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/*.py", "src/deep/a.py"),
        ("*.sh", "helm.sh/helm"),
        ("*.py", "a.pyc"),
        ("tests/", "src/tests/a"),
        ("src/a", "src/ab"),
        ("a?c", "ac"),
    ],
)
def test_what_is_not(pattern, path):
    """A star does not cross a folder."""
    assert not matches(path, pattern)


def test_stars_are_no_trap():
    """Many of them are matched in a time that grows with the text."""
    assert not matches("a" * 3000, "*a" * 30 + "b")
    assert not matches("/".join("a" * 600), "**/a/" * 12 + "b")
