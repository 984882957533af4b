"""Regular expressions over files, searched by a process that can be ended."""

from limpet.ground.clock import Patience
from limpet.operations.rules.checks import MOST_BYTES, Search, search_files

LONG = Patience(20.0)


def test_the_line_of_the_first_match_is_found(tmp_path):
    """The end of a large file is not searched."""
    path = tmp_path / "a.ts"
    path.write_text("one\r\ntwo\nconsole.log(1)\nconsole.log(2)\n")
    found = search_files([Search(r"console\.log", str(path)), Search("^two$", str(path)), Search("z", str(path))], LONG)
    assert found == [3, 2, 0]
    path = tmp_path / "a"
    path.write_text("x" * MOST_BYTES + "needle")
    assert search_files([Search("needle", str(path))], LONG) == [0]


def test_a_file_that_cannot_be_read_is_not_known(tmp_path):
    path = tmp_path / "b"
    path.write_text("x")
    assert search_files([Search("x", str(tmp_path / "gone")), Search("x", str(path))], LONG) == [None, 1]


def test_an_expression_that_never_ends_is_ended(tmp_path):
    """With those behind it; those before it are known."""
    path = tmp_path / "a"
    path.write_text("a" * 60 + "b")
    found = search_files([Search("b", str(path)), Search("(a|a)*c", str(path)), Search("b", str(path))], Patience(3))
    assert found == [1, None, None]
