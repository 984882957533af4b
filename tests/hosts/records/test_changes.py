"""Several hosts' entries stand in one record."""

import json

from limpet.hosts.file_changes import ChangePlan, FileChange, apply_changes
from limpet.hosts.records import change_record, combine, project_record, read_record
from limpet.hosts.scope import LOCAL

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
