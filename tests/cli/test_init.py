"""``limpet init`` says what it will write, asks, writes it, and ``uninstall`` takes it back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.cli.init import init
from limpet.cli.uninstall import uninstall
from limpet.ground.config.settings import load_settings
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.own_name import command_path
from limpet.ground.trust.consent import find_consent
from limpet.ground.workspace import workspace_at
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.hook_files import find_hooks
from limpet.hosts.records import project_record
from limpet.rules.plan.sources import read_sources

from ..conftest import SOURCE
from ..terminal import in_terminal

SETTINGS = ".claude/settings.local.json"
GIT_NOTE = f"{SETTINGS} is not git-ignored. Run `echo {SETTINGS} >> .git/info/exclude`"


@pytest.fixture
def project(tmp_path, user, monkeypatch):
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def call(command, *arguments):
    return CliRunner().invoke(limpet, [command.name, *arguments], catch_exceptions=False)


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_everything_that_is_written_was_announced(project):
    announced = json.loads(call(init, "--dry-run", "--json").output)
    assert files(project) == {} and not announced["applied"]
    call(init, "--yes")
    paths = {change["path"] for change in announced["changes"]}
    inside = {path for path in paths if path.startswith(str(project))}
    assert sorted(files(project)) == sorted(os.path.relpath(path, project) for path in inside)
    assert paths - inside == {launcher_path(), command_path(), project_record(str(project / ".limpet"))}
    assert all(map(os.path.isfile, paths))


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_what_lies_in_the_state_folder_is_for_its_owner_only(project):
    call(init, "--yes")
    record = project_record(str(project / ".limpet"))
    paths = [launcher_path(), os.path.dirname(launcher_path()), record, os.path.dirname(record)]
    assert [oct(os.stat(path).st_mode & 0o777) for path in paths] == ["0o700", "0o700", "0o600", "0o700"]


def test_a_second_init_changes_no_byte_and_says_so(project, compiled):
    call(init, "--yes")
    before = files(project)
    assert "Nothing to do." in call(init, "--yes").output
    assert files(project) == before
    assert len(compiled) == 2


def test_without_a_terminal_and_without_yes_nothing_is_written(project, compiled):
    with pytest.raises(LimpetError, match="Cannot prompt: not a terminal.*--yes"):
        call(init)
    assert (files(project), compiled) == ({}, [])


@pytest.mark.parametrize(("answer", "written"), [("y\nn\n", True), ("n\n", False)])
def test_a_person_at_a_terminal_is_asked(project, answer, written):
    command, environment = [sys.executable, "-m", "limpet", "init"], {**os.environ, "PYTHONPATH": SOURCE}
    assert in_terminal(command, cwd=project, env=environment, typed=answer)[1] == 0
    assert (project / SETTINGS).exists() == written


def test_files_that_are_there_keep_their_bytes(project):
    rules = project / ".limpet" / "rules"
    rules.mkdir(parents=True)
    mine = (rules / "global", project / "CLAUDE.md")
    for path in mine:
        path.write_text("mine")
    call(init, "--yes")
    assert [path.read_text() for path in mine] == ["mine", "mine"]
    assert not (rules / "manifest").exists()


def test_what_there_is_to_commit_is_small(project):
    """At most three files and a kilobyte: what is shipped stays in the package."""
    call(init, "--yes")
    subprocess.run(["git", "init", "-q", project], check=True)
    listing = ["git", "-C", project, "ls-files", "--others", "--exclude-standard", ".limpet"]
    left = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split()
    assert len(left) <= 3 and sum((project / path).stat().st_size for path in left) <= 1024


@pytest.mark.parametrize(("sign", "times"), [("package.json", 1), ("tsconfig.json", 1), ("pyproject.toml", 0)])
def test_the_rule_on_imports_comes_to_javascript_projects_only(project, sign, times):
    call(init, "--yes")
    (project / sign).write_text("{}")
    rules = next(unit.read() for unit in read_sources(workspace_at(str(project))).units if unit.domain.name == "STORY")
    assert rules.count("path alias") == times


def test_checks_are_proposed_and_none_is_set(project):
    (project / "go.mod").write_text("module x\n")
    assert 'limpet config set work.checks.go "go test ./..."' in call(init, "--yes").output
    assert load_settings(workspace_at(str(project)))[0]["work"]["checks"] == {}


def test_only_the_inbox_is_kept_out_of_git(project):
    """What is private lies elsewhere; what an agent left for Limpet is in no commit."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    call(init, "--yes")
    assert os.listdir(project / ".limpet") == ["inbox"]
    paths = [os.path.join(".limpet", name) for name in ("inbox/a.md", "rules/global", "config.yaml", "memories/team/m")]
    done = subprocess.run(["git", "check-ignore", *paths], cwd=project, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == paths[:1]


def test_init_goes_to_the_repository_around_the_current_folder_unless_told_here(project, monkeypatch):
    (project / ".git").mkdir()
    inner = project / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    call(init, "--yes")
    assert (project / SETTINGS).exists() and not (inner / ".limpet").exists()
    call(init, "--yes", "--here")
    assert (inner / SETTINGS).exists()


def test_a_nested_project_that_has_limpet_is_found_before_the_repository(project, monkeypatch):
    (project / ".git").mkdir()
    inner = project / "inner"
    (inner / ".limpet").mkdir(parents=True)
    monkeypatch.chdir(inner)
    call(init, "--yes")
    assert (inner / SETTINGS).exists() and not (project / ".limpet").exists()


def test_shared_and_user_write_into_their_files(project, user):
    call(init, "--yes", "--shared")
    call(init, "--yes", "--user")
    assert find_hooks(json.loads((project / ".claude" / "settings.json").read_text()), "claude-code")
    assert find_hooks(json.loads((user / ".claude" / "settings.json").read_text()), "claude-code")
    assert not (project / SETTINGS).exists()


@pytest.mark.parametrize("both", [("--shared", "--user"), ("--full", "--lean")])
def test_options_that_exclude_each_other_are_refused(project, both):
    with pytest.raises(LimpetError, match="exclude each other"):
        call(init, *both, "--yes")


def test_a_throwaway_interpreter_writes_nothing(project, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/home/me/.cache/uv/archive-v0/x/bin/python")
    with pytest.raises(LimpetError, match="is temporary"):
        call(init, "--yes")
    assert files(project) == {}


def test_a_git_that_would_keep_the_local_settings_is_told(project):
    """Once the project is the user's: before, git is not asked."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    assert "not git-ignored" not in call(init, "--dry-run").output
    assert GIT_NOTE in call(init, "--yes").output
    assert GIT_NOTE in call(init, "--dry-run").output
    (project / ".gitignore").write_text(".claude/settings.local.json\n")
    assert "not git-ignored" not in call(init, "--dry-run").output


def test_uninstall_with_purge_leaves_nothing(project):
    """The launcher goes with the last installation that needs it."""
    call(init, "--yes")
    call(init, "--yes", "--user")
    cache = Path(workspace_at(str(project)).cached("plan"))
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text("x")
    call(uninstall, "--yes", "--purge")
    assert list(project.iterdir()) == [] and os.path.isfile(launcher_path())
    assert not cache.parent.exists()
    call(uninstall, "--yes", "--user")
    assert not os.path.exists(launcher_path())


def test_purging_a_linked_folder_removes_the_link_only(project, tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "memory").write_text("x")
    (project / ".limpet").symlink_to(kept)
    call(uninstall, "--yes", "--purge")
    assert not (project / ".limpet").is_symlink() and (kept / "memory").exists()


def test_uninstall_dry_run_writes_nothing(project):
    call(init, "--yes")
    before = files(project)
    told = call(uninstall, "--dry-run", "--purge").output
    assert "delete  .claude/settings.local.json" in told and len(told.splitlines()) <= 25
    assert files(project) == before


def test_uninstall_leaves_the_teams_and_the_users_hooks_and_names_them(project, user):
    call(init, "--yes", "--user")
    call(init, "--yes", "--shared")
    os.unlink(project_record(str(project / ".limpet")))
    told = call(uninstall, "--yes").output
    assert str(user / ".claude" / "settings.json") in told and str(project / ".claude" / "settings.json") in told
    call(uninstall, "--yes", "--user", "--shared")
    assert not find_hooks(json.loads((project / ".claude" / "settings.json").read_text()), "claude-code")
    assert not (user / ".claude").exists()


def test_the_folder_that_was_made_goes_with_the_last_file_in_it(project):
    call(init, "--yes")
    call(init, "--yes", "--shared")
    call(uninstall, "--yes")
    assert not (project / ".claude").exists()


def test_uninstall_where_nothing_is_does_nothing(project):
    assert "Nothing to do." in call(uninstall).output
    assert files(project) == {}


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_status_line_that_git_keeps_is_neither_hidden_nor_run(project, name):
    path = project / ".claude" / name
    path.parent.mkdir()
    path.write_text('{"statusLine": {"type": "command", "command": "echo theirs"}}')
    for words in (["init", "-q"], ["add", "-f", "."]):
        subprocess.run(["git", *words], cwd=project, check=True)
    assert f"The status line in {path} is in git" in call(init, "--yes").output
    settings = json.loads((project / SETTINGS).read_text())
    assert settings.get("statusLine", {}).get("command") == ("echo theirs" if str(path).endswith(SETTINGS) else None)
    assert "echo theirs" not in Path(project_record(str(project / ".limpet"))).read_text()


def test_a_status_line_of_the_users_own_is_shown_before_it_is_taken_over(project, user):
    path = user / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"statusLine": {"type": "command", "command": "echo mine"}}')
    assert f"Your status line (echo mine, from {path}) keeps working" in call(init, "--dry-run").output


def test_an_installation_that_was_broken_off_is_taken_up_as_the_users_own(project, monkeypatch):
    def break_off(job):
        (project / ".limpet" / "rules").mkdir(parents=True)
        (project / ".limpet" / "rules" / "global").write_text("GLOBAL_RULE_1=Written before the end.\n")
        raise RuntimeError("killed")

    with monkeypatch.context() as patched, pytest.raises(RuntimeError):
        patched.setattr("limpet.cli.init.carry_out_plan", break_off)
        init.main(["--yes"], standalone_mode=False)
    assert "not trusted" not in call(init, "--yes").stderr
    assert find_consent(workspace_at(str(project)))


def test_full_lets_the_rules_of_the_work_hold_always_and_lean_lets_them_wait(project):
    """A setting of the project's, which git keeps (decision 47)."""
    call(init, "--yes", "--full")
    assert load_yaml((project / ".limpet/config.yaml").read_text(), "config.yaml") == {"rules": {"full": True}}
    call(init, "--yes", "--lean")
    assert load_yaml((project / ".limpet/config.yaml").read_text(), "config.yaml") == {"rules": {"full": False}}
