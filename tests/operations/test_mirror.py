"""The compiler of the mirror."""

import json

import pytest

from limpet import __version__
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import mirror_path, read_mirror, source_files
from limpet.ground.storage import text_file
from limpet.ground.storage.files import stamp
from limpet.ground.storage.user_folders import user_config_path
from limpet.operations import project_state as opening
from limpet.operations.mirror import compile_agents, compose, main, refresh_mirror
from limpet.roles.compiled import read_compiled

from ..places import private_path
from .callers import opened


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def mirror(workspace):
    with open(mirror_path(workspace), encoding="utf-8") as file:
        return json.load(file)


def test_the_mirror_holds_version_stamps_settings_and_session(workspace):
    """All that the hook needs stands in one file, with null for a source that is not there."""
    write(workspace.path("config.yaml"), "rules: {devmode: true}\n")
    write(private_path(workspace, "session.yaml"), "mode: clarity\ntask: Add it\nmine: [1, 2.5, null]\n")
    refresh_mirror(workspace)
    found = mirror(workspace)
    assert found["product"] == __version__
    assert (
        found["sources"].items()
        >= {
            user_config_path(): None,
            workspace.path("config.yaml"): list(stamp(workspace.path("config.yaml"))),
            workspace.path("config.local.yaml"): None,
            private_path(workspace, "session.yaml"): list(stamp(private_path(workspace, "session.yaml"))),
        }.items()
    )
    assert found["settings"] == {**DEFAULTS, "rules": {**DEFAULTS["rules"], "devmode": True}}
    assert found["session"] == {"mode": "planning", "task": "Add it", "mine": [1, 2.5, None]}
    assert found["problems"] == []


def test_secrets_do_not_reach_the_mirror(workspace):
    """A token in a task, nested or in a rejected value is marked, not copied."""
    token = "ghp_" + "a1B2" * 9
    write(private_path(workspace, "session.yaml"), f"task: {{title: use {token}}}\nmine: [{token}]\nmode: {token}\n")
    refresh_mirror(workspace)
    with open(mirror_path(workspace), encoding="utf-8") as file:
        text = file.read()
    assert token not in text
    assert text.count("[redacted:github-token]") == 4  # the task is in the session and in the view of the work


def test_a_broken_session_keeps_the_last_good_one(workspace):
    """While session.yaml cannot be read, agent and task stay as they were, and the problem is named; then again."""
    write(private_path(workspace, "session.yaml"), "current_agent: dev\n")
    refresh_mirror(workspace)
    write(private_path(workspace, "session.yaml"), "current_agent: [\n")
    for _ in range(2):
        refresh_mirror(workspace)
        assert mirror(workspace)["session"] == {"current_agent": "dev"}
        assert mirror(workspace)["problems"][0].startswith(
            ".limpet/session.yaml:2: Invalid YAML: while parsing a flow node"
        )


def test_values_that_json_does_not_know_become_text_or_null(workspace):
    """Explicit dates, sets and numbers without end do not break the mirror."""
    write(
        private_path(workspace, "session.yaml"), "day: !!timestamp 2026-11-21\nall: !!set {a}\nmuch: .inf\n7: seven\n"
    )
    assert compose(opened(workspace), compile_agents(workspace))["session"] == {
        "day": "2026-11-21",
        "all": ["a"],
        "much": float("inf"),
        "7": "seven",
    }
    refresh_mirror(workspace)
    assert mirror(workspace)["session"]["much"] is None


@pytest.mark.parametrize(("ahead", "is_kept"), [(1, False), (-(10**18), True)], ids=["now", "the far future"])
def test_a_source_that_may_change_unseen_is_read_again_next_time(workspace, monkeypatch, ahead, is_kept):
    """A file touched in the current tick of the clock gets a stamp that no file has; a date decades ahead is a mark."""
    path = workspace.path("config.yaml")
    write(path, "rules: {devmode: true}\n")
    monkeypatch.setattr(text_file.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(text_file.time, "time_ns", lambda: stamp(path)[0] + ahead)
    assert compose(opened(workspace), compile_agents(workspace))["sources"][path] == (
        stamp(path) if is_kept else (0, 0, 0)
    )


def test_an_edit_during_the_compilation_makes_the_mirror_stale(workspace, monkeypatch):
    """Stamps are taken before the reading: what changes in between is read at the next prompt."""
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    real = opening.load_settings

    def load_and_edit(where):
        found = real(where)
        write(workspace.path("config.yaml"), "context: {characters: 90}\ncontext: 1\n")
        return found

    monkeypatch.setattr(opening, "load_settings", load_and_edit)
    refresh_mirror(workspace)
    assert mirror(workspace)["sources"][workspace.path("config.yaml")] != list(stamp(workspace.path("config.yaml")))


def test_the_compiler_prints_what_it_writes(workspace, capsys):
    """The hook can take the mirror from its output where no file can be written; it is ASCII for any console."""
    write(private_path(workspace, "session.yaml"), "task: Größe 😀\n")
    main(workspace.home)
    printed = capsys.readouterr().out
    assert printed.isascii()
    said = json.loads(printed)
    assert said.pop("agents") == read_compiled(workspace)["agents"]
    assert said == mirror(workspace)


def test_a_refresh_spares_the_next_hook_its_compiler(workspace, monkeypatch):
    """Right after a command wrote and refreshed, the mirror counts as fresh."""
    write(private_path(workspace, "session.yaml"), "mode: build\n")
    refresh_mirror(workspace)
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("a compiler was started"))
    assert read_mirror(workspace).session == {"mode": "build"}
    assert all(path in mirror(workspace)["sources"] for path in source_files(workspace))
