"""``limpet status`` by its door."""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.event import Event
from limpet.ground.event_log import Actor, append_event
from limpet.ground.storage.files import read_text
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.commands.lines import direct_command
from limpet.operations.figures import CALL, LOG, OUTCOME
from limpet.work.session import change_session

from ..conftest import trusted, write_settings
from ..conversation import write
from ..hook_host import Host
from ..operations.memory.test_candidates import Talk
from ..places import private_path


@pytest.fixture
def project(workspace, monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    os.mkdir(workspace.path("rules"))
    Path(workspace.path("rules", "manifest")).write_text("QA_STATE=active\n")
    return workspace


def rows(text):
    """By its first words what a line says."""
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in text.splitlines() if line)


def test_a_new_project_has_little_to_tell(project, run):
    """What is empty is left out."""
    found = rows(run("status").stdout)
    assert found == {
        "project": project.root,
        "works in": "no client yet. Run: limpet init",
        "rules": "none of yours, 4 shipped",
        "memories": "0 kept",
        "now": "no conversation yet",
    }


def test_a_project_in_use_is_told_in_five_lines(project, run, screen):
    """Clients, rules, memories and the conversation, in a terminal of 60 columns too."""
    run("init", "--yes", "--here")
    run("rules", "add", "COMMITS", "--recall", "commit", "--rule", "Use the imperative.")
    run("memory", "add", "Amounts are integers of cents")
    run("memory", "write", "decision: Deploys go through staging.")
    Host(project).prompt("hello", session_id="s1")
    found = rows(run("status").stdout)
    assert re.fullmatch("Claude Code, last heard (just now|1 minute ago)", found["works in"])
    assert found["rules"] == "1 of yours (commits), 4 shipped"
    assert found["memories"] == "2 kept" and found["now"].startswith("s1: window 100% free, 1 prompt")
    assert [*found] == ["project", "works in", "rules", "memories", "now"]
    assert max(map(len, screen(60, "status"))) <= 60


def test_what_was_heard_is_counted_apart(project, run):
    """Until somebody looked at it."""
    Talk(project, "talk").says("Build the importer.", "No, use tabs.").capture(turn=True)
    assert rows(run("status").stdout)["memories"] == "0 kept; 1 heard, not looked at yet. Run: limpet review"


def test_the_screen_shows_where_the_work_stands(project, run):
    """What `agent` and `work` have set."""
    run("work", "agent", "activate", "dev")
    run("work", "start", "greenfield")
    run("work", "set", "--task", "Add it", "--id", "S-1")
    run("work", "set", "--mode", "build")
    found = rows(run("status").stdout)
    assert (found["agent"], found["workflow"], found["task"], found["mode"]) == ("dev", "greenfield", "Add it", "build")


def test_a_paused_conversation_is_said_to_be(project, run):
    """Where it would say how full the window is."""
    Host(project).prompt("hello", session_id="s1")
    assert run("pause", "--yes").returncode == 0
    assert rows(run("status").stdout)["now"] == "s1: paused, nothing is sent or kept"


def test_the_last_conversation_and_hook_are_shown(project, run):
    """Its bracket, window, counts and what it set for itself."""
    event = Event(
        kind="prompt", host="claude-code", session="s1", cwd=project.root, prompt="tests", context_tokens=450_000
    )
    handle(event, project, Clock())
    change_session(project, "s1", {"active_agent": "dev"})
    found = rows(run("status").stdout)
    assert found["now"] == "s1: window 55% free, 1 prompt; its own active_agent dev"
    assert "last hook" not in found


def test_a_failed_hook_is_told_with_the_command_that_explains_it(project, run):
    """The last event left no block, but a crash."""
    os.makedirs(private_path(project, "metrics"))
    write(
        private_path(project, "metrics", "hook.jsonl"),
        '{"time": "now", "event": "prompt", "crash": "ValueError", "what": "no", "where": "a.py:1"}\n',
    )
    assert rows(run("status").stdout)["last hook"] == "now, prompt: failed with ValueError. Run: limpet log --hook"


def test_a_setting_that_waits_for_consent_is_named_once_and_is_no_mistake(project, run):
    """With the command that asks for it, by status and by doctor."""
    run("init", "--yes", "--here")
    write(project.path("config.yaml"), "work: {check_seconds: 99}\n")
    found = rows(run("status").stdout)
    assert found["trust"].endswith("; settings wait for your consent: work.check_seconds. Run: limpet trust")
    assert "configuration" not in found
    (told,) = [line for line in run("doctor").stdout.splitlines() if "check_seconds" in line]
    assert told == "warn  Settings of the project wait for your consent: work.check_seconds  -> run `limpet trust`"


def test_an_untrusted_project_is_said_to_be(project, run):
    """And why."""
    run("trust", "--revoke", "--yes")
    told = rows(run("status").stdout)["trust"]
    assert told == "not trusted, so nothing of it is read. You have not trusted it. Run: limpet trust"
    assert json.loads(run("status", "--json").stdout)["trust"]["since"] == ""


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_no_command_is_broken_in_a_terminal(project, run, screen, columns):
    """Of status and of doctor, with much that is wrong."""
    run("init", "--yes", "--here")
    write(project.path("config.yaml"), "work: {check_seconds: 99}\ncontext: {characters: many}\n")
    write(project.path("rules", "manifest"), "nonsense\n")
    os.unlink(launcher_path())
    for word in ("status", "doctor"):
        lines = screen(columns, word)
        commands = set(re.findall(r"limpet (?:trust|init|doctor --fix|config \w+|rules \w+)", run(word).stdout))
        assert commands and all(any(one in line for line in lines) for one in commands)


def test_large_rules_are_counted_and_not_looked_through(project, run):
    """Neither by the doctor; both name the command that does."""
    lines = [f"QA_RULE_{number}={'Check the inputs. ' * 10}\n" for number in range(1000)]
    Path(project.path("rules", "qa")).write_text("".join(lines) + "no rule\n")
    found = rows(run("status").stdout)
    assert found["rules"].endswith("Too large to look for mistakes here. Run: limpet rules check")
    assert found["rules"].startswith("1000 of yours (qa)")
    assert json.loads(run("status", "--json").stdout)["mistakes"] == {
        "errors": None,
        "warnings": None,
        "configuration": 0,
    }
    told = run("doctor", "--all").stdout
    assert "too large to look through here" in told and "The framework is" not in told
    assert "no = in 'no rule'" in run("rules", "check").stdout


def test_mistakes_are_counted_with_the_command_that_explains_them(project, run):
    """Rules and configuration apart."""
    with open(project.path("rules", "manifest"), "a") as file:
        file.write("nonsense\nQA_STAT=active\n")
    write(project.path("config.yaml"), "context: {characters: many}\n")
    found = rows(run("status").stdout)
    assert " shipped 2 errors, " in found["rules"]
    assert found["rules"].endswith("Run: limpet rules check")
    assert found["configuration"] == "1 mistake. Run: limpet doctor"


def test_a_broken_agent_file_is_a_problem(project, run):
    """With its line and what is used in its place."""
    write(project.path("agents", "dev.md"), "---\nmission: [\n---\n")
    found = rows(run("status").stdout)
    assert found["problem"].startswith(".limpet/agents/dev.md:3: Invalid YAML")
    assert found["problem"].endswith(", so the packaged agent is used (correct it there)")
    assert "configuration" not in found


def test_programs_get_the_same_as_json(project, run):
    """Nothing is left out."""
    data = json.loads(run("status", "--json").stdout)
    assert set(data) == {
        *("project", "trust", "hooks", "agent", "mode", "permission", "lock", "workflow", "task", "squad"),
        *("domains", "conversation", "last_hook", "extraction", "mistakes", "place", "problems", "waiting", "others"),
        "proposed",
        "clients",
        "rules",
        "memories",
    }
    assert data["domains"] == {"active": 17, "known": 18, "wait": ["STORY"]}
    assert data["conversation"] is None


def test_what_a_model_cost_is_told(workspace, run):
    """Where one was chosen, or asked lately; else nobody reads of it."""
    assert "model" not in rows(run("status").stdout)
    write_settings(workspace, "memory: {capture_model: haiku}\n")
    assert rows(run("status").stdout)["model"] == "haiku: 0 calls in 30 days, 0 tokens in, 0 out, 0.0000 USD"
    actor = Actor("model:haiku", time.time(), DEFAULTS["retention"])
    for kind, data in [(CALL, {}), (OUTCOME, {"in": 9000, "out": 70, "usd": 0.0101, "added": 2, "dropped": 1})]:
        append_event(workspace.shared, actor, kind, data, LOG)
    told = rows(run("status").stdout)["model"]
    assert told.startswith("haiku: 1 call in 30 days, 9,000 tokens in, 70 out, 0.0101 USD; last ")
    assert told.endswith(": 2 kept, 1 dropped")


def test_a_sub_folder_names_the_project_above_it(project, run):
    """And a nested project says that the outer one does not count."""
    inner = os.path.join(project.root, "packages", "web")
    os.makedirs(inner)
    assert rows(run("status", cwd=inner).stdout)["uses"] == "its .limpet, found above packages/web"
    os.mkdir(os.path.join(inner, ".limpet"))
    trusted(inner)
    found = rows(run("status", cwd=inner).stdout)
    told = f"only its own .limpet: the one in {project.root} is outside its git repository"
    assert (found["project"], found["uses"]) == (inner, told)


def test_a_worktree_shows_the_hooks_that_its_sessions_obey(project, run, tmp_path):
    """The main worktree's, with its rules, or its own rules with the main one's memories."""
    run("init", "--yes", "--here")
    options = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for words in ("init -q", "commit -q --allow-empty -m x", "worktree add -q ../tree"):
        subprocess.run(["git", *options, *words.split()], cwd=project.root, check=True, capture_output=True)
    tree = str(tmp_path / "tree")
    found = rows(run("status", cwd=tree).stdout)
    assert (found["project"], found["uses"]) == (project.root, "its .limpet, because this git worktree has none")
    assert found["works in"] == "Claude Code, not heard yet"
    hooks = json.loads(run("status", "--json", cwd=tree).stdout)["hooks"]
    assert {path: len(events) for path, events in hooks.items()} == {".claude/settings.local.json": len(TIMEOUTS)}
    os.mkdir(os.path.join(tree, ".limpet"))
    found = rows(run("status", cwd=tree).stdout)
    assert found["uses"] == "rules of this git worktree, memories of its repository"
    assert found["works in"] == "Claude Code, not heard yet"
    os.unlink(os.path.join(project.root, ".claude", "settings.local.json"))
    assert rows(run("status", cwd=tree).stdout)["works in"] == "no client yet. Run: limpet init"


def test_hooks_that_start_a_missing_limpet_are_told_with_the_command_that_mends_them(project, run):
    """A line of an earlier form names its interpreter itself."""
    run("init", "--yes", "--here")
    path = os.path.join(project.root, ".claude", "settings.local.json")
    settings = json.loads(read_text(path))
    line = direct_command("claude-code", "UserPromptSubmit", root="/gone")
    settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"] = line
    with open(path, "w", encoding="utf-8") as file:
        json.dump(settings, file)
    told = rows(run("status").stdout)["problem"]
    assert "/gone" in told and "limpet init" in told
