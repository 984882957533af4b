"""What rules may name files by (decision 52)."""

import os

import pytest

from limpet.rules.layout import fault_of, path_from


@pytest.mark.parametrize("glob", ["src\\api", "../x", "~/x", "!a", "c:/x", "*.{ts,js}", "a**/b", "/"])
def test_a_faulty_glob_says_what_is_wrong(glob):
    assert fault_of(glob)
    assert {fault_of(sound) for sound in ("src/**", "*.sql", "/a", "a/", "app/[id].tsx", "**")} == {""}


def test_a_path_counts_from_the_root(tmp_path):
    """One outside the root is none."""
    root = str(tmp_path)
    assert path_from(root, os.path.join(root, "src"), "a.py") == "src/a.py"
    assert path_from(str(tmp_path / "project"), str(tmp_path), "project-two/a.py") == ""


@pytest.mark.skipif(os.name == "nt", reason="links")
def test_a_root_behind_a_link_is_the_same_root(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert path_from(str(tmp_path / "real"), str(tmp_path), str(tmp_path / "link" / "a.py")) == "a.py"
