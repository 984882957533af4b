"""Globs over paths."""

import random
import re

import pytest

from limpet.ground.text.globs import find_glob


@pytest.mark.parametrize(("glob", "paths"), [
    ("*.sql", "a.sql db/deep/a.sql"), ("src/api/**", "src/api/a.py src/api/deep/er/a.py"),
    ("src/api/", "src/api/deep/a.py"), ("./src/*.py", "src/a.py"), ("**/test_*.py", "test_a.py x/y/test_a.py"),
    ("src/**/a/**/b.py", "src/a/x/a/b.py"), ("/Makefile", "Makefile"), ("a?c", "abc"),
    ("app/[id]/page.tsx", "app/[id]/page.tsx"), ("[x", "[x"), ("docs", "deep/docs"), ("src/**/a.py", "src/a.py"),
    ("**/build/**", "build/x"), ("src/orders", "src/orders/deep/a.py"), ("tests/", "tests/a.py"),
    ("*tokens*.json", "x/my-tokens-1.json"),
])  # fmt: skip
def test_a_glob_matches(glob, paths):
    assert {find_glob((glob,), path, folded=False) for path in paths.split()} == {glob}


@pytest.mark.parametrize(("glob", "paths"), [
    ("*.sql", "a.sqlx"), ("src/api/**", "lib/src/api/a.py"), ("src/*.py", "src/deep/a.py"),
    ("/Makefile", "sub/Makefile"), ("a?c", "ac a/c"), ("[a-c]1", "b1"), ("src/a", "src/ab"), ("*.sh", "helm.sh/helm"),
    ("SRC/**", "src/a.py"), ("src/**/x.py", "src/y.py"),
])  # fmt: skip
def test_a_glob_does_not_match(glob, paths):
    """Case counts where the file system counts it."""
    assert {find_glob((glob,), path, folded=False) for path in paths.split()} == {""}
    assert find_glob(("SRC/**",), "src/A.py", folded=True) == "SRC/**"


def test_globs_agree_with_a_regular_expression_of_the_same_meaning():
    """Whatever is composed of stars, folders and letters."""
    dice = random.Random(52)
    for _ in range(3000):
        parts = [dice.choice(("**", "*", "a", "a*", "*b", "?", "a*b*a")) for _ in range(dice.randint(2, 4))]
        path = "/".join(
            "".join(dice.choice("ab") for _ in range(dice.randint(1, 4))) for _ in range(dice.randint(1, 5))
        )
        assert bool(find_glob(("/".join(parts),), path, folded=False)) == bool(meaning(parts).fullmatch(path + "/"))


def meaning(parts):
    """The regular expression of a glob's parts, over a path that ends with a slash; a folder means all below it."""
    said = {"*": "[^/]*", "?": "[^/]"}
    each = ("(?:[^/]+/)*" if part == "**" else "".join(said.get(one, one) for one in part) + "/" for part in parts)
    return re.compile(f"{''.join(each)}{'' if '*' in parts[-1] else '(?:.*/)?'}")


def test_stars_are_no_trap():
    """Many of them are matched in a time that grows with the text."""
    assert not find_glob(("*a" * 30 + "b",), "a" * 3000)
    assert not find_glob(("**/a/" * 12 + "b",), "/".join("a" * 600))
