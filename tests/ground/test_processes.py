"""Which program started which, by the table of each system."""

import os
import subprocess
import sys

import pytest

from limpet.ground import processes
from limpet.ground.clock import Clock, Patience
from limpet.ground.processes import (
    Process,
    find_ancestors,
    output_of,
    parse_stat,
    parse_table,
    read_ancestors,
    waits,
)

STAT = "{} ({}) S {} 20 20 34816 20 4194304 1 0 0 0 0 0 0 0 20 0 1 0 {} 1 1 1 1 1\n"
LINUX = {
    1: (STAT.format(1, "init", 0, 24), "/sbin/init\0"),
    10: (STAT.format(10, "tmux: server) S 1 (x", 1, 100), ""),
    20: (STAT.format(20, "node (claude)", 10, 150), "node\0/opt/cli.js\0-p\0two words\0\0"),
    30: (STAT.format(30, "sh", 20, 250), "sh\0-c\0limpet trust\0"),
}
WORKING = """
import os, time
child = os.fork()
while time.process_time() < 0.2:
    pass
if not child:
    os._exit(0)
os.wait()
print(flush=True)
input()
"""
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


@pytest.mark.parametrize(
    ("share", "left", "seconds"),
    [(1.0, 9.0, 1.0), (0.25, 9.0, 4.0), (0.1, 9.0, 5.0), (0.1, 3.0, 3.0), (None, 9.0, 1.0), (0.1, 0.0, 0.0)],
    ids=["alone", "among others", "that stands still", "at the deadline", "unknown", "too late"],
)
def test_a_child_is_waited_for_by_its_own_time(monkeypatch, share, left, seconds):
    """``share`` of the processor that it gets, None where nobody can tell; it is allowed a second (decision 67)."""
    passed = [100.0]
    monkeypatch.setattr(processes.time, "monotonic", lambda: passed[0])
    if share is not None:
        monkeypatch.setattr(processes, "_read_worked", lambda _: round((passed[0] - 100) * share, 2))
    clock = Clock(timer=lambda: passed[0], deadline=100.0 + left)
    for wait in waits(-1, Patience(1.0, clock)):
        passed[0] += wait
    assert passed[0] - 100 == pytest.approx(seconds, abs=0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_what_a_child_worked_is_read():
    """With its own children, once they ended."""
    with subprocess.Popen([sys.executable, "-c", WORKING], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        assert processes._read_worked(child.pid) >= 0.35
        child.kill()


@pytest.mark.parametrize(("code", "printed"), [("print(input())", b"said\n"), ("import time; time.sleep(600)", None)])
def test_the_output_of_a_child_or_none_where_it_is_late(code, printed):
    """One that hangs takes none of the processor's time, and is not waited for long all the same; it goes on."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", code], **pipes) as child:
        hanging = printed is None
        given = None if hanging else b"said\n"
        assert output_of(child, Patience(0.05 if hanging else 60.0), given) == printed
        assert (child.poll() is None) is hanging
        child.kill()
