"""``limpet hosts``, also ``limpet doctor --clients``: the coding agents here, and what Limpet can do in each."""

import json
import re

import pytest
from click.testing import CliRunner

from limpet.cli import limpet
from limpet.hosts.base import CAPABILITIES
from limpet.hosts.registry import HOSTS, host_of


@pytest.fixture(autouse=True)
def project(tmp_path, user, monkeypatch):
    folder = tmp_path / "project"
    (folder / "bin").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    return folder


def run(*words):
    done = CliRunner().invoke(limpet, [*words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def states():
    return {state["name"]: state for state in json.loads(run("doctor", "--clients", "--json"))}


def add_program(project, name):
    path = project / "bin" / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)


def test_every_host_has_every_capability_or_says_why_not():
    """On a machine without any, none works, and the reason is the same for all."""
    found = states()
    assert list(found) == list(HOSTS)
    for state in found.values():
        assert list(state["can"]) == list(CAPABILITIES)
        assert all(not one["works"] and one["why"] for one in state["can"].values())
        host = host_of(state["name"])
        is_command = host.HEADLESS and host.HEADLESS.is_client
        assert ("is not on PATH" if is_command else "no hooks of ours here") in state["hindrance"]


def test_every_host_says_what_brings_each_thing_and_from_where_that_is_known():
    """In one place: a channel for what it can, a page with version and date, and what nobody ran."""
    for state in states().values():
        host = host_of(state["name"])
        assert {name for name, one in state["can"].items() if one["by"]} == host.CAN
        for source in state["sources"]:
            assert source["page"] and source["version"] and re.fullmatch(r"2026-\d\d(-\d\d)?", source["date"])
        assert state["sources"] and state["untried"]
        assert bool(state["tried"]) == (state["name"] not in ("cursor", "vscode", "antigravity"))


def test_the_screen_says_the_same_by_either_name():
    """What carries it, what is missing and why, what was never tried; and fits."""
    shown = run("hosts")
    assert shown == run("doctor", "--clients") and json.loads(run("hosts", "--json"))
    for words in (
        "never tried  everything: no run of the client",
        "https://cursor.com/docs/hooks",
        "by hook PreInvocation",
    ):
        assert words in shown
    assert json.loads(run("hosts", "--json")) == json.loads(run("doctor", "--clients", "--json"))


def test_a_client_without_our_hooks_says_how_to_have_them(project):
    """Once its program is there."""
    add_program(project, "claude")
    state = states()["claude-code"]
    assert state["program"] == str(project / "bin" / "claude")
    assert "limpet init --host claude-code" in state["hindrance"]


def test_a_client_with_hooks_works_as_far_as_it_can(project):
    """And what it cannot has its own reason."""
    add_program(project, "claude")
    add_program(project, "codex")
    run("init", "--host", "claude", "--host", "codex", "--yes")
    found = states()
    assert found["claude-code"]["hindrance"] == "" and found["claude-code"]["can"]["window"]["works"]
    assert [path.endswith(".codex/hooks.json") for path in found["codex-cli"]["hooks"]] == [True]
    assert not found["codex-cli"]["can"]["window"]["works"]


def test_hooks_that_codex_was_not_told_to_trust_do_not_run(project):
    """It leaves them out in silence, so the table says it."""
    add_program(project, "codex")
    run("init", "--host", "codex", "--yes")
    assert "not trusted" in states()["codex-cli"]["hindrance"]
    assert "not trusted" in run("doctor", "--clients")


def test_several_clients_are_set_up_in_one_go_and_left_in_one(project):
    """By their names or what people call them; nothing of it stays."""
    before = {path for path in project.rglob("*") if ".limpet" not in path.parts}
    output = run("init", "--host", "codex", "--host", "copilot", "--host", "gemini-cli", "--yes")
    assert "Set up Limpet for Codex, Copilot CLI and Gemini CLI in " in output
    hooks = {name: state["hooks"] for name, state in states().items()}
    assert [name for name in HOSTS if hooks[name]] == ["codex-cli", "copilot-cli", "gemini-cli"]
    run("init", "--host", "codex", "--host", "copilot", "--host", "gemini-cli", "--yes")
    run("uninstall", "--yes")
    assert {path for path in project.rglob("*") if ".limpet" not in path.parts} == before
