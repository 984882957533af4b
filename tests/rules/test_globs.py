"""Globs over the paths of a project's files (decision 52)."""

import os
import random
import re

import pytest

from holdfast.rules.globs import fault_of, find_glob, path_from


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*.sql", "a.sql"),
        ("*.sql", "db/deep/a.sql"),
        ("src/api/**", "src/api/a.py"),
        ("src/api/**", "src/api/deep/er/a.py"),
        ("src/api/", "src/api/deep/a.py"),
        ("./src/*.py", "src/a.py"),
        ("**/test_*.py", "test_a.py"),
        ("**/test_*.py", "x/y/test_a.py"),
        ("src/**/a/**/b.py", "src/a/x/a/b.py"),
        ("/Makefile", "Makefile"),
        ("a?c", "abc"),
        ("[a-c]1", "b1"),
        ("[!a-c]1", "d1"),
        ("[]]x", "]x"),
        ("[x", "[x"),
        ("docs", "deep/docs"),
    ],
)
def test_a_glob_matches(glob, path):
    assert find_glob((glob,), path, folded=False) == glob


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*.sql", "a.sqlx"),
        ("src/api/**", "lib/src/api/a.py"),
        ("src/*.py", "src/deep/a.py"),
        ("/Makefile", "sub/Makefile"),
        ("a?c", "ac"),
        ("a?c", "a/c"),
        ("[a-c]1", "d1"),
        ("[!a-c]1", "b1"),
        ("SRC/**", "src/a.py"),
        ("src/**/x.py", "src/y.py"),
    ],
)
def test_a_glob_does_not_match(glob, path):
    assert find_glob((glob,), path, folded=False) == ""


def test_case_counts_where_the_file_system_counts_it():
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
    """The regular expression of a glob's parts, over a path that ends with a slash."""
    said = {"*": "[^/]*", "?": "[^/]"}
    each = ("(?:[^/]+/)*" if part == "**" else "".join(said.get(one, one) for one in part) + "/" for part in parts)
    return re.compile("".join(each))


@pytest.mark.parametrize("glob", ["src\\api", "../x", "~/x", "!a", "c:/x", "*.{ts,js}", "a**/b", "src/[ab", "/"])
def test_a_faulty_glob_says_what_is_wrong(glob):
    assert fault_of(glob)


@pytest.mark.parametrize("glob", ["src/**", "*.sql", "/a", "a/", "[]a]", "**"])
def test_a_sound_glob_has_no_fault(glob):
    assert fault_of(glob) == ""


def test_a_path_counts_from_the_root(tmp_path):
    root = str(tmp_path)
    assert path_from(root, os.path.join(root, "src"), "a.py") == "src/a.py"


def test_a_path_outside_the_root_is_none(tmp_path):
    assert path_from(str(tmp_path / "project"), str(tmp_path), "project-two/a.py") == ""


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_root_behind_a_link_is_the_same_root(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert path_from(str(tmp_path / "real"), str(tmp_path), str(tmp_path / "link" / "a.py")) == "a.py"
