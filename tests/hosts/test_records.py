"""Several hosts' entries stand in one record."""

import json
import os

import pytest

from limpet.ground.storage.user_folders import state_folder
from limpet.hosts.claude_code.install import plan_install, plan_removal
from limpet.hosts.file_changes import ChangePlan, FileChange, apply_changes
from limpet.hosts.installation import carry_out_plan, plan_installation, plan_uninstallation
from limpet.hosts.records import (
    LOCAL,
    SHARED,
    USER,
    all_records,
    change_record,
    combine,
    known_entries,
    project_record,
    read_record,
    recorded_root,
    recorded_scopes,
    user_record,
)

ENTRY = {"host": "a", "scope": "local", "original": None}


def test_changes_to_one_record_become_one_in_the_place_of_the_first(project):
    """What one plan adds the other does not take away; other changes stay as they are."""
    home, path = str(project / ".limpet"), str(project.resolve() / "one")
    record = project_record(home)
    other = FileChange(path, "x", None, b"1")
    plans = [
        ChangePlan((change_record(home, LOCAL, {path: ENTRY}), other), ("first",)),
        ChangePlan((change_record(home, LOCAL, {f"{path}2": ENTRY}),), ("second",)),
    ]
    whole = combine(plans)
    assert ([change.path for change in whole.changes], whole.notes) == ([record, path], ("first", "second"))
    apply_changes(whole.pending())
    assert read_record(record) == {path: ENTRY, f"{path}2": ENTRY}


def test_an_entry_that_is_none_goes_and_the_last_takes_the_file_along(project):
    """The others stay."""
    home, path = str(project / ".limpet"), str(project.resolve() / "one")
    apply_changes(combine([ChangePlan((change_record(home, LOCAL, {path: ENTRY, f"{path}2": ENTRY}),))]).pending())
    assert list(json.loads(change_record(home, LOCAL, {path: None}).after)["files"]) == [f"{path}2"]
    assert change_record(home, LOCAL, {path: None, f"{path}2": None}).after is None


MINE = {"type": "command", "command": "my line"}


def home_of(project):
    return str(project / ".limpet")


def local(project, raw=None):
    path = project / ".claude" / "settings.local.json"
    if raw is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_text(raw)
    return path


def install(project, scope=LOCAL):
    apply_changes(plan_install(home_of(project), scope).pending())


def test_a_projects_record_names_its_root_and_absolute_paths(project):
    """The user's comes first of all."""
    install(project)
    path = project_record(home_of(project))
    assert path.startswith(state_folder()) and not (project / ".limpet").exists()
    assert recorded_root(path) == os.path.realpath(project)
    assert list(read_record(path)) == [os.path.realpath(local(project))]
    assert all_records() == (path,)
    install(project)
    install(project, USER)
    assert all_records() == (user_record(), project_record(home_of(project)))
    assert recorded_root(user_record()) == ""


def test_the_scopes_of_a_project_are_those_of_its_record(project):
    install(project)
    install(project, SHARED)
    install(project, USER)
    assert sorted(recorded_scopes(home_of(project), "claude-code")) == [LOCAL, SHARED]


def test_a_moved_projects_record_is_found_and_moves_with_it(project):
    """By the settings as we wrote them; the way back to the first bytes stays."""
    local(project, '{"statusLine":  {"type": "command", "command": "my line"}}')
    install(project)
    before = project_record(home_of(project))
    moved = project.rename(project.parent / "moved")
    assert [entry["status_line"] for entry in known_entries(home_of(moved), LOCAL).values()] == [MINE]
    carry_out_plan(plan_installation(str(moved), LOCAL))
    after = project_record(home_of(moved))
    assert not os.path.exists(before) and recorded_root(after) == os.path.realpath(moved)
    carry_out_plan(plan_uninstallation(str(moved), False, False, True))
    assert local(moved).read_text() == '{"statusLine":  {"type": "command", "command": "my line"}}'
    assert all_records() == ()


@pytest.mark.parametrize("change", ["still there", "edited"])
def test_another_folders_record_is_not_taken(project, change):
    """Of a project that is where it was, or of settings that are others."""
    install(project)
    other = project.parent / "other"
    other.mkdir()
    raw = local(project).read_text()
    local(other, raw if change == "still there" else raw + "\n")
    if change == "edited":
        project.rename(project.parent / "moved")
    assert known_entries(home_of(other), LOCAL) == {}


def test_a_record_in_the_project_is_not_read(project):
    """A branch may bring one: what it wants run or written counts for nothing (S4, S15)."""
    local(project, "{}")
    install(project)
    settings = local(project).read_bytes()
    entry = {"host": "claude-code", "scope": LOCAL, "after": "0", "original": "ZXZpbA==", "status_line": MINE}
    os.unlink(project_record(home_of(project)))
    (project / ".limpet").mkdir()
    forged = json.dumps({"schema": 1, "files": {".claude/settings.local.json": entry}})
    (project / ".limpet" / "install.json").write_text(forged)
    assert known_entries(home_of(project), LOCAL) == {}
    install(project)
    assert local(project).read_bytes() == settings
    apply_changes(plan_removal(home_of(project), (LOCAL,)).pending())
    assert json.loads(local(project).read_text()) == {}


def test_without_its_record_an_installation_is_recorded_anew(project):
    """Deleting the state folder costs a rebuild."""
    install(project)
    os.unlink(project_record(home_of(project)))
    install(project)
    assert recorded_scopes(home_of(project), "claude-code") == (LOCAL,)
