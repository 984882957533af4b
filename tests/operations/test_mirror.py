"""The compiler of the mirror."""

import json
import os

import pytest

from limpet import __version__
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import mirror_path, read_mirror, source_files
from limpet.ground.storage import text_file
from limpet.ground.storage.files import stamp
from limpet.ground.storage.user_folders import user_config_path
from limpet.operations import project_state as opening
from limpet.operations.mirror import (
    compile_agents,
    compose,
    main,
    refresh_mirror,
    view_own_task,
    view_work,
    work_sources,
)
from limpet.operations.work.handoffs import Content, hand_over
from limpet.roles.compiled import read_compiled

from ..conversation import write
from ..places import private_path
from ..project_session import update_project
from .callers import opened


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
            os.path.join(workspace.data, "config.local.yaml"): None,
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
        assert mirror(workspace)["problems"][0].startswith("session.yaml:2: Invalid YAML: while parsing a flow node")


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
    main(workspace.home, workspace.state)
    printed = capsys.readouterr().out
    assert printed.isascii()
    said = json.loads(printed)
    assert said.pop("agents") == read_compiled(workspace)["agents"]
    assert said == mirror(workspace)


def test_a_refresh_spares_the_next_hook_its_compiler(workspace, monkeypatch):
    """Right after a command wrote and refreshed, the mirror counts as fresh."""
    write(private_path(workspace, "session.yaml"), "mode: build\n")
    refresh_mirror(workspace)
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a compiler was started"))
    assert read_mirror(workspace).session == {"mode": "build"}
    assert all(path in mirror(workspace)["sources"] for path in source_files(workspace))


STORY = "---\nid: S-1\ntitle: Add it\nexecutor: human\n---\n\n## Tasks\n\n- [ ] Write it\n"


def view(workspace):
    return view_work(opened(workspace))[0]


def test_the_domains_are_those_of_the_current_step(workspace):
    """The step that the commands mean too."""
    update_project(workspace, {"workflow": "greenfield", "agents": {"greenfield-wu": {"status": "in_progress"}}})
    found = view(workspace)
    assert found["pipeline"].startswith("WU(in_progress)") and isinstance(found["domains"], list)


def test_a_handoff_reaches_the_agent_that_an_alias_stands_for(workspace):
    """Whether the alias stands in the session or in the handoff."""
    update_project(workspace, {"workflow": "brownfield"})
    hand_over(opened(workspace), "brief", "analyst", Content(summary="Look at the billing."))
    update_project(workspace, {"current_agent": "analyst"})
    handoff = view(workspace)["handoff"]
    assert (handoff["to"], handoff["lines"]) == ("brownfield-wu", ["Look at the billing."])


def test_a_file_that_cannot_be_read_costs_its_own_part(workspace):
    """And is named."""
    write(workspace.path("workflows", "ours.yaml"), "steps: [\n")
    update_project(workspace, {"workflow": "Ours", "task": "Add it"})
    found, problems = view_work(opened(workspace))
    assert (found["pipeline"], found["task"]) == ("", {"title": "Add it"})
    assert problems[0].startswith(".limpet/workflows/ours.yaml:2")
    assert workspace.path("workflows", "ours.yaml") in work_sources(opened(workspace))


def test_a_conversations_own_task_bears_its_storys_file(workspace):
    """And the stamp by which a change is seen; a name without a story is a title."""
    path = workspace.path("stories", "S-1", "story.md")
    write(path, STORY)
    task, problems = view_own_task(opened(workspace), "S-1")
    assert (task["title"], task["executor"], task["progress"]) == ("Add it", "human", "task 1 of 1: Write it")
    assert (task["file"], task["stamp"], problems) == (path, list(stamp(path)), [])
    assert view_own_task(opened(workspace), "A hotfix") == ({"title": "A hotfix"}, [])
