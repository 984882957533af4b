"""Any command points a launcher that leads nowhere at a living installation, quietly, and leaves a sound one alone;
that Limpet was missing is told once."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest

from limpet.ground.clock import local_minute
from limpet.ground.errors import LimpetError
from limpet.ground.storage.files import write_atomic
from limpet.ground.trust.approvals import take_lines
from limpet.hosts.commands import upkeep
from limpet.hosts.commands.launcher import (
    EXECUTABLE,
    MISSING,
    Target,
    here,
    launcher_path,
    read_launcher,
    render_launcher,
)
from limpet.hosts.commands.lines import NOT_INSTALLED, status_line_command
from limpet.hosts.commands.upkeep import launcher_works, mend_launcher, write_launcher
from limpet.hosts.records import user_record

from ...hook_host import POSIX, Host

UVX = "/home/me/.cache/uv/archive-v0/x/bin/python"


@pytest.fixture
def recorded():
    """Something was installed on this machine."""
    write_atomic(user_record(), "{}")


def leave(target):
    write_atomic(launcher_path(), render_launcher(target, launcher_path()))
    os.chmod(launcher_path(), EXECUTABLE)


@pytest.mark.parametrize("gone", ["launcher", "interpreter", "package"])
def test_a_launcher_that_leads_nowhere_leads_here(recorded, gone):
    if gone != "launcher":
        leave(here().replace(**{"interpreter": {"python": "/gone/python"}, "package": {"root": "/gone"}}[gone]))
    assert not launcher_works()
    mend_launcher()
    assert launcher_works() and read_launcher(launcher_path()) == here()


@POSIX
def test_a_launcher_that_may_not_be_run_may_be_run(recorded):
    write_launcher()
    os.chmod(launcher_path(), 0o600)
    mend_launcher()
    assert os.stat(launcher_path()).st_mode & 0o777 == EXECUTABLE


def test_a_living_installation_keeps_the_launcher(recorded, tmp_path):
    """The one that `init` chose, whichever runs."""
    (tmp_path / "limpet").mkdir()
    (tmp_path / "limpet" / "hook.py").write_text("")
    other = Target(sys.executable, str(tmp_path))
    leave(other)
    mend_launcher()
    assert read_launcher(launcher_path()) == other


def test_where_nothing_was_installed_nothing_is_written():
    mend_launcher()
    assert not os.path.exists(launcher_path())


def test_a_throwaway_interpreter_writes_nothing(recorded, monkeypatch):
    """It would be gone when the next prompt comes; who asks for it is told."""
    monkeypatch.setattr(sys, "executable", UVX)
    mend_launcher()
    assert not os.path.exists(launcher_path())
    with pytest.raises(LimpetError, match="is temporary"):
        write_launcher()


def test_a_state_folder_that_takes_no_file_is_borne(recorded):
    """A sandbox, say."""
    os.makedirs(launcher_path())
    mend_launcher()
    assert os.path.isdir(launcher_path())


@POSIX
def test_from_the_loss_of_the_interpreter_to_the_line_about_it(user, workspace, run, monkeypatch):
    """The status line says that Limpet is missing, doctor of another installation too; any other command mends it;
    the next prompt says once from when to when."""
    run("init", "--yes")
    leave(here().replace(python="/gone/python"))

    def draw():
        payload = json.dumps({"session_id": "s", "cwd": workspace.root}).encode()
        line = ["/bin/sh", "-c", status_line_command("claude-code", "echo mine")]
        return subprocess.run(line, input=payload, capture_output=True, check=True).stdout.decode()

    assert draw() == f"mine\n{NOT_INSTALLED}\n"
    os.utime(launcher_path() + MISSING, (1_790_000_000, 1_790_000_000))
    assert "The Python of the hooks is missing" in run("doctor").stdout
    assert draw() == f"mine\n{NOT_INSTALLED}\n"
    run("status")
    assert "not installed" not in draw()
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ATTENDED", "1")
    host = Host(workspace)
    assert f"On this machine it was missing from {local_minute(1_790_000_000)} to ".encode() in host.prompt("hello").out
    assert b"is back" not in host.prompt("go on").out


def test_a_status_line_that_runs_again_after_a_repair_in_place_has_it_told(workspace, capfdbinary):
    """Where no command was needed; a moment is not worth a line."""
    from limpet.hosts.claude_code.status_line import main

    write_atomic(launcher_path() + MISSING, "")
    main(json.dumps({"session_id": "s", "cwd": workspace.root}).encode())
    assert take_lines() == ()
    write_atomic(launcher_path() + MISSING, "")
    os.utime(launcher_path() + MISSING, (1_790_000_000, 1_790_000_000))
    for _ in range(2):
        main(json.dumps({"session_id": "s", "cwd": workspace.root}).encode())
    (line,) = take_lines()
    assert line.startswith("Limpet is back.") and not os.path.exists(launcher_path() + MISSING)


def test_of_less_than_a_minute_nobody_is_told(workspace, monkeypatch):
    """The mark goes all the same."""
    write_atomic(launcher_path() + MISSING, "")
    os.utime(launcher_path() + MISSING, (1_790_000_000, 1_790_000_000))
    monkeypatch.setattr(upkeep.time, "time", lambda: 1_790_000_005.0)
    upkeep.note_return()
    assert take_lines() == () and not os.path.exists(launcher_path() + MISSING)


def test_the_package_gets_its_bytecode(tmp_path, monkeypatch):
    """Each module that has none, and the check says so before and after."""
    (tmp_path / "limpet" / "room").mkdir(parents=True)
    module = tmp_path / "limpet" / "room" / "module.py"
    module.write_text("x = 1\n")
    monkeypatch.setattr(upkeep, "PACKAGE_ROOT", str(tmp_path))
    before = upkeep.check_bytecode()
    upkeep.compile_package()
    assert (before.status, upkeep.check_bytecode().status) == ("warn", "ok")
    assert os.path.exists(importlib.util.cache_from_source(str(module)))
