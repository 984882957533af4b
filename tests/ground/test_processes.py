"""Which program started which, by the table of each system."""

import os
import subprocess
import sys

import pytest

from limpet.ground import processes
from limpet.ground.processes import Process, find_ancestors, parse_stat, parse_table, read_ancestors

STAT = "{} ({}) S {} 20 20 34816 20 4194304 1 0 0 0 0 0 0 0 20 0 1 0 {} 1 1 1 1 1\n"
LINUX = {
    1: (STAT.format(1, "init", 0, 24), "/sbin/init\0"),
    10: (STAT.format(10, "tmux: server) S 1 (x", 1, 100), ""),
    20: (STAT.format(20, "node (claude)", 10, 150), "node\0/opt/cli.js\0-p\0two words\0\0"),
    30: (STAT.format(30, "sh", 20, 250), "sh\0-c\0limpet trust\0"),
}
MACOS = r"""
    1     0 Mon Nov  3 21:41:10 2025 /sbin/launchd
  501     1 Sun Nov  9 08:00:00 2025 -zsh
  777   501 Sun Nov  9 09:15:01 2025 node /opt/homebrew/bin/codex --full-auto say "two words
  778   777 Sun Nov  9 09:15:01 2025 (bash)
   no process at all
"""
WINDOWS = r"""
0 0
4 0 Mon Nov 03 21:41:10 2025
900 4321 Sun Nov 09 08:00:00 2025 C:\WINDOWS\Explorer.EXE
4321 4 Sun Nov 09 08:30:00 2025 "C:\Program Files\Other\other.exe"
1000 900 Sun Nov 09 09:00:00 2025 "C:\Program Files\nodejs\node.exe"  "C:\Users\Ana B\npm\@openai\codex\bin\codex.js"
1001 1000 Sun Nov 09 09:00:01 2025 powershell.exe -c "limpet trust"
"""


def test_linux_names_may_hold_blanks_and_brackets():
    """The name ends at the last bracket, and stands for a missing command line."""
    table = {pid: parse_stat(*texts, ticks=100) for pid, texts in LINUX.items()}
    assert find_ancestors(table.get, 30) == (
        Process(20, 10, ("node", "/opt/cli.js", "-p", "two words"), 1.5),
        Process(10, 1, ("tmux: server) S 1 (x",), 1.0),
        Process(1, 0, ("/sbin/init",), 0.24),
    )


@pytest.mark.parametrize("stat", ["", "7 (sh) S", "x (sh) S 1", "7 (sh"])
def test_a_torn_stat_is_an_error_of_its_value(stat):
    with pytest.raises(ValueError):
        parse_stat(stat, "", 100)


def test_the_table_of_ps():
    """Without names of columns; a quote that is not closed divides nothing else."""
    above = find_ancestors(parse_table(MACOS).get, 778)
    codex = ("node", "/opt/homebrew/bin/codex", "--full-auto", "say", "two", "words")
    assert [one.words for one in above] == [codex, ("-zsh",), ("/sbin/launchd",)]
    assert above[0].started - above[1].started == 75 * 60 + 1


def test_the_table_of_windows():
    """Quotes keep blanks together; an id that was given to a younger process names no parent."""
    above = find_ancestors(parse_table(WINDOWS).get, 1001)
    assert [one.words[:2] for one in above] == [
        (r"C:\Program Files\nodejs\node.exe", r"C:\Users\Ana B\npm\@openai\codex\bin\codex.js"),
        (r"C:\WINDOWS\Explorer.EXE",),
    ]


def test_a_cycle_ends_and_what_cannot_be_read_is_nothing():
    """No program, no process: what is known so far, never an error."""
    table = {pid: Process(pid, parent, (), 0.0) for pid, parent in ((1, 3), (2, 1), (3, 2), (9, 9))}
    assert [one.pid for one in find_ancestors(table.get, 1)] == [3, 2]
    assert find_ancestors(table.get, 9) == find_ancestors(table.get, 8) == ()
    assert processes._output(("/nowhere/ps",)) == ""
    assert find_ancestors(processes._read, 2**22 + 1) == ()


def test_the_real_table():
    """A process tells of this one, with its words, whichever way the table is read."""
    code = "from limpet.ground.processes import *; import sys; print([(p.pid, *p.words[:1]) for p in read_ancestors()])"
    around = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=around, capture_output=True, text=True)
    assert f"({os.getpid()}, " in done.stdout and not done.stderr
    own = [one.pid for one in read_ancestors()]
    assert own[0] == os.getppid()


@pytest.mark.skipif(not os.access(processes.PS[0], os.X_OK), reason="no ps")
def test_the_real_ps_tells_the_same():
    table = parse_table(processes._output(processes.PS))
    assert [one.pid for one in find_ancestors(table.get, os.getpid())] == [one.pid for one in read_ancestors()]
