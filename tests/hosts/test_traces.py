"""A throw-away session leaves a project as it was, and takes nothing that others put there."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from limpet.ground.storage.files import write_atomic
from limpet.ground.storage.user_folders import cache_folder, state_folder, user_config_path
from limpet.ground.workspace import workspace_at
from limpet.hosts.registry import all_hosts
from limpet.hosts.traces import remove_old_drafts, without_traces
from limpet.work.conversation import conversations_folder


@pytest.fixture
def state(project):
    folder = Path(workspace_at(str(project)).state)
    for part in ("sessions", "continuation", "locks"):
        (folder / part).mkdir(parents=True)
    return folder


@pytest.fixture
def shared(project):
    folder = Path(workspace_at(str(project)).shared)
    (folder / "events" / "blocks").mkdir(parents=True)
    return folder


def files(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_files_of_the_session_go_and_others_stay(project, state):
    (state / "sessions" / "real.json").write_text("{}")
    before = files(state)
    with without_traces(workspace_at(str(project)), "trial-1"):
        for name in ("sessions/trial-1-local.json", "continuation/trial-1-local.md", "locks/trial-1.lock"):
            (state / name).write_text("x")
        (state / "sessions" / "new.json").write_text("{}")
    assert files(state) == {**before, "sessions/new.json": "{}"}


def test_what_lies_with_the_user_of_the_session_goes_too(project):
    workspace = workspace_at(str(project))
    with without_traces(workspace, "trial-1"):
        for name in ("trial-1", "real"):
            write_atomic(workspace.cached("status", f"{name}.json"), "{}")
            write_atomic(os.path.join(conversations_folder(), name), workspace.home)
    assert os.listdir(workspace.cached("status")) == ["real.json"]
    assert os.listdir(conversations_folder()) == ["real"]


def test_a_block_goes_only_if_the_session_was_the_first_to_get_it(project, shared):
    (shared / "events" / "blocks" / "known").write_text("text")
    with without_traces(workspace_at(str(project)), "trial-1"):
        (shared / "events" / "blocks" / "new").write_text("text")
        (shared / "events" / "blocks" / "of-another").write_text("text")
        blocks = ("known", "new", "../../sessions/real.json")
        lines = [json.dumps({"kind": "block", "data": {"block": block}}) for block in blocks]
        (shared / "events" / "trial-1.jsonl").write_text("\n".join([*lines, "no json"]))
    assert sorted(files(shared)) == ["events/blocks/known", "events/blocks/of-another"]


@pytest.mark.parametrize(
    ("before", "session", "after"),
    [
        ("where we were", "trial-1-local", "where we were"),
        (None, "trial-1-local", None),
        (None, "real", "session: real"),
    ],
)
def test_the_latest_continuation_is_put_back_when_the_session_overwrote_it(project, state, before, session, after):
    """One that another session wrote meanwhile stays."""
    latest = state / "continuation" / "latest.md"
    if before:
        latest.write_text(before)
    with without_traces(workspace_at(str(project)), "trial-1"):
        latest.write_text(f"session: {session}")
    assert (latest.read_text() if latest.exists() else None) == after


NOW = 2_000_000_000.0
DRAFT = "limpet-12-345.tmp"


@pytest.fixture
def places(project):
    """The folders in which we write, in and beside the project and the user's own."""
    workspace = workspace_at(str(project))
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    found = [
        project,
        project / ".git" / "hooks",
        project / "squads" / "alpha" / "rules",
        project / ".github",
        project / ".limpet" / "rules",
        Path(workspace.shared) / "events",
        Path(workspace.state) / "sessions",
        Path(state_folder()),
        Path(cache_folder()) / "deep" / "er",
        Path(user_config_path()).parent,
    ]
    for host in all_hosts():
        found += [Path(path).parent for path in host.written_files(str(project))]
    return list(dict.fromkeys(found))


def put(path, age=7200):
    """A file that was last written so many seconds ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("half")
    os.utime(path, (NOW - age,) * 2)
    return path


def test_old_drafts_go_from_every_place(project, places):
    left = {str(put(folder / DRAFT)) for folder in places}
    assert set(remove_old_drafts(workspace_at(str(project)), NOW)) == left
    assert not any(map(os.path.exists, left))
    assert remove_old_drafts(workspace_at(str(project)), NOW) == ()


def test_other_files_and_drafts_that_are_being_written_stay(project, places):
    """A person's own temporary files, and those of a writer who is at work."""
    kept = [put(folder / "limpet-1-2.tmp", age=60) for folder in places]
    kept += [put(folder / name) for folder in places for name in ("limpet-mine.tmp", "notes.tmp")]
    kept.append(put(project / "data.2026.01.tmp"))
    kept.append(put(project / "docs" / DRAFT))
    assert remove_old_drafts(workspace_at(str(project)), NOW) == ()
    assert all(map(os.path.exists, kept))
