"""``limpet init --all`` goes to every place where Limpet was installed before, and says for each what it did."""

import json
import os
import shutil
import sys

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.ground.errors import LimpetError
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.commands.lines import direct_command, read_command
from limpet.hosts.records import all_records

LOCAL = ".claude/settings.local.json"


@pytest.fixture
def projects(tmp_path, user, monkeypatch):
    """Three projects with Limpet, whose lines are of an earlier form; the current folder is another."""
    folders = [tmp_path / name for name in ("one", "two", "three")]
    for folder in folders:
        folder.mkdir()
        monkeypatch.chdir(folder)
        call("--yes")
        make_old(folder)
    monkeypatch.chdir(tmp_path)
    return folders


def call(*arguments):
    return CliRunner().invoke(limpet, ["init", *arguments], catch_exceptions=False).output


def make_old(project):
    settings = json.loads((project / LOCAL).read_text())
    for event, groups in settings["hooks"].items():
        groups[0]["hooks"][0]["command"] = direct_command("claude-code", event, root="/old")
    (project / LOCAL).write_text(json.dumps(settings))


def forms(project, name=LOCAL):
    """The launchers that the hook lines name, "" for those of another form."""
    settings = json.loads((project / name).read_text())
    return {read_command(groups[0]["hooks"][0]["command"]).launcher for groups in settings["hooks"].values()}


def test_every_known_project_gets_the_lines_of_this_version(projects):
    told = call("--all", "--yes")
    assert [forms(project) for project in projects] == [{launcher_path()}] * 3
    assert all(f"In {project}:\n" in told for project in projects) and told.endswith("Done.\n")
    assert told.count(f"change  {LOCAL}") == 3
    again = call("--all")
    assert "change" not in again and again.count("Nothing to do.") == 4


def test_what_a_project_made_its_own_stays_byte_for_byte(projects):
    """Agents, sound or broken, and forms: an upgrade leaves them, and neither adds nor removes one."""
    own = {"agents/dev.md": b"---\r\nmission: Ours\r\n---\r\n", "agents/x.md": b"\xff", "templates/prd.md": b"# Ours"}
    home = projects[0] / ".limpet"
    for name, raw in own.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_bytes(raw)
    told = call("--all", "--yes")
    assert f"change  {LOCAL}" in told and "agents/" not in told
    kept = {path for folder in ("agents", "templates") for path in (home / folder).iterdir()}
    assert {path.relative_to(home).as_posix(): path.read_bytes() for path in kept} == own


def test_a_dry_run_shows_and_writes_nothing(projects):
    before = [(project / LOCAL).read_bytes() for project in projects]
    assert "+" in call("--all", "--dry-run")
    assert [(project / LOCAL).read_bytes() for project in projects] == before


def test_without_a_terminal_and_without_yes_nothing_is_written(projects):
    before = (projects[0] / LOCAL).read_bytes()
    with pytest.raises(LimpetError, match="Cannot prompt: not a terminal.*--yes"):
        call("--all")
    assert (projects[0] / LOCAL).read_bytes() == before


def test_a_project_that_has_gone_is_named_and_its_record_kept(projects):
    shutil.rmtree(projects[1])
    told = call("--all", "--yes")
    assert f"In {projects[1]}:\n  The folder is missing. Its record was kept.\n" in told
    assert len(all_records()) == 3 and forms(projects[0]) == {launcher_path()}


def test_settings_that_cannot_be_read_hold_up_no_other(projects):
    (projects[0] / LOCAL).write_text("{")
    told = call("--all", "--yes")
    assert "settings.local.json:1:2: Invalid JSON" in told
    assert forms(projects[2]) == {launcher_path()}


def test_each_scope_that_was_installed_is_installed_again(projects, user, monkeypatch):
    """The user's own and the shared one; none that was not."""
    monkeypatch.chdir(projects[0])
    call("--yes", "--shared")
    call("--yes", "--user")
    call("--all", "--yes")
    assert forms(projects[0]) == {launcher_path()} and forms(user, ".claude/settings.json") == {launcher_path()}
    assert forms(projects[0], ".claude/settings.json") == {""}
    assert not (projects[1] / ".claude/settings.json").exists()


def test_it_tells_programs_what_it_did(projects):
    shutil.rmtree(projects[1])
    told = {one["root"]: one for one in json.loads(call("--all", "--yes", "--json"))}
    assert [told[str(project)]["applied"] for project in projects] == [True, False, True]
    assert "missing" in told[str(projects[1])]["problem"]


def test_where_nothing_was_installed_only_the_launcher_is_written(user, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call("--all", "--yes")
    assert os.path.isfile(launcher_path()) and all_records() == ()


@pytest.mark.parametrize("option", ["--shared", "--user", "--here", "--host=claude-code"])
def test_it_takes_no_option_that_names_a_place(user, option):
    with pytest.raises(LimpetError, match="--all repeats every installation with its own options"):
        call("--all", "--yes", option)


def test_a_throwaway_interpreter_writes_nothing(projects, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/home/me/.cache/uv/archive-v0/x/bin/python")
    before = (projects[0] / LOCAL).read_bytes()
    with pytest.raises(LimpetError, match="is temporary"):
        call("--all", "--yes")
    assert (projects[0] / LOCAL).read_bytes() == before


def test_what_was_uninstalled_is_known_no_more(projects, monkeypatch):
    monkeypatch.chdir(projects[0])
    CliRunner().invoke(limpet, ["uninstall", "--yes"], catch_exceptions=False)
    assert f"in {projects[0]}\n" not in call("--all", "--dry-run")
