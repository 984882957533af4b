"""Processes that are started without ``subprocess``."""

import os
import sys

import pytest

from limpet.ground.clock import Patience
from limpet.ground.spawned import ROOM, spawn

from ..memories import until

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files there")
ECHO = "import os, sys; sys.stdout.write(os.getcwd() + ' ' + sys.stdin.read())"
UNHURRIED = Patience(60)


def command(code):
    return [sys.executable, "-I", "-S", "-c", code]


@pytest.fixture(params=[True, False], ids=["spawned", "opened"])
def way(request, monkeypatch):
    """By ``posix_spawn``, and as where Python has none that makes a session."""
    if not request.param:

        def refuse(*_, **__):
            raise NotImplementedError

        monkeypatch.setattr(os, "posix_spawn", refuse, raising=False)


@pytest.mark.parametrize("size", [0, 10, ROOM, ROOM + 1, 200_000])
def test_it_runs_in_the_folder_and_gets_what_is_given(way, tmp_path, size):
    """However much that is; this process stays where it is."""
    before = os.getcwd()
    child = spawn(command(ECHO), str(tmp_path), b"x" * size, answered=True)
    assert child.read_output(UNHURRIED).decode() == f"{os.path.realpath(tmp_path)} {'x' * size}"
    assert os.getcwd() == before


def test_one_that_is_late_goes_on(way, tmp_path):
    """Nobody has its answer."""
    code = "import sys; sys.stdin.read(); open('done', 'w'); import time; time.sleep(60)"
    child = spawn(command(code), str(tmp_path), b"", answered=True)
    assert until((tmp_path / "done").exists)
    assert child.read_output(Patience(0.0)) is None
    os.kill(child.pid if hasattr(child, "pid") else child.process.pid, 9)


@POSIX
def test_it_leads_a_session_of_its_own_and_holds_no_file_of_this_process(way, tmp_path):
    """Whoever waits for the end of what this process was given would wait for that of its child."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    code = f"import os; print(os.getsid(0) == os.getpid(), os.path.exists('/dev/fd/{writing}'))"
    child = spawn(command(code), str(tmp_path), b"", answered=True)
    os.close(writing)
    os.close(reading)
    assert child.read_output(UNHURRIED).decode() == "True False\n"
    pid = child.pid if hasattr(child, "pid") else child.process.pid
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, 0)


def test_a_folder_or_a_program_that_is_not_there_is_told(way, tmp_path):
    """And nothing stays open."""
    with pytest.raises(OSError):
        spawn(command("pass"), str(tmp_path / "gone"), b"", answered=True)
    with pytest.raises(OSError):
        spawn([str(tmp_path / "none")], str(tmp_path), b"", answered=True)
