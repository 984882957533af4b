"""``holdfast doctor`` runs what is installed, names what is wrong with its mend, and leaves no trace."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from holdfast.cli.doctor import doctor
from holdfast.cli.init import init
from holdfast.hosts.claude_code.events import TIMEOUTS
from holdfast.hosts.command import hook_command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with Holdfast, of a user who has nothing else; the current folder."""
    for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("holdfast.cli.init.compile_package", lambda: None)
    CliRunner().invoke(init, ["--yes"], catch_exceptions=False)
    return folder


def examine():
    done = CliRunner().invoke(doctor, ["--json"])
    return done.exit_code, json.loads(done.stdout)


def found(status, text):
    """The one finding of that status that says ``text``; the exit code follows from the whole."""
    code, checks = examine()
    hits = [check for check in checks if check["status"] == status and text in check["what"]]
    assert hits, checks
    assert code == (1 if any(check["status"] == "fail" for check in checks) else 0)
    return hits[0]


def edit(project, change):
    path = project / ".claude" / "settings.local.json"
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def replace_lines(project, line):
    def change(data):
        for event, groups in data["hooks"].items():
            groups[0]["hooks"][0]["command"] = line(event)

    edit(project, change)


def stand_in(folder, hook):
    (folder / "holdfast").mkdir(parents=True)
    (folder / "holdfast" / "__init__.py").write_text('__version__ = "9.9.9"\n')
    (folder / "holdfast" / "hook.py").write_text(hook)
    return str(folder)


def test_a_sound_installation_passes_and_every_line_was_run(project):
    code, checks = examine()
    assert code == 0
    assert [check for check in checks if check["status"] != "ok" and "bytecode" not in check["what"]] == []
    ran = [check["what"].partition(" answers in ")[0] for check in checks if " answers in " in check["what"]]
    events = [*TIMEOUTS, "StatusLine"]
    assert ran == [f"{event} (local)" for event in events]


def test_the_trial_leaves_no_file_of_its_session_and_no_continuation(project):
    latest = project / ".holdfast" / "continuation" / "latest.md"
    latest.parent.mkdir()
    latest.write_text("where we were")
    examine()
    names = [path.name for path in (project / ".holdfast").rglob("*") if path.is_file()]
    assert [name for name in names if "doctor" in name] == []
    assert latest.read_text() == "where we were"
    assert list((project / ".holdfast" / "events").rglob("blocks/*")) == []


def test_lines_for_people_carry_status_finding_and_mend(project):
    edit(project, lambda data: data["hooks"].pop("PreCompact"))
    lines = CliRunner().invoke(doctor, []).output.splitlines()
    assert "fail  no hook on PreCompact  -> run `holdfast init`" in lines


def test_a_folder_without_holdfast_fails(project):
    shutil.rmtree(project / ".holdfast")
    assert found("fail", "no .holdfast in")["mend"] == "run `holdfast init`"


def test_broken_settings_fail_with_their_line(project):
    (project / ".claude" / "settings.json").write_text('{\n  "a": }')
    assert found("fail", "settings.json:2:8")["mend"]


def test_switched_off_hooks_fail(project):
    edit(project, lambda data: data.update(disableAllHooks=True))
    assert found("fail", "all hooks are switched off")["mend"]


def test_a_stronger_file_that_switches_hooks_on_again_counts(project):
    (project / ".claude" / "settings.json").write_text('{"disableAllHooks": true}')
    edit(project, lambda data: data.update(disableAllHooks=False))
    assert examine()[0] == 0


def test_a_vanished_interpreter_fails(project):
    replace_lines(project, lambda event: hook_command("claude-code", event, python="/gone/python"))
    found("fail", "interpreter of the hook has gone: /gone/python")
    found("fail", "SessionStart (local) ended with exit code 127")


def test_a_vanished_package_fails_though_its_line_is_silent(project):
    replace_lines(project, lambda event: hook_command("claude-code", event, root="/gone"))
    found("fail", "the hook finds no Holdfast in /gone")
    found("fail", "SessionStart answers nothing")


def test_another_version_is_told(project, tmp_path):
    root = stand_in(tmp_path / "old", "def main(args): print('{}')")
    replace_lines(project, lambda event: hook_command("claude-code", event, root=root))
    found("warn", "the hook line is of Holdfast 9.9.9")


@pytest.mark.parametrize(
    ("hook", "text"),
    [
        ("def main(args): print('hello')", "no JSON object"),
        ("def main(args): raise SystemExit(3)", "ended with exit code 3"),
        ("def main(args):\n import sys\n print('oops', file=sys.stderr)", "wrote to stderr: oops"),
        ("def main(args): print('{}')", "PreCompact speaks"),
    ],
)
def test_a_hook_that_harms_the_host_fails(project, tmp_path, hook, text):
    root = stand_in(tmp_path / "old", hook)
    replace_lines(project, lambda event: hook_command("claude-code", event, root=root))
    found("fail", text)


def test_a_hook_that_outlives_its_timeout_fails(project, tmp_path):
    root = stand_in(tmp_path / "old", "def main(args):\n import time\n time.sleep(60)")

    def change(data):
        data["hooks"] = {"SessionStart": data["hooks"]["SessionStart"]}
        slow = {"command": hook_command("claude-code", "SessionStart", root=root), "timeout": 0.2}
        data["hooks"]["SessionStart"][0]["hooks"][0].update(slow)

    edit(project, change)
    found("fail", "SessionStart (local) took longer than its 0.2 s")


def test_a_line_on_the_wrong_event_fails(project):
    edit(project, lambda data: data["hooks"].update(PreCompact=data["hooks"]["PostCompact"]))
    found("fail", "the line on PreCompact answers PostCompact")


def test_a_timeout_in_milliseconds_is_told(project):
    edit(project, lambda data: data["hooks"]["PreCompact"][0]["hooks"][0].update(timeout=20_000))
    found("warn", "timeout of PreCompact is 20000 seconds")


def test_a_double_registration_is_called_harmless(project):
    CliRunner().invoke(init, ["--yes", "--user"], catch_exceptions=False)
    found("ok", "registered in 2 files, which is harmless")
    found("ok", "SessionStart (user) answers")


def test_a_status_line_that_hides_ours_is_told(project):
    edit(project, lambda data: data.update(statusLine={"type": "command", "command": "echo theirs"}))
    found("warn", "hides ours")


def test_a_shared_line_without_the_command_is_told(project, monkeypatch):
    CliRunner().invoke(init, ["--yes", "--shared"], catch_exceptions=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    found("warn", "no holdfast on PATH")


def test_a_mistake_in_the_configuration_is_told(project):
    (project / ".holdfast" / "config.yaml").write_text("context:\n  nonsense: 1\n")
    found("warn", "nonsense")


@pytest.fixture
def worktree(project, tmp_path):
    """A second working tree of the project."""
    options = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for words in ("init -q", "commit -q --allow-empty -m x", "worktree add -q ../tree"):
        subprocess.run(["git", *options, *words.split()], cwd=project, check=True, capture_output=True)
    return os.path.realpath(tmp_path / "tree")


def test_a_cache_and_local_settings_that_git_would_keep_are_told(project, worktree):
    (project / ".holdfast" / ".gitignore").unlink()
    found("warn", "git would keep .holdfast/cache")
    found("warn", "settings.local.json, which names paths of this machine")


def test_a_worktree_without_hooks_is_told_until_the_user_has_them(project, worktree):
    assert "init --user" in found("warn", f"no hooks in the worktree {worktree}")["mend"]
    CliRunner().invoke(init, ["--yes", "--user"], catch_exceptions=False)
    assert [check for check in examine()[1] if "in the worktree" in check["what"]] == []
