"""The hook lines run in every shell at hand, whatever stands in the paths and whatever has vanished."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limpet.ground.errors import LimpetError
from limpet.hosts.commands.launcher import refuse_throwaway
from limpet.hosts.commands.lines import (
    BOOTSTRAP,
    HookLine,
    direct_command,
    lies_in_project,
    posix_command,
    quiet_command,
    read_command,
    render_hook_line,
    shared_command,
)

HOST = "claude-code"
SHELLS = [shell for shell in ("sh", "bash", "dash", "zsh", "ksh") if shutil.which(shell)]
HOOK = """
import json, sys
def main(args):
    print(json.dumps([args, sys.stdin.buffer.read().decode(), sys.flags.isolated, sys.flags.no_site, sys.path[-1]]))
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX shells")


@pytest.fixture(params=SHELLS)
def shell(request):
    return request.param


def package(root, hook=HOOK):
    """A stand-in for the installed package."""
    (root / "limpet").mkdir(parents=True)
    (root / "limpet" / "__init__.py").write_text("")
    (root / "limpet" / "hook.py").write_text(hook)
    return str(root)


def run(shell, command, stdin=b"", **options):
    return subprocess.run([shell, "-c", command], input=stdin, capture_output=True, check=False, **options)


def with_tools(folder):
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


def test_the_line_hands_event_and_stdin_to_the_hook_in_a_bare_interpreter(shell, tmp_path):
    root = package(tmp_path / "site")
    done = run(shell, direct_command(HOST, "PreCompact", root=root), b'{"a": "\xc3\xa9"}')
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == [["claude-code", "PreCompact"], '{"a": "é"}', 1, 1, root]


@pytest.mark.parametrize(
    "name", ["with space", 'quo"te', "dol$HOME", "back`date`tick", "back\\slash", "don't!", "100%é;&|<x>"]
)
def test_whatever_stands_in_the_paths_reaches_the_shell_and_python_unchanged(shell, tmp_path, name):
    (tmp_path / f"{name} bin").mkdir()
    python = tmp_path / f"{name} bin" / "python"
    python.symlink_to(sys.executable)
    root = package(tmp_path / name)
    done = run(shell, direct_command(HOST, "SessionStart", python=str(python), root=root))
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)[4] == root


@pytest.mark.parametrize("hook", ["", "def broken(:", "raise RuntimeError", "import nothing_of_this_name"])
def test_a_package_that_is_gone_or_cannot_be_imported_is_silent(shell, tmp_path, hook):
    root = package(tmp_path / "site", hook) if hook else str(tmp_path / "gone")
    done = run(shell, direct_command(HOST, "UserPromptSubmit", root=root), b"{}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_removed_interpreter_ends_with_127_and_never_with_2(shell, tmp_path):
    python, root = str(tmp_path / "gone"), package(tmp_path / "site")
    assert run(shell, direct_command(HOST, "UserPromptSubmit", python=python, root=root)).returncode == 127


def test_a_stray_module_beside_the_package_does_not_shadow_the_standard_library(shell, tmp_path):
    root = package(tmp_path / "site")
    (tmp_path / "site" / "json.py").write_text("raise SystemExit(2)")
    assert run(shell, direct_command(HOST, "X", root=root)).returncode == 0


@pytest.mark.parametrize(
    ("script", "out"),
    [('echo "$@"; cat', b"hook claude-code SessionStart\nin"), ("echo no >&2; exit 2", b""), (None, b"")],
    ids=["called", "another program of that name", "not installed"],
)
def test_the_shared_line_calls_limpet_from_path(shell, tmp_path, script, out):
    """And is silent where it is not there, or fails."""
    environment = {"PATH": str(tmp_path)}
    if script:
        (tmp_path / "limpet").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "limpet").chmod(0o755)
        environment = with_tools(tmp_path)
    line = shared_command(HOST, "SessionStart")
    done = run(shell, line, b"in", env=environment, executable=shutil.which(shell))
    assert (done.returncode, done.stdout, done.stderr) == (0, out, b"")


def test_nothing_in_the_bootstrap_speaks_to_a_shell():
    assert not set(BOOTSTRAP) & set('$`"%!\n')


@given(st.text(st.characters(exclude_characters="\x00", codec="utf-8")), st.text(st.sampled_from('a \\"$`')))
def test_a_line_reads_back_as_it_was_written(python, root):
    line = read_command(direct_command(HOST, "PostCompact", python=python, root=root))
    assert line is not None
    assert (line.python, line.root, line.host, line.event) == (python, root, "claude-code", "PostCompact")


def test_a_shared_line_reads_back_without_paths():
    line = read_command(shared_command(HOST, "SessionStart"))
    assert line is not None
    assert (line.host, line.event, line.python, line.root) == ("claude-code", "SessionStart", "", "")


@pytest.mark.parametrize(
    "command", ["echo limpet", "limpet hook claude-code X", "wrap 'from limpet.hook import main'", "", None, 5, ["x"]]
)
def test_other_peoples_commands_are_not_ours(command):
    assert read_command(command) is None


@pytest.mark.parametrize(
    "python",
    [
        "/home/me/.cache/uv/archive-v0/Xy12/bin/python",
        "/data/uv-cache/builds-v0/.tmpA/bin/python",
        "/home/me/.cache/pipx/5f1e/bin/python",
        "/home/me/.local/pipx/.cache/5f1e/bin/python",
        "/Users/me/Library/Caches/pipx/5f1e/bin/python3",
        "/tmp/try/bin/python",
        "/var/tmp/try/bin/python",
        "",
    ],
)
def test_a_throwaway_interpreter_is_refused_with_a_mend(python):
    with pytest.raises(LimpetError, match="uv tool install"):
        refuse_throwaway(python)


@pytest.mark.parametrize(
    ("python", "beside"),
    [
        ("/home/me/project/.venv/bin/python", ""),
        ("/home/me/.local/share/uv/tools/limpet/bin/python", ""),
        ("/home/me/.local/share/pipx/venvs/limpet/bin/python", ""),
        ("/home/me/.cache/pypoetry/virtualenvs/app-py3.12/bin/python", ""),
        ("/home/me/cache/.venv/bin/python", ""),
        ("/usr/bin/python3", ""),
        ("/tmp/try/bin/python", "/tmp/project/.claude/settings.local.json"),
    ],
)
def test_a_lasting_interpreter_is_accepted(python, beside):
    """A temporary one may serve a temporary project."""
    refuse_throwaway(python, beside=beside)


@pytest.mark.parametrize(
    ("home", "root", "inside"),
    [
        ("/home/ann", "/home/ann/app", False),
        ("/home/ann", "/home/ann", False),
        ("/srv/homes/ann", "/srv/homes", False),
        ("/home/ann", "/opt/limpet", True),
    ],
)
def test_at_home_what_is_installed_is_the_users_own(monkeypatch, home, root, inside):
    """A program in any other project may have come with it."""
    monkeypatch.setenv("HOME", home)
    launcher = f"{home}/.local/state/limpet/hook" if not inside else f"{root}/hook"
    assert lies_in_project(HookLine("claude-code", "Stop", launcher=launcher), root) is inside


@pytest.mark.parametrize("folder", ["/home/ann/.local/state/limpet", '/home/a b/$x`y"/limpet'])
def test_a_line_for_tools_that_read_is_read_back(folder):
    launcher = f"{folder}/hook"
    line = quiet_command(posix_command(launcher, "claude-code", "PreToolUse"), "CLAUDE_PROJECT_DIR")
    read = read_command(line)
    assert read == HookLine("claude-code", "PreToolUse", launcher=launcher, quiet="CLAUDE_PROJECT_DIR")
    assert render_hook_line(read) == line


@pytest.mark.parametrize(
    ("old", "new"),
    [("state/limpet/quiet$", "elsewhere/limpet/quiet$"), ("$CLAUDE_PROJECT_DIR", "$(id)"), ("quiet.sh", "mine.sh")],
)
def test_one_that_runs_another_file_first_is_not_ours(old, new):
    plain = posix_command("/home/ann/.local/state/limpet/hook", "claude-code", "PreToolUse")
    line = quiet_command(plain, "CLAUDE_PROJECT_DIR")
    assert read_command(line) is not None and read_command(line.replace(old, new)) is None
