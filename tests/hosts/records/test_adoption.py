"""The record of an earlier version is taken over where it is this machine's, and is a stranger's where it is not."""

import base64
import hashlib
import json
import os
import sys

import pytest

from holdfast.hosts.claude_code.events import TIMEOUTS
from holdfast.hosts.commands.lines import direct_command
from holdfast.hosts.file_changes import apply_changes
from holdfast.hosts.installation import carry_out, plan_installation, plan_uninstallation
from holdfast.hosts.records.adoption import adopt_record, matches_own_lines, plan_adoption
from holdfast.hosts.records.record import known_entries, project_record, read_record
from holdfast.hosts.scope import LOCAL

from ...conftest import trusted

ORIGINAL = b'{"statusLine":  {"type": "command", "command": "my line"}}'
MINE = {"type": "command", "command": "my line"}
NAME = ".claude/settings.local.json"


def write_old(project, line=direct_command, status_line=None, **changes):
    """What an earlier version left in a project: settings with direct lines, and the record."""
    hooks = {event: [{"hooks": [{"type": "command", "command": line("claude-code", event)}]}] for event in TIMEOUTS}
    status = {"type": "command", "command": line("claude-code", "StatusLine")}
    raw = json.dumps({"statusLine": status, "hooks": hooks}).encode()
    (project / ".claude").mkdir(exist_ok=True)
    (project / NAME).write_bytes(raw)
    entry = {
        "host": "claude-code",
        "scope": LOCAL,
        "after": hashlib.sha256(raw).hexdigest(),
        "original": base64.b64encode(ORIGINAL).decode(),
        "folders": 0,
        "status_line": status_line or MINE,
    }
    write_record(project, {NAME: {**entry, **changes}})
    return str(project / ".holdfast")


def write_record(project, files):
    (project / ".holdfast").mkdir(exist_ok=True)
    (project / ".holdfast" / "install.json").write_text(json.dumps({"schema": 1, "files": files}))


def test_the_record_of_an_installation_on_this_machine_matches(project):
    assert matches_own_lines(write_old(project))


def test_without_a_record_nothing_matches(project):
    home = write_old(project)
    os.unlink(os.path.join(home, "install.json"))
    assert not matches_own_lines(home)
    adopt_record(home)
    assert not os.path.exists(project_record(home))


def test_settings_that_changed_since_do_not_match(project):
    home = write_old(project)
    (project / NAME).write_bytes((project / NAME).read_bytes() + b"\n")
    assert not matches_own_lines(home)


@pytest.mark.parametrize("paths", [{"python": "/gone/python"}, {"root": "/gone"}])
def test_lines_of_another_machine_do_not_match(project, paths):
    home = write_old(project, line=lambda host, event: direct_command(host, event, **paths))
    assert not matches_own_lines(home)


def test_an_installation_inside_the_project_does_not_match(project):
    """It may have come with the checkout."""
    (project / "site" / "holdfast").mkdir(parents=True)
    (project / "site" / "holdfast" / "hook.py").write_text("")
    root = str(project / "site")
    assert not matches_own_lines(write_old(project, line=lambda *words: direct_command(*words, root=root)))


@pytest.mark.parametrize(
    "changes",
    [
        {"host": "nobody"},
        {"scope": "user"},
        {"after": 5},
        {"original": "no base64!"},
        {"folders": "many"},
        {"status_line": "a word"},
        {"status_line": {"command": ["x"]}},
    ],
)
def test_an_entry_of_another_shape_is_not_taken(project, changes):
    home = write_old(project, **changes)
    assert not matches_own_lines(home)
    adopt_record(home)
    assert not os.path.exists(project_record(home)) and not os.path.exists(os.path.join(home, "install.json"))


def test_entries_for_other_files_are_not_taken(project, user):
    """Whichever a record names: those are the settings files of a known host, with hooks of ours."""
    home = write_old(project)
    with open(os.path.join(home, "install.json")) as file:
        entry = json.load(file)["files"][NAME]
    write_record(project, {NAME: entry, "Makefile": entry, "../x": entry, str(user / ".claude/settings.json"): entry})
    adopt_record(home)
    assert list(read_record(project_record(home))) == [os.path.realpath(project / NAME)]


def test_adopting_brings_back_the_bytes_from_before_when_we_leave(project):
    """And the user's status line goes on under ours."""
    home = write_old(project)
    trusted(project)
    adopt_record(home)
    assert not os.path.exists(os.path.join(home, "install.json"))
    carry_out(plan_installation(str(project), LOCAL))
    (entry,) = known_entries(home, LOCAL).values()
    assert entry["runs"] == MINE and sys.executable not in (project / NAME).read_text()
    carry_out(plan_uninstallation(str(project), False, False, False))
    assert (project / NAME).read_bytes() == ORIGINAL


def test_a_record_that_is_there_is_not_replaced(project):
    home = write_old(project)
    apply_changes(plan_adoption(home).pending())
    known = read_record(project_record(home))
    write_old(project, original=None)
    adopt_record(home)
    assert read_record(project_record(home)) == known and not os.path.exists(os.path.join(home, "install.json"))
