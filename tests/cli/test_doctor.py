"""``limpet doctor`` runs what is installed, names what is wrong with its mend, and leaves no trace."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.ground.trust.giving import revoke_trust
from limpet.ground.workspace import workspace_at
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.commands.launcher import here, launcher_path, render_launcher
from limpet.hosts.commands.lines import FinishedLine, direct_command, posix_command
from limpet.work.session import new_session, write_session

from ..conversation import write
from ..hook_host import run_hook
from ..places import private_at

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.fixture
def project(tmp_path, user, monkeypatch):
    """A project with Limpet, of a user who has nothing else; the current folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    CliRunner().invoke(limpet, ["init", "--yes"], catch_exceptions=False)
    return folder


@pytest.fixture(autouse=True)
def quick_lines(request, monkeypatch):
    """Hook lines answer at once: what the host's files say is the subject, unless a test asks for ``real_lines``."""
    if "real_lines" not in request.fixturenames:
        done = FinishedLine(0, b"", b"", 0.01)
        monkeypatch.setattr("limpet.hosts.checks.run_line", lambda *_: done)


@pytest.fixture
def real_lines():
    """Hook lines are run as the host runs them."""


def examine():
    done = CliRunner().invoke(limpet, ["doctor", "--json"])
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


def lead(target):
    with open(launcher_path(), "wb") as file:
        file.write(render_launcher(target, launcher_path()))


def stand_in(folder, hook):
    (folder / "limpet").mkdir(parents=True)
    (folder / "limpet" / "__init__.py").write_text('__version__ = "9.9.9"\n')
    (folder / "limpet" / "hook.py").write_text(hook)
    return str(folder)


def test_a_sound_installation_passes_and_every_line_was_run(real_lines, project):
    code, checks = examine()
    assert code == 0
    assert [each for each in checks if each["status"] not in ("ok", "info") and "bytecode" not in each["what"]] == []
    ran = [check["what"].partition(" answers in ")[0] for check in checks if " answers in " in check["what"]]
    events = [*TIMEOUTS, "StatusLine"]
    events.insert(events.index("PreToolUse") + 1, "PreToolUse of reading calls")
    assert ran == [f"Claude Code: {event} (local)" for event in events]


def test_facts_are_listed(project):
    """Every event with a hook, and where the caches lie."""
    found("ok", f"Claude Code: hooks on {', '.join(TIMEOUTS)} in ")
    found("ok", f"Caches in {workspace_at(str(project)).cache}")


@pytest.mark.parametrize(
    ("change", "status", "text", "mend"),
    [
        (
            lambda data: data.update(disableAllHooks=True),
            "fail",
            "All hooks are disabled",
            "set disableAllHooks to false",
        ),
        (
            lambda data: data["hooks"]["PreToolUse"][0].update(matcher="Bash"),
            "warn",
            "is for other tools",
            "limpet init",
        ),
        (lambda data: data["hooks"].update(PreCompact=data["hooks"]["Stop"]), "fail", "PreCompact is for Stop", "init"),
        (
            lambda data: data["hooks"]["Stop"][0]["hooks"][0].update(timeout=20_000),
            "warn",
            "is 20000 s",
            "set it to 60",
        ),
    ],
)
def test_a_setting_of_the_client_that_harms_is_told_with_its_mend(project, change, status, text, mend):
    edit(project, change)
    assert mend in found(status, text)["mend"]


@pytest.mark.parametrize(
    ("path", "content", "status", "text", "mend"),
    [
        (".claude/settings.json", '{\n  "a": }', "fail", "settings.json:2:8", "correct the file"),
        (".limpet/config.yaml", "context:\n  nonsense: 1\n", "warn", "nonsense", "limpet config set"),
        (".limpet/rules/old", "OLD_RULE_0=Unread.\n", "warn", "1 mistake in rule files", "run `limpet rules check`"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_mend(project, path, content, status, text, mend):
    write(project / path, content)
    assert mend in found(status, text)["mend"]


def forget(project):
    """Neither the folder nor the user's word is left."""
    shutil.rmtree(project / ".limpet")
    revoke_trust(workspace_at(str(project)))


@pytest.mark.parametrize(
    ("harm", "text", "mend"),
    [
        (forget, "No .limpet in", "run `limpet init`"),
        (lambda project: os.chmod(launcher_path(), 0o600), "The hook launcher is not executable", "--fix"),
        (lambda project: write(launcher_path(), "#!/bin/sh\n"), "The hook launcher was not written by Limpet", "--fix"),
    ],
)
def test_what_is_missing_or_no_longer_ours_fails(project, harm, text, mend):
    harm(project)
    assert mend in found("fail", text)["mend"]


def test_a_line_that_names_another_launcher_is_told(project):
    replace_lines(project, lambda event: posix_command("/else/limpet/hook", "claude-code", event))
    assert found("warn", "The hooks run /else/limpet/hook")["mend"] == "run `limpet init`"


def test_a_hook_of_the_users_own_is_a_fact(real_lines, project):
    """And no warning for good."""
    own = {"hooks": [{"type": "command", "command": "/opt/notify.sh"}]}
    edit(project, lambda data: data["hooks"]["UserPromptSubmit"].append(own))
    assert "settings.local.json" in found("info", "notify.sh; what they print reaches the model too")["mend"]
    assert [check for check in examine()[1] if check["status"] in ("warn", "fail")] == []


@pytest.mark.parametrize("event", ["SubagentStart", "PreToolUse", "Stop"])
def test_an_event_that_an_earlier_version_did_not_answer_fails_with_its_mend(real_lines, project, event):
    edit(project, lambda data: data["hooks"].pop(event))
    assert "limpet init" in found("fail", f"Claude Code: no hook on {event} in")["mend"]
    CliRunner().invoke(limpet, ["init", "--yes"], catch_exceptions=False)
    found("ok", f"{event} (local) answers")
    assert examine()[0] == 0


def test_a_broken_agent_file_is_a_warning_with_its_line(project):
    """Of each mistake; the packaged agents do their work."""
    folder = project / ".limpet" / "agents"
    folder.mkdir()
    (folder / "dev.md").write_text("---\nmission: [\n---\n")
    (folder / "scribe.md").write_text("---\nmission: m\nmodle: fast\n---\n")
    assert "so the packaged agent is used" in found("warn", ".limpet/agents/dev.md:3: Invalid YAML")["what"]
    assert found("warn", ".limpet/agents/scribe.md:3: Unknown key: modle")["mend"] == "correct it there"


def test_the_trial_leaves_no_file_of_its_session_and_no_continuation(real_lines, project):
    latest = private_at(project, "continuation", "latest.md")
    latest.parent.mkdir()
    latest.write_text("where we were")
    examine()
    names = [path.name for path in (project / ".limpet").rglob("*") if path.is_file()]
    assert [name for name in names if "doctor" in name] == []
    assert latest.read_text() == "where we were"
    assert list(private_at(project, "events").rglob("blocks/*")) == []


def told(*options):
    """The lines for people, without what a container and its bytecode bring."""
    done = CliRunner().invoke(limpet, ["doctor", *options])
    return [each for each in done.output.splitlines() if "container" not in each and "bytecode" not in each]


def test_what_is_in_order_is_one_line_for_all_hooks(real_lines, project):
    """All checks are there on demand."""
    first, *rest = told()
    lines = len(TIMEOUTS) + 2  # of reading calls, and the status line
    assert re.fullmatch(rf"{lines} hooks answer \([0-9]+ to [0-9]+ ms\)", first)
    assert [each.partition(" ")[0] for each in rest if "--all" not in each] in ([], ["Nothing"])
    assert sum("answers in" in each for each in told("--all")) == lines


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("context:\n\tx: 1\n", ":2: Invalid YAML: a tab in the indentation; use spaces"),
        ("a: b: c\n", ":1: Invalid YAML: a second colon in the line; put the text in quotes"),
        ("a: @x\n", ":1: Invalid YAML: a value begins with a sign; put it in quotes"),
        ("a: [1\nb: 2\n", ":2: Invalid YAML: a bracket is not closed, or a comma is missing"),
    ],
)
def test_a_settings_file_that_is_no_yaml_is_told_in_plain_words(project, text, words):
    write(project / ".limpet" / "config.yaml", text)
    assert f".limpet/config.yaml{words}" in found("warn", "Invalid YAML")["what"]


def test_a_memory_that_cannot_be_read_is_named(project):
    path = private_at(project, "memories", "shared", "durable", "broken.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("---\n\ttitle: x\n---\nx\n")
    assert "broken.md:2" in found("warn", "A memory is not read")["what"]


def test_an_inbox_that_cannot_be_written_fails(project):
    inbox = project / ".limpet" / "inbox"
    inbox.chmod(0o500)
    if os.access(inbox, os.W_OK):
        pytest.skip("this user may write everywhere")
    found("fail", f"{inbox} is not readable and writable")


def test_a_file_in_git_with_paths_of_this_machine_is_named(project):
    """As an earlier version may have left it; one that is only not ignored is mended by ``init``."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    assert found("warn", "is not ignored by git")["mend"] == "run `limpet init`"
    subprocess.run(["git", "add", "-f", ".claude/settings.local.json"], cwd=project, check=True)
    assert "limpet init --shared" in found("warn", "is in git, but contains paths of this machine")["mend"]


def test_lines_for_people_carry_status_finding_and_mend(project):
    edit(project, lambda data: data["hooks"].pop("PreCompact"))
    lines = CliRunner().invoke(limpet, ["doctor"]).output.splitlines()
    where = project / ".claude" / "settings.local.json"
    assert f"fail  Claude Code: no hook on PreCompact in {where}  -> run `limpet init`" in lines


def test_a_stronger_file_that_switches_hooks_on_again_counts(real_lines, project):
    (project / ".claude" / "settings.json").write_text('{"disableAllHooks": true}')
    edit(project, lambda data: data.update(disableAllHooks=False))
    assert examine()[0] == 0


def test_a_vanished_interpreter_fails(real_lines, project):
    replace_lines(project, lambda event: direct_command("claude-code", event, python="/gone/python"))
    found("fail", "The Python of the hook is missing: /gone/python")
    found("fail", "SessionStart (local) ended with exit code 127")


def test_a_vanished_package_fails_though_its_line_is_silent(real_lines, project):
    replace_lines(project, lambda event: direct_command("claude-code", event, root="/gone"))
    found("fail", "The hook cannot find Limpet in /gone")
    found("fail", "Claude Code gets no rules at the start")


def test_a_missing_launcher_fails(project):
    os.unlink(launcher_path())
    assert found("fail", "The hook launcher is missing")["mend"] == "run `limpet doctor --fix`"
    found("fail", "Claude Code gets no rules at the start")
    assert "fixed Pointed the hook launcher" in CliRunner().invoke(limpet, ["doctor", "--fix"]).output
    assert os.access(launcher_path(), os.X_OK)


@pytest.mark.parametrize(
    ("gone", "text"),
    [
        ({"python": "/gone/python"}, "The Python of the hooks is missing: /gone/python"),
        ({"root": "/gone"}, "The hooks cannot find Limpet in /gone"),
    ],
)
def test_a_launcher_that_leads_nowhere_fails(project, gone, text):
    lead(here().replace(**gone))
    assert "--fix" in found("fail", text)["mend"]


def test_a_launcher_at_another_version_is_told(project, tmp_path):
    root = stand_in(tmp_path / "other", "def main(args): print('{}')")
    lead(here().replace(root=root))
    assert "--fix" in found("warn", f"The hooks run Limpet 9.9.9 in {root}")["mend"]
    assert "fixed Pointed the hook launcher" in CliRunner().invoke(limpet, ["doctor", "--fix"]).output
    assert not [check for check in examine()[1] if "The hooks run" in check["what"]]


def test_another_version_is_told(project, tmp_path):
    root = stand_in(tmp_path / "old", "def main(args): print('{}')")
    replace_lines(project, lambda event: direct_command("claude-code", event, root=root))
    found("warn", "The hook line is in an old format (Limpet 9.9.9")


@pytest.mark.parametrize(
    ("hook", "text"),
    [
        ("def main(args): print('hello')", "does not answer with a JSON object"),
        ("def main(args): raise SystemExit(3)", "ended with exit code 3"),
        ("def main(args):\n import sys\n print('oops', file=sys.stderr)", "wrote to stderr: oops"),
        ("def main(args): print('{}')", "PreCompact prints text"),
    ],
)
def test_a_hook_that_harms_the_host_fails(real_lines, project, tmp_path, hook, text):
    root = stand_in(tmp_path / "old", hook)
    replace_lines(project, lambda event: direct_command("claude-code", event, root=root))
    found("fail", text)


def test_a_hook_that_outlives_its_timeout_fails(real_lines, project, tmp_path):
    root = stand_in(tmp_path / "old", "def main(args):\n import time\n time.sleep(60)")

    def change(data):
        data["hooks"] = {"SessionStart": data["hooks"]["SessionStart"]}
        slow = {"command": direct_command("claude-code", "SessionStart", root=root), "timeout": 0.2}
        data["hooks"]["SessionStart"][0]["hooks"][0].update(slow)

    edit(project, change)
    found("fail", "SessionStart (local) exceeded its timeout of 0.2 s")


def test_a_double_registration_is_called_harmless(real_lines, project):
    CliRunner().invoke(limpet, ["init", "--yes", "--user"], catch_exceptions=False)
    found("ok", "Registered in 2 files, which is harmless")
    found("ok", "SessionStart (user) answers")


def test_a_status_line_that_hides_ours_is_told(project):
    """With what brings both back; for one in git that is not ``init``, which takes nothing from there."""
    edit(project, lambda data: data.update(statusLine={"type": "command", "command": "echo theirs"}))
    assert found("warn", "is shown alone")["mend"] == "run `limpet init`"
    for words in (["init", "-q"], ["add", "-f", ".claude"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    assert "not in git" in found("warn", "is shown alone")["mend"]


def test_a_users_own_status_line_and_one_of_an_older_version_are_told(project, tmp_path):
    settings = tmp_path / "home" / ".claude" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"statusLine": {"type": "command", "command": "echo mine"}}')
    CliRunner().invoke(limpet, ["init", "--yes"], catch_exceptions=False)
    found("ok", "which runs yours too")
    line = f'"{launcher_path()}" claude-code StatusLine 2>/dev/null || exit 0'
    edit(project, lambda data: data["statusLine"].update(command=line))
    assert found("warn", "is an older version's")["mend"] == "run `limpet init`"
    CliRunner().invoke(limpet, ["init", "--yes"], catch_exceptions=False)
    found("ok", "which runs yours too")


@pytest.mark.parametrize("host", ["claude", "gemini"])
def test_a_plugin_beside_init_is_told(project, tmp_path, host):
    """Alone it is in order, and brings what init does."""
    home = tmp_path / "home"
    if host == "gemini":
        (Path(os.environ["GEMINI_CLI_HOME"]) / ".gemini" / "extensions" / "limpet").mkdir(parents=True)
        CliRunner().invoke(limpet, ["init", "--yes", "--host", "gemini"], catch_exceptions=False)
        assert "gemini extensions uninstall limpet" in found("warn", "by its extension and by init")["mend"]
        return
    write(home / ".claude" / "settings.json", '{"enabledPlugins": {"limpet@limpet": true}}')
    assert "limpet uninstall" in found("warn", "by its plugin and by init")["mend"]
    CliRunner().invoke(limpet, ["uninstall", "--yes"], catch_exceptions=False)
    assert "settings.json" in found("ok", "hooks, skill and server by the plugin")["what"]
    assert [each for each in examine()[1] if each["status"] == "fail"] == []


def test_a_shared_line_without_the_command_is_told(project, monkeypatch):
    CliRunner().invoke(limpet, ["init", "--yes", "--shared"], catch_exceptions=False)
    monkeypatch.setattr("shutil.which", lambda name: None)
    found("warn", "limpet is not on PATH")


@pytest.fixture
def worktree(project, tmp_path):
    options = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for words in ("init -q", "commit -q --allow-empty -m x", "worktree add -q ../tree"):
        subprocess.run(["git", *options, *words.split()], cwd=project, check=True, capture_output=True)
    return os.path.realpath(tmp_path / "tree")


def test_local_settings_that_git_would_keep_are_told(project, worktree):
    found("warn", "settings.local.json is not ignored by git")


def test_what_a_checkout_brings_under_private_names_is_named(project):
    """None of it is read; what the team shares is."""
    for name in ("sessions", "memories/shared", "memories/team"):
        (project / ".limpet" / name).mkdir(parents=True)
    (project / ".limpet" / "session.yaml").write_text("current_agent: devops\n")
    named = [check["what"].split()[0] for check in examine()[1] if " is not read: " in check["what"]]
    assert named == [".limpet/session.yaml", ".limpet/sessions", ".limpet/memories/shared"]


def test_a_worktree_without_hooks_is_told_until_the_user_has_them(project, worktree):
    """The shared settings lie in the main worktree only while they are not committed; the local ones serve all."""
    assert [check for check in examine()[1] if "in the worktree" in check["what"]] == []
    CliRunner().invoke(limpet, ["uninstall", "--yes"], catch_exceptions=False)
    CliRunner().invoke(limpet, ["init", "--yes", "--shared"], catch_exceptions=False)
    assert "init --user" in found("warn", f"No hooks run in the worktree {worktree}")["mend"]
    CliRunner().invoke(limpet, ["init", "--yes", "--user"], catch_exceptions=False)
    assert [check for check in examine()[1] if "in the worktree" in check["what"]] == []


def test_caches_of_projects_that_are_gone_are_told_and_removed_on_request(project, tmp_path):
    """The days of ``retention`` count from what was written last."""
    other = workspace_at(str(tmp_path / "other"))
    os.makedirs(other.cache)
    for path in (other.cached("root"), other.cache):
        if path != other.cache:
            write(path, os.path.realpath(other.root))
        os.utime(path, (1_600_000_000, 1_600_000_000))
    found("warn", "Caches of 1 deleted projects")
    assert "Removed the caches of 1 deleted projects" in CliRunner().invoke(limpet, ["doctor", "--fix"]).output
    assert not os.path.exists(other.cache)


@pytest.mark.parametrize(
    "line",
    [
        "command -v limpet >/dev/null 2>&1 ; touch {mark}; limpet hook claude-code SessionStart",
        '"{project}/limpet/hook" claude-code SessionStart 2>/dev/null || exit 0',
        "\"{launcher}\" claude-code SessionStart 2>/dev/null || eval 'touch {mark}'",
    ],
    ids=["more than ours", "a program in the project", "another status line"],
)
def test_a_line_that_came_with_a_pull_is_not_run(real_lines, project, tmp_path, line):
    """It looks like ours; of what the project's files say only the parts are believed."""
    (project / "limpet").mkdir()
    program = project / "limpet" / "hook"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/mark\n")
    program.chmod(0o755)
    given = line.format(mark=tmp_path / "mark", project=project, launcher="/gone/limpet/hook")
    hooks = {"SessionStart": [{"hooks": [{"type": "command", "command": given}]}]}
    (project / ".claude" / "settings.json").write_text(json.dumps({"hooks": hooks}))
    CliRunner().invoke(limpet, ["doctor"])
    assert not (tmp_path / "mark").exists()


def test_a_transcript_of_which_nothing_can_be_read_is_told(project, tmp_path):
    """The newest conversation's of a client; one that can be read, and one that just began, are not."""
    path, workspace = tmp_path / "talk.jsonl", workspace_at(str(project))
    state = new_session("s", "claude-code", workspace.root, 0.0)
    write_session(workspace, {**state, "transcript": str(path)})
    line = '{"type": "utterance", "words": "Use tabs, not spaces."}\n'
    path.write_text(line)
    assert not [check for check in examine()[1] if str(path) in check["what"]]
    path.write_text(line * 100)
    told = found("warn", "its transcript cannot be read")
    assert str(path) in told["what"] and "the lowest version known to be read is" in told["mend"]
    said = {"type": "user", "uuid": "u", "message": {"role": "user", "content": "Use tabs, not spaces."}}
    path.write_text(line * 100 + json.dumps(said) + "\n")
    assert not [check for check in examine()[1] if str(path) in check["what"]]


def test_a_client_that_was_heard_is_not_said_to_run_no_hooks(tmp_path, user, monkeypatch):
    """Whatever its own record of consent says; again after its hooks were written anew."""
    folder = tmp_path / "other"
    folder.mkdir()
    monkeypatch.chdir(folder)
    untrusted = "Gemini CLI: the folder is not trusted"
    init = ["init", "--yes", "--host", "gemini-cli"]
    CliRunner().invoke(limpet, init, catch_exceptions=False)
    assert found("warn", untrusted)
    settings = folder / ".gemini" / "settings.json"
    os.utime(settings, (1, 1))
    event = {"session_id": "s", "cwd": str(folder), "hook_event_name": "BeforeAgent", "prompt": "hello"}
    run_hook(json.dumps(event).encode(), "gemini-cli", "BeforeAgent", cwd=str(folder))
    assert not [one for one in examine()[1] if untrusted in one["what"]]
    assert untrusted not in CliRunner().invoke(limpet, init, catch_exceptions=False).output
    os.utime(settings, (4e9, 4e9))
    assert found("warn", untrusted)
