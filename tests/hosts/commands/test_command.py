"""The command beside the launcher, in every shell at hand and wherever it is called: it starts the installation of the
hooks, and nothing else."""

import os
import shutil
import subprocess
import sys

import pytest

from limpet import __version__
from limpet.ground.own_name import command_path, path_name, shells_path
from limpet.ground.storage.files import write_atomic
from limpet.hosts.commands.launcher import Target, here, launcher_path, read_launcher, render_batch
from limpet.hosts.commands.upkeep import mend_launcher, write_launcher
from limpet.hosts.records import user_record

from ...hook_host import POSIX

SHELLS = [shell for shell in ("sh", "bash", "dash", "zsh", "ksh") if shutil.which(shell)]
TRAP = "import os\nos._exit(9)\n"


@pytest.fixture
def told():
    """The command as agents are told it."""
    write_launcher()
    return path_name()


def run_in(shell, line, cwd, **environment):
    """In a shell to which nothing was handed down."""
    bare = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), **environment}
    return subprocess.run([shutil.which(shell), "-c", line], cwd=cwd, env=bare, capture_output=True, text=True)


@POSIX
@pytest.mark.parametrize("shell", SHELLS)
def test_it_runs_where_nothing_is_on_path(shell, told, tmp_path):
    """And imports nothing of the folder in which it runs, nor what the environment adds."""
    for name in ("limpet", "click", "json", "site", "sitecustomize", "yaml"):
        (tmp_path / f"{name}.py").write_text(TRAP)
    done = run_in(shell, f"{told} --version", tmp_path, PYTHONPATH=str(tmp_path), PYTHONHOME=str(tmp_path))
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, f"limpet, version {__version__}", "")


@POSIX
def test_it_says_what_is_wrong_and_ends_so(told, tmp_path):
    """Unlike the hook; what it names to run next it names as it was called itself."""
    done = run_in("sh", f"{told} memory show x", tmp_path)
    assert done.returncode == 1 and done.stdout == "" and f"{told} init" in done.stderr


@POSIX
def test_it_uses_the_folders_of_the_hooks(told, tmp_path):
    """Whatever the shell of the agent has for them."""
    elsewhere = str(tmp_path / "elsewhere")
    done = run_in("sh", f"{told} doctor", tmp_path, XDG_STATE_HOME=elsewhere, XDG_CACHE_HOME=elsewhere)
    assert elsewhere not in done.stdout and not os.path.exists(elsewhere)


@POSIX
def test_a_state_folder_with_blanks_and_quotes_is_one_word(monkeypatch, tmp_path):
    monkeypatch.setenv("LIMPET_STATE", str(tmp_path / "Anna O'Neil $x" / "limpet"))
    write_launcher()
    assert run_in("sh", f"{path_name()} --version", tmp_path).returncode == 0


def test_any_command_makes_it_again_for_the_installation_of_the_hooks(tmp_path):
    """Not for the one that runs: `init` chose."""
    write_atomic(user_record(), "{}")
    write_launcher()
    (tmp_path / "limpet").mkdir()
    (tmp_path / "limpet" / "hook.py").write_text("")
    other = Target(sys.executable, str(tmp_path))
    launcher = launcher_path()
    with open(launcher, encoding="utf-8") as file:
        text = file.read()
    write_atomic(launcher, text.replace(repr(here().root), repr(other.root)))
    os.chmod(launcher, 0o700)
    os.unlink(command_path())
    mend_launcher()
    assert read_launcher(command_path()) == read_launcher(launcher) == other


def test_a_new_installation_asks_the_shells_anew():
    write_atomic(shells_path(), "{}")
    write_launcher()
    assert not os.path.exists(shells_path())


def test_on_windows_its_batch_file_is_not_silent(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    target = Target("C:\\venv\\python.exe", "C:\\venv\\Lib\\site-packages")
    assert render_batch(target, command_path()).endswith(b"%*\r\n")
    assert render_batch(target, launcher_path()).endswith(b"%* 2>nul\r\n")
