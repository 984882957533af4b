"""Drafts of killed writers go from every place in which we write; everything else stays."""

import os
import subprocess
from pathlib import Path

import pytest

from limpet.ground.config.mirror import user_config_path
from limpet.ground.storage.user_folders import cache_folder, project_state, state_folder
from limpet.ground.workspace import workspace_at
from limpet.hosts.doctor.traces import remove_old_drafts
from limpet.hosts.registry import all_hosts

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
        Path(project_state(workspace.home)),
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
