"""What a scan reads, what it leaves out, and what a later one reads again."""

import os
import subprocess
import sys

import pytest

from limpet.ground.storage.user_folders import SYMBOLS
from limpet.registry.symbols import index
from limpet.registry.symbols.files import LARGEST
from limpet.registry.symbols.index import read_symbols, scan_symbols
from limpet.registry.symbols.table import open_table

from ...conversation import write

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="links")


def put(workspace, path, text="def {}():\n    pass\n"):
    name = os.path.basename(path).partition(".")[0]
    write(os.path.join(workspace.root, path), text.replace("{}", name))


def names(workspace):
    return [each.name for each in read_symbols(workspace)]


def test_no_scan_has_no_symbols(workspace):
    assert read_symbols(workspace) == ()


def test_a_second_scan_reads_what_changed_only(workspace):
    """A file that was touched is hashed, and one with the same bytes not parsed; one that is gone takes its symbols
    along, and its names are remembered."""
    for number in range(20):
        put(workspace, f"a/f{number}.py")
    first = scan_symbols(workspace)
    os.utime(os.path.join(workspace.root, "a/f1.py"), (1, 1))
    put(workspace, "a/f2.py", "def other():\n    pass\n")
    os.remove(os.path.join(workspace.root, "a/f3.py"))
    second = scan_symbols(workspace)
    assert (first.read, second.read, second.files, second.gone) == (20, 1, 19, ("f2", "f3"))
    assert "other" in names(workspace) and not {"f2", "f3"} & {*names(workspace)}
    put(workspace, "a/f3.py")
    assert scan_symbols(workspace).gone == ("f2",)


def test_nothing_is_written_where_nothing_changed(workspace, monkeypatch):
    put(workspace, "a.py")
    scan_symbols(workspace)
    monkeypatch.setattr(index, "write_atomic", None)
    assert scan_symbols(workspace).read == 0


def test_what_git_ignores_is_left_out(workspace):
    subprocess.run(["git", "init", "-q"], cwd=workspace.root, check=True)
    write(os.path.join(workspace.root, ".gitignore"), "made/\n*_pb2.py\n")
    for path in ("made/a.py", "b_pb2.py", "src/c.py"):
        put(workspace, path)
    scan_symbols(workspace)
    assert names(workspace) == ["c"]


def test_what_was_installed_is_left_out_without_git(workspace):
    for path in ("node_modules/a.py", ".hidden/b.py", "src/c.py"):
        put(workspace, path)
    scan_symbols(workspace)
    assert names(workspace) == ["c"]


@POSIX
def test_links_huge_and_broken_files_are_left_out(workspace, tmp_path):
    """A link may lead out of the project; what is huge was made by a program."""
    put(workspace, "a.py")
    write(str(tmp_path / "out" / "secret.py"), "def secret():\n    pass\n")
    os.symlink(tmp_path / "out" / "secret.py", os.path.join(workspace.root, "link.py"))
    os.symlink(tmp_path / "out", os.path.join(workspace.root, "folder"))
    os.mkfifo(os.path.join(workspace.root, "pipe.py"))
    put(workspace, "huge.py", "a = 1\n" * LARGEST)
    put(workspace, "broken.py", "def (\n")
    put(workspace, "odd\nname.py")
    scan = scan_symbols(workspace)
    assert (names(workspace), scan.skipped) == (["a"], ("huge.py", "link.py", "pipe.py"))


def test_the_progress_of_a_scan_is_told(workspace):
    told = []
    for number in range(3):
        put(workspace, f"f{number}.py")
    scan_symbols(workspace, lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_without_a_grammar_the_files_are_counted(workspace, monkeypatch):
    monkeypatch.setattr(index, "has_grammar", lambda language: language == "python")
    for path in ("a.py", "b.go", "c.go", "d.ts"):
        put(workspace, path)
    scan = scan_symbols(workspace)
    assert (scan.files, scan.unread) == (1, {"go": 2, "typescript": 1})


@pytest.mark.parametrize("raw", [b"", b"{", b"{}", b'{"version": 0}', b"\xff" * 300])
def test_a_damaged_index_counts_as_none_and_is_made_again(workspace, raw):
    put(workspace, "a.py")
    scan_symbols(workspace)
    with open(workspace.kept(SYMBOLS), "wb") as file:
        file.write(raw)
    assert open_table(workspace.state) is None
    assert (scan_symbols(workspace).read, names(workspace)) == (1, ["a"])


def test_an_index_that_was_cut_short_is_made_again(workspace):
    put(workspace, "a.py")
    scan_symbols(workspace)
    os.truncate(workspace.kept(SYMBOLS), os.path.getsize(workspace.kept(SYMBOLS)) - 5)
    assert names(workspace) == []
    assert (scan_symbols(workspace).read, names(workspace)) == (1, ["a"])


def test_the_table_tells_of_a_word_which_symbols_have_it(workspace):
    """And that a rare word says more."""
    put(workspace, "a.py", "def parse_price():\n    pass\n\n\ndef parse_name():\n    pass\n")
    scan_symbols(workspace)
    table = open_table(workspace.state)
    (common, both), (rare, one) = table.find("pars"), table.find("pric")
    assert (both, one, common < rare, table.find("nowhere")) == ([0, 1], [0], True, (0, []))
    assert table.symbol_of(0).name == "parse_price"
