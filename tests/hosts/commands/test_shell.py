"""A command line runs as a host runs it, and nothing of it outlives its deadline."""

from __future__ import annotations

import sys

import pytest

from limpet.hosts.commands.lines import git_bash, run_line, shell_words, speaks_powershell

from ...memories import until
from ...processes import lives

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


def test_stdin_output_and_exit_code_pass(tmp_path):
    done = run_line("cat; pwd; echo err >&2; exit 3", b"in\n", 10, str(tmp_path))
    assert (done.code, done.out, done.err) == (3, f"in\n{tmp_path}\n".encode(), b"err\n")


def test_a_command_that_reads_no_stdin_is_no_error():
    assert run_line("true", b"x" * 1_000_000, 10).code == 0


def test_after_the_deadline_its_children_are_gone_too(tmp_path):
    done = run_line(f"sleep 60 & echo $! > '{tmp_path}/pid'; wait", b"", 2)
    pid = (tmp_path / "pid").read_text().strip()
    assert done.code is None
    assert until(lambda: not lives(pid))


def test_on_windows_git_bash_runs_lines_and_powershell_where_it_is_missing(tmp_path, monkeypatch):
    """As Claude Code does; the user may say where Git Bash lies."""
    bash = tmp_path / "bash.exe"
    bash.write_text("")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("CLAUDE_CODE_GIT_BASH_PATH", str(bash))
    assert shell_words("echo x") == [str(bash), "-c", "echo x"] and not speaks_powershell()
    bash.unlink()
    assert shell_words("echo x") == ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", "echo x"]
    assert speaks_powershell()


def test_git_bash_is_found_beside_git(tmp_path, monkeypatch):
    """Of an installation in another folder, whose ``cmd`` is on PATH."""
    for name in ("cmd/git", "bin/bash.exe"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    monkeypatch.delenv("CLAUDE_CODE_GIT_BASH_PATH", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "cmd"))
    assert git_bash() == str(tmp_path / "bin" / "bash.exe")
