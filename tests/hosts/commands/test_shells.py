"""What a client's shells find by the bare name, asked of real shells whose start files make PATH anew; and what a
person is told of it."""

import os
import shutil
import sys

import pytest

from limpet.ground.own_name import command_path, find_name, path_name
from limpet.hosts import registry
from limpet.hosts.commands import shells
from limpet.hosts.commands.launcher import here
from limpet.hosts.commands.upkeep import write_launcher

from ...hook_host import POSIX

pytestmark = [POSIX, pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")]
FIND, ask = shells.find_mistaken_name, shells.find_in_shells
SYSTEM = "/usr/bin:/bin"


@pytest.fixture
def home(user, monkeypatch):
    """Of a user whose shell is bash and who has three installations' folders, of which none is on PATH."""
    write_launcher()
    monkeypatch.setenv("SHELL", shutil.which("bash"))
    monkeypatch.setenv("PATH", SYSTEM)
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    for name, first in (("ours", f"#!{sys.executable}"), ("other", "#!/opt/other/bin/python")):
        (user / name).mkdir()
        (user / name / "limpet").write_text(f"{first}\n")
        (user / name / "limpet").chmod(0o755)
    return user


def starts(home, file, *folders):
    """The start file puts these folders first, and prints something, as many do."""
    path = ":".join((*(str(home / folder) for folder in folders), SYSTEM))
    (home / file).write_text(f'echo "Welcome @home@"\nexport PATH="{path}"\n')


def note(host="claude-code"):
    shells.note_shells([host], 1.0)
    return find_name(host)


def test_nowhere_found_the_path_is_told(home):
    assert {note(host) for host in registry.HOSTS} == {path_name()}


def test_on_the_clients_path_and_in_its_start_files_the_name_is_told(home, monkeypatch):
    """By the console script of the interpreter of the hooks, by a link, or by the command itself."""
    starts(home, ".bash_profile", "ours")
    monkeypatch.setenv("PATH", f"{home / 'ours'}:{SYSTEM}")
    assert {note(host) for host in registry.HOSTS} == {"limpet"}
    (home / "ours" / "limpet").unlink()
    (home / "ours" / "limpet").symlink_to(command_path())
    assert note() == "limpet"


def test_a_login_shell_that_makes_path_anew_loses_the_name(home, monkeypatch):
    """Codex and Claude Code have one; where Gemini's shell inherits PATH it is still there."""
    starts(home, ".bash_profile")
    monkeypatch.setenv("PATH", f"{home / 'ours'}:{SYSTEM}")
    assert (note("codex-cli"), note("claude-code"), note("gemini-cli")) == (path_name(), path_name(), "limpet")


def test_a_start_file_that_adds_it_is_not_enough_where_a_plain_shell_runs_commands_too(home):
    starts(home, ".bash_profile", "ours")
    assert ask("codex-cli") == ("", str(home / "ours" / "limpet"))
    assert note("codex-cli") == path_name()


def test_another_installation_is_not_ours_and_is_not_started(home, monkeypatch):
    (home / "other" / "limpet").write_text(f"#!/bin/sh\ntouch {home / 'started'}\n")
    monkeypatch.setenv("PATH", f"{home / 'other'}:{SYSTEM}")
    assert note() == path_name() and not (home / "started").exists()


def test_an_alias_is_no_program(home):
    (home / ".bash_profile").write_text("shopt -s expand_aliases\nalias limpet='python -m limpet'\n")
    assert note() == path_name()


def test_a_shell_that_cannot_be_started_finds_nothing(home, monkeypatch):
    monkeypatch.setattr(shells, "run_line", lambda *given: (_ for _ in ()).throw(OSError))
    assert note() == path_name()


def test_a_person_is_told_what_the_name_is(home, monkeypatch):
    """Nothing where it is this installation; an active environment is in no other terminal."""
    assert FIND() == (
        "`limpet` is not on PATH",
        f"add {os.path.dirname(command_path())} to it, or call the one in there",
    )
    monkeypatch.setenv("PATH", f"{home / 'ours'}:{SYSTEM}")
    assert FIND() == ("", "")
    monkeypatch.setenv("PATH", f"{home / 'other'}:{home / 'ours'}:{SYSTEM}")
    what, way = FIND()
    assert str(home / "other" / "limpet") in what and here().root in what and "remove one of the two" in way
    (home / "venv" / "bin").mkdir(parents=True)
    shutil.copy(home / "ours" / "limpet", home / "venv" / "bin" / "limpet")
    monkeypatch.setenv("VIRTUAL_ENV", str(home / "venv"))
    monkeypatch.setenv("PATH", f"{home / 'venv' / 'bin'}:{SYSTEM}")
    assert FIND()[0] == "`limpet` is not on PATH"
