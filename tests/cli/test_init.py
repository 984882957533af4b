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
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.own_name import command_path
from limpet.ground.storage.user_folders import data_record
from limpet.ground.trust.consent import find_consent
from limpet.ground.workspace import workspace_at
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.hook_files import find_hooks
from limpet.hosts.records import project_record
from limpet.rules.plan.sources import read_sources

from ..conftest import SOURCE
from ..terminal import in_terminal

SETTINGS = ".claude/settings.local.json"


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
    assert paths - inside == {launcher_path(), command_path(), data_record(), project_record(str(project / ".limpet"))}
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
    rules = next(unit.read() for unit in read_sources(workspace_at(str(project))).units if unit.domain.name == "GLOBAL")
    assert rules.count("path alias") == times


def test_only_the_inbox_is_kept_out_of_git(project):
    """What is private lies elsewhere; what an agent left for Limpet is in no commit."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    call(init, "--yes")
    assert sorted(os.listdir(project / ".limpet")) == [".gitattributes", "inbox"]
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


SHARED = "?? .limpet/.gitattributes\n"  # meant for git: what two branches add merges by it


def status_of(project):
    done = subprocess.run(
        ["git", "status", "--short", "-uall"], cwd=project, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize("before", [None, "", "*.tmp", "*.tmp\n"])
def test_what_holds_paths_of_this_machine_is_kept_out_of_git(project, before):
    """In the repository's own list, as the plan says; the list has its old bytes back in the end."""
    subprocess.run(["git", "init", "-q", "--template="], cwd=project, check=True)
    exclude = project / ".git" / "info" / "exclude"
    if before is not None:
        exclude.parent.mkdir()
        exclude.write_text(before)
    assert "keeps these files out of git" in call(init, "--yes").output and status_of(project) == SHARED
    assert "Nothing to do." in call(init, "--yes").output
    call(init, "--host", "codex", "--yes")
    assert status_of(project) == SHARED and exclude.read_text().count("# limpet: end") == 1
    call(uninstall, "--yes")
    assert (exclude.read_text() if exclude.exists() else None) == before
    assert exclude.parent.exists() == (before is not None)


def test_lines_that_a_person_added_to_the_list_stay(project):
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    exclude = project / ".git" / "info" / "exclude"
    before = exclude.read_text()
    call(init, "--yes")
    exclude.write_text(exclude.read_text() + "mine\n")
    call(uninstall, "--yes")
    assert exclude.read_text() == before + "mine\n"


def test_what_git_ignores_already_needs_no_line(project):
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    (project / ".gitignore").write_text(".claude/\n")
    assert "out of git" not in call(init, "--yes").output


def test_a_file_in_git_gets_no_path_of_this_machine(project):
    """Other clients are set up all the same; where there is no other, nothing is written."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    path = project / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    subprocess.run(["git", "add", ".gemini"], cwd=project, check=True)
    told = call(init, "--yes", "--host", "claude", "--host", "gemini").output
    assert f"Gemini CLI is left out. The file is in git, so no path of this machine goes into it: {path}" in told
    assert (project / SETTINGS).exists() and path.read_text() == "{}"
    with pytest.raises(LimpetError, match=r"in git.*limpet init --user.*limpet init --shared"):
        call(init, "--yes", "--host", "gemini")
    call(init, "--yes", "--host", "gemini", "--shared")
    assert "limpet hook gemini-cli" in path.read_text() and str(launcher_path()) not in path.read_text()


@pytest.mark.parametrize("text", ['{\n  // mine\n  "ui": {}\n}\n', "[]", "{"])
def test_settings_that_cannot_be_edited_stop_no_other_client(project, text):
    """Neither on the way in nor out; the file is named with its line."""
    path = project / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_text(text)
    told = call(init, "--yes", "--host", "claude", "--host", "gemini").output
    assert f"Gemini CLI is left out. {path}" in told or "Gemini CLI is left out. The settings are not" in told
    assert (project / SETTINGS).exists()
    path.write_text(text + "limpet")
    assert f"{path}" in call(uninstall, "--yes").output
    assert not (project / SETTINGS).exists() and path.read_text() == text + "limpet"


@pytest.mark.parametrize(
    ("machine", "shown", "around", "chosen", "also"),
    [
        ((), (), "", "Claude Code", ""),
        ((".codex", ".gemini"), (), "", "Codex", "Gemini CLI (limpet init --host gemini)"),
        ((".claude", ".codex", ".gemini"), (), "", "Claude Code", "Codex, Gemini CLI (limpet init --host codex)"),
        (("claude", ".codex"), (), "", "Codex", "Claude Code (limpet init --host claude)"),
        ((".claude", ".codex"), ("AGENTS.md",), "", "Codex", "Claude Code (limpet init --host claude)"),
        ((".claude", ".codex"), ("CLAUDE.md", ".codex/x"), "", "Claude Code and Codex", ""),
        ((".claude",), ("GEMINI.md",), "", "Claude Code", ""),
        ((), ("GEMINI.md",), "", "Gemini CLI", ""),
        ((".claude", ".gemini"), ("CLAUDE.md",), "GEMINI_CLI", "Claude Code and Gemini CLI", ""),
    ],
)
def test_the_clients_of_project_and_shell_are_set_up_and_others_are_named(
    project, user, monkeypatch, machine, shown, around, chosen, also
):
    """Of those that the project shows, what the machine has; where it shows none the first that was used here, before
    one that is merely installed."""
    monkeypatch.setenv("PATH", str(user))
    for name in ("CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name)
    for name in machine:
        if name.startswith("."):
            (user / name).mkdir()
        else:
            (user / name).touch(0o755)
    for name in shown:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("x")
    if around:
        monkeypatch.setenv(around, "1")
    told = call(init, "--yes").output
    assert f"Set up Limpet for {chosen} in " in told
    assert told.splitlines()[-1] == (f"Also here: {also}. " if also else "") + "Undo: limpet uninstall"


def test_the_end_is_six_lines_at_most_and_says_what_to_do(project, user):
    """Also for four clients, with rules to take over and others of the machine."""
    (user / ".claude").mkdir()
    os.mkdir(os.environ["CODEX_HOME"])
    (project / "CLAUDE.md").write_text("# Rules\n\n- Never push to main.\n")
    end = call(init, "--yes").output.partition("Done.")[2].splitlines()
    assert len(end) <= 6 and end[0] == " Open Claude Code here and work as usual."
    assert [line.split("  ")[1] for line in end[1:4]] == ["You correct it", "You want it kept", "You wonder why"]


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


def test_a_status_line_that_git_keeps_is_neither_hidden_nor_run(project):
    path = project / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"statusLine": {"type": "command", "command": "echo theirs"}}')
    for words in (["init", "-q"], ["add", "-f", "."]):
        subprocess.run(["git", *words], cwd=project, check=True)
    call(init, "--yes")
    assert "statusLine" not in json.loads((project / SETTINGS).read_text())
    assert "echo theirs" not in Path(project_record(str(project / ".limpet"))).read_text()


def test_a_status_line_of_the_users_own_is_shown_before_it_is_taken_over(project, user):
    path = user / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"statusLine": {"type": "command", "command": "echo mine"}}')
    assert "status line: yours, with Limpet's part appended" in call(init, "--dry-run").output


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
