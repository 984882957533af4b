"""``limpet guard`` by its doors: trying a call, the rules, the permission mode."""

import json
import os
import subprocess
import sys

import pytest

from limpet.ground.storage.user_folders import data_folder, state_folder
from limpet.work.session import new_session, write_session

from ...conftest import trusted, write_settings
from ...conversation import write
from ...places import private_path
from ..conftest import events


def answered(call, *words):
    return json.loads(call("guard", "test", *words, "--json").stdout)


def test_what_no_rule_concerns_is_the_hosts(workspace, call):
    """Nothing is allowed over the host's head."""
    said = call("guard", "test", "pytest -q").stdout.splitlines()
    allowed = "allow: No rule in force has anything against it; your coding agent's own mode decides."
    assert said[0] == f"{allowed} More rules are in force while an agent is active: try --agent dev."
    assert call("guard", "test", "pytest -q", "--agent", "dev").stdout.splitlines()[0] == allowed


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (("git push", "--agent", "qa"), "authority.push"),
        (("--write", "src/a.py", "--agent", "qa"), "authority.code"),
        (("--write", "src/a.py", "--mode", "clarity"), "mode.scope"),
        (("--read", "{data}/projects/a/shared/events/a.jsonl"), "private.memory"),
        (("--read", "{state}/key"), "kept.state"),
        (("--tool", "mcp__x__y", "--permission", "safe"), "permission.explore"),
        (("Remove-Item -Recurse -Force src", "--shell", "powershell", "--permission", "balanced"), "unclear"),
        (("npm install", "--permission", "ask"), "permission.ask"),
    ],
)
def test_every_kind_of_call_can_be_tried_in_any_scene(workspace, call, words, rule):
    """Aliases of agents, modes and permissions are understood."""
    words = [word.format(data=data_folder(), state=state_folder()) for word in words]
    assert answered(call, *words)["rule"] == rule


def test_the_scene_is_the_one_in_force(workspace, call):
    """The project's agent, where none is named."""
    write(private_path(workspace, "session.yaml"), "current_agent: dev\n")
    assert answered(call, "git push")["rule"] == "authority.push"
    assert answered(call, "git push", "--agent", "none")["rule"] == ""


def test_nothing_runs_and_nothing_is_recorded(workspace, call):
    """It is only tried."""
    assert answered(call, "git push > made", "--agent", "dev")["answer"] == "deny"
    assert "made" not in os.listdir(workspace.root)
    assert events(workspace) == []


def test_no_secret_is_printed(workspace, call):
    """What is shown goes through redaction."""
    key = "AKIA" + "QX7ZPLK3MNB2VTRD"
    said = call("guard", "test", f"echo {key} > .env")
    assert said.stdout.startswith("deny: ") and key not in said.stdout


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ((), "give one of COMMAND"),
        (("ls", "--read", "x"), "give one of COMMAND"),
        (("ls", "--agent", "nobody-known"), "Unknown agent: nobody-known"),
        (("ls", "--mode", "fast"), "Unknown mode: fast"),
        (("ls", "--permission", "never"), "Unknown permission mode: never"),
    ],
)
def test_what_cannot_be_tried_is_said(workspace, call, words, what):
    """In one line."""
    done = call("guard", "test", *words)
    assert done.returncode and what in done.stderr


def test_the_rules_are_listed_and_explained(workspace, call):
    """With their switch, and whether it is on."""
    assert "authority.push" in call("guard", "explain").stdout
    write_settings(workspace, "guard: {rules: {authority: false}, authority: {push: [release-manager]}}\n")
    found = json.loads(call("guard", "explain", "authority.push", "--json").stdout)
    assert (found["on"], found["agents"], found["article"]) == (False, ["release-manager"], "I")
    assert "did you mean mode.scope?" in call("guard", "explain", "mode.scop").stderr


def test_loosening_waits_for_the_users_word_and_tightening_does_not(workspace, call):
    """Settings of the guard in a committed file act (decision 46)."""
    write(workspace.path("config.yaml"), "guard: {rules: {secrets: false}, unclear: deny, permission: explore}\n")
    keys = ("guard.rules.secrets", "guard.unclear", "guard.permission")
    assert [call("config", "get", key).stdout.strip() for key in keys] == ["true", "deny", "explore"]
    trusted(workspace.root)
    assert call("config", "get", "guard.rules.secrets").stdout.strip() == "false"


@pytest.mark.parametrize(("name", "mode"), [("ask", "ask"), ("safe", "explore"), ("yolo", "auto"), ("balanced", "ask")])
def test_a_person_sets_the_mode(workspace, at_terminal, name, mode):
    """By name or alias; from then on it counts, the log has it and ``status`` shows it, until it is cleared."""
    said = at_terminal("guard", "mode", name)
    assert f"permission mode: {mode} (session.yaml)" in said.stdout
    assert f"permission  [{mode}]" in at_terminal("status").stdout
    assert json.loads(at_terminal("status", "--json").stdout)["permission"] == mode
    assert [event["data"]["permission"] for event in events(workspace) if event["kind"] == "guard.mode"] == [mode]
    at_terminal("guard", "mode", "--clear")
    assert json.loads(at_terminal("status", "--json").stdout)["permission"] is None


def test_an_agent_does_not_set_the_mode(workspace, call):
    """Neither inside a host nor without a terminal."""
    for agent, why in ((None, "A person's word is needed"), ("dev", "Only a person can do this")):
        done = call("guard", "mode", "auto", agent=agent)
        assert done.returncode == 1 and why in done.stderr


def test_without_an_argument_the_mode_in_force_is_shown_with_what_sets_it(workspace, at_terminal):
    """A conversation's own before the project's, that before a setting; and how to set one."""

    def shown(*words):
        return at_terminal("guard", "mode", *words).stdout.splitlines()

    how = "To set one: limpet guard mode explore|ask|auto"
    assert shown() == ["permission mode: none; your coding agent's own mode decides", how]
    assert json.loads(at_terminal("guard", "mode", "--json").stdout) == {"permission": None, "in": None}
    write(workspace.path("config.yaml"), "guard: {permission: ask}\n")
    trusted(workspace.root)
    assert shown() == ["permission mode: ask (.limpet/config.yaml)", how]
    at_terminal("guard", "mode", "auto")
    assert shown() == ["permission mode: auto (session.yaml)", how]
    state = new_session("5f0c2a77", "claude-code", workspace.root, 0.0)
    write_session(workspace, {**state, "permission": "explore"})
    assert shown("--session", "5f0c") == ["permission mode: explore (session 5f0c2a77)", how]
    found = json.loads(at_terminal("guard", "mode", "--json").stdout)
    assert found == {"permission": "auto", "in": "session.yaml"}


def test_a_mode_and_none_together_are_a_mistake(workspace, at_terminal):
    """As for other choices."""
    assert at_terminal("guard", "mode", "ask", "--clear").returncode == 2


READINGS = ["grep -r quokka .", "find . -type f -exec cat {} +", "git grep --no-index quokka"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX programs")
@pytest.mark.parametrize("text", READINGS)
def test_a_search_of_the_whole_project_meets_no_private_memory(workspace, call, text):
    """So the guard need not stop it: neither an agent's own, nor a wish, nor what a conversation said, lies there."""
    subprocess.run(["git", "init", "-q"], cwd=workspace.root, check=True)
    call("memory", "add", "The quokka is dev's own.", "--agent", "dev", "--private")
    call("memory", "add", "I want a quokka.", "--private")
    write(private_path(workspace, "continuation", "latest.md"), "# Continuation\nAt the quokka.\n")
    assert "quokka" in call("memory", "search", "quokka", "--agent", "dev").stdout
    assert answered(call, text, "--agent", "qa")["answer"] == "allow"
    done = subprocess.run(["sh", "-c", text], cwd=workspace.root, capture_output=True, text=True)
    assert "quokka" not in done.stdout.replace(text, "") and done.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX programs")
@pytest.mark.parametrize("text", READINGS)
def test_the_same_around_the_data_folder_is_denied(workspace, call, text):
    around = os.path.dirname(os.path.dirname(data_folder()))
    place = f"{text} {around}" if text.startswith("git") else text.replace(" .", f" {around}")
    assert answered(call, place, "--agent", "qa")["rule"] == "private.memory"


def test_an_option_that_writes_is_no_reading_however_it_is_given(workspace, call):
    """In the mode `explore`; without it the command reads."""
    for text, answer in (
        ("limpet work spec status", "allow"),
        ("limpet work spec status --log 'x'", "ask"),
        ("limpet work spec status --log=x", "ask"),
        ("limpet work spec scan --write", "ask"),
    ):
        assert answered(call, text, "--permission", "explore")["answer"] == answer, text


def test_what_a_command_of_ours_asks_itself_is_told(call):
    """The hook lets it run; who plans stories is asked nothing, nor is anybody in a step that plans."""
    adds = ("guard", "test", 'limpet work story add "Add the export" --criterion x')
    said = call(*adds, "--agent", "dev").stdout.splitlines()
    assert said[0] == "ask: The command itself asks for the user's word, since dev is in force."
    for free in (("--agent", "tasks"), ("--agent", "none"), ("--agent", "dev", "--mode", "planning")):
        assert call(*adds, *free).stdout.startswith("allow: ")
    assert call("guard", "test", "limpet work story show", "--agent", "dev").stdout.startswith("allow: ")
