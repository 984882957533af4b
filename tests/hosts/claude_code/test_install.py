"""Installing into Claude Code's settings changes what is ours, and uninstalling leaves what was there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet.ground.errors import LimpetError
from limpet.hosts.claude_code import HOST
from limpet.hosts.claude_code import install as install_module
from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.claude_code.install import plan_install, plan_removal, registrations
from limpet.hosts.claude_code.settings import read_status_line
from limpet.hosts.claude_code.tools import MATCHERS
from limpet.hosts.commands.lines import direct_command, hook_command, read_command, shared_command, status_line_command
from limpet.hosts.file_changes import apply_changes
from limpet.hosts.hook_files import find_hooks
from limpet.hosts.records import LOCAL, SHARED, USER, project_record, user_record

OTHERS = {"matcher": "startup", "hooks": [{"type": "command", "command": "echo other"}]}
ORIGINALS = {
    "pretty": b'{\n  "model": "opus",\n  "hooks": {\n    "SessionStart": [\n      {"hooks": []}\n    ]\n  }\n}\n',
    "tabs and crlf": b'{\r\n\t"env": {"A": "\xc3\xa9"},\r\n\t"hooks": {}\r\n}',
    "minified": b'{"permissions":{"allow":["Bash(ls:*)"]}}',
    "empty object": b"{}",
    "empty file": b"",
    "own status line": b'{"statusLine": {"type": "command", "command": "my line", "padding": 0}, "model": "x"}\n',
    "byte order mark": b'\xef\xbb\xbf{"a": 1}\n',
}


def our_line(event, own=""):
    return status_line_command(HOST, own) if event == "StatusLine" else hook_command(HOST, event)


def groups(event):
    """As they stand in the settings: for calls before they are made those of tools that read apart."""
    return [
        {
            **({"matcher": each.matcher} if each.matcher else {}),
            "hooks": [{"type": "command", "command": each.command, "timeout": each.timeout}],
        }
        for each in registrations(False)
        if each.event == event
    ]


def old_line(event, root="/old"):
    return direct_command(HOST, event, python="/old", root=root)


def install(project, scope=LOCAL):
    plan = plan_install(str(project / ".limpet"), scope)
    apply_changes(plan.pending())
    return plan


def install_outdated(project):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("limpet.hosts.hook_files.hook_command", lambda host, event: old_line(event))
        install(project)


def uninstall(project, *scopes):
    apply_changes(plan_removal(str(project / ".limpet"), scopes or (LOCAL,)).pending())


def settings_file(project, name="settings.local.json", raw=None):
    path = project / ".claude" / name
    if raw is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(raw)
    return path


def everything(folder):
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def recorded(project):
    return Path(project_record(str(project / ".limpet")))


def data(path):
    return json.loads(path.read_bytes().decode("utf-8-sig"))


def test_each_event_is_registered_once_with_its_timeout(project):
    install(project)
    settings = data(settings_file(project))
    assert settings["hooks"] == {event: groups(event) for event in TIMEOUTS}
    for event, seconds in TIMEOUTS.items():
        (hook, *_) = settings["hooks"][event][0]["hooks"]
        assert (hook["command"], hook["timeout"]) == (our_line(event), seconds)
    assert settings["statusLine"] == {"type": "command", "command": our_line("StatusLine")}


@pytest.mark.parametrize("raw", ORIGINALS.values(), ids=ORIGINALS)
@pytest.mark.parametrize("edit", [b"", b"\n"], ids=["untouched", "edited"])
def test_uninstalling_restores_the_bytes_or_keeps_the_edit(project, raw, edit):
    """Of a file edited since only ours goes."""
    path = settings_file(project, raw=raw)
    install(project)
    assert path.read_bytes() != raw
    path.write_bytes(path.read_bytes() + edit)
    uninstall(project)
    assert path.read_bytes() == raw if not edit else data(path) == json.loads(raw.decode("utf-8-sig") or "{}")
    assert not recorded(project).exists()


def test_a_folder_that_holds_something_else_stays(project):
    install(project)
    settings_file(project, "notes.txt", b"x")
    uninstall(project)
    assert [path.name for path in (project / ".claude").iterdir()] == ["notes.txt"]


def test_other_peoples_hooks_stay_when_ours_come_and_go(project):
    path = settings_file(project, raw=json.dumps({"hooks": {"SessionStart": [OTHERS], "Stop": [OTHERS]}}).encode())
    install(project)
    assert data(path)["hooks"]["SessionStart"][0] == OTHERS
    path.write_text(json.dumps({**data(path), "model": "later"}))
    uninstall(project)
    assert data(path) == {"hooks": {"SessionStart": [OTHERS], "Stop": [OTHERS]}, "model": "later"}


def test_an_outdated_line_is_replaced_in_its_place_with_its_own_timeout(project):
    other = {"type": "command", "command": "echo 1"}
    old = {"type": "command", "command": old_line("SessionStart"), "timeout": 7}
    group = {"matcher": "startup", "hooks": [other, old]}
    path = settings_file(project, raw=json.dumps({"hooks": {"SessionStart": [group]}}).encode())
    install(project)
    new = {**old, "command": our_line("SessionStart")}
    assert data(path)["hooks"]["SessionStart"] == [{**group, "hooks": [other, new]}]


def test_a_doubled_line_and_an_event_no_longer_answered_go(project):
    def ours(event):
        return {"hooks": [{"type": "command", "command": old_line(event)}]}

    hooks = {
        "SessionStart": [ours("SessionStart"), OTHERS, ours("SessionStart")],
        "SubagentStop": [ours("SubagentStop")],
    }
    path = settings_file(project, raw=json.dumps({"hooks": hooks}).encode())
    install(project)
    places = [hook.place for hook in find_hooks(data(path), HOST)]
    assert sorted(places) == sorted([*((event, False) for event in TIMEOUTS), ("PreToolUse", True)])
    assert "SubagentStop" not in data(path)["hooks"] and OTHERS in data(path)["hooks"]["SessionStart"]


@pytest.mark.parametrize("beside", [(), ({"type": "command", "command": "echo 1"},)])
def test_an_outdated_matcher_is_replaced_where_the_group_is_ours_alone(project, beside):
    """What else stands in the group is somebody's, for the tools that they chose."""
    ours = {"type": "command", "command": our_line("PreToolUse"), "timeout": 5}
    group = {"matcher": "Bash", "hooks": [*beside, ours]}
    path = settings_file(project, raw=json.dumps({"hooks": {"PreToolUse": [group]}}).encode())
    install(project)
    found = data(path)["hooks"]["PreToolUse"]
    assert found == [*([{"matcher": "Bash", "hooks": list(beside)}] if beside else []), *groups("PreToolUse")]


def test_a_line_for_all_tools_gives_those_that_read_away(project):
    """As an older version wrote it; what no longer counts goes with the next removal, to the byte."""
    raw = b'{"model": "opus"}\n'
    path = settings_file(project, raw=raw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(install_module, "with_reading_apart", lambda made, *_: made)
        install(project)
    assert [group["matcher"] for group in data(path)["hooks"]["PreToolUse"]] == [MATCHERS["PreToolUse"]]
    install(project)
    assert data(path)["hooks"]["PreToolUse"] == groups("PreToolUse")
    assert {*"|".join(group["matcher"] for group in groups("PreToolUse")).split("|")} == {
        *MATCHERS["PreToolUse"].split("|")
    }
    uninstall(project)
    assert path.read_bytes() == raw


@pytest.mark.parametrize(
    ("raw", "edit"),
    [(ORIGINALS["own status line"], (b"", b"")), (b'{\n  "model": "a"\n}\n', (b'"a"', b'"b"'))],
    ids=["untouched", "edited since"],
)
def test_an_update_keeps_the_way_back_to_the_first_bytes(project, raw, edit):
    """And the edit of a file that was edited since."""
    path = settings_file(project, raw=raw)
    install_outdated(project)
    path.write_bytes(path.read_bytes().replace(*edit))
    assert install(project).pending()
    uninstall(project)
    assert path.read_bytes() == raw.replace(*edit)


def test_the_shared_file_gets_the_harmless_line_and_no_status_line(project):
    install(project, SHARED)
    path = settings_file(project, "settings.json")
    assert [hook.command for hook in find_hooks(data(path), HOST)] == [
        shared_command(HOST, event) for event in TIMEOUTS
    ]
    assert "statusLine" not in data(path)


def test_the_users_settings_are_recorded_apart_from_the_projects(project, user):
    path = user / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "x"}')
    install(project, USER)
    assert find_hooks(data(path), HOST) and os.path.exists(user_record()) and not recorded(project).exists()
    uninstall(project, USER)
    assert path.read_text() == '{"model": "x"}'
    assert not os.path.exists(user_record())


def test_without_a_record_our_lines_are_recognized_and_taken_out(project):
    path = settings_file(project, raw=b'{"model": "x"}')
    install(project)
    recorded(project).unlink()
    uninstall(project)
    assert path.read_bytes() == b'{"model": "x"}'


@pytest.mark.parametrize("replaced", [False, True])
def test_a_users_own_status_line_lends_its_members_and_its_file_stays(project, user, replaced):
    """Also one that ours replaced in the user's settings."""
    line = {"type": "command", "command": "my line", "padding": 0}
    theirs = user / ".claude" / "settings.json"
    theirs.parent.mkdir()
    theirs.write_text(json.dumps({"statusLine": line}))
    if replaced:
        install(project, USER)
    plan = install(project)
    assert read_status_line(data(settings_file(project))) == {**line, "command": our_line("StatusLine", "my line")}
    assert replaced or data(theirs) == {"statusLine": line}
    assert any("status line: yours" in change.what for change in plan.changes)


def test_a_status_line_in_the_file_itself_is_recorded(project):
    line = {"type": "command", "command": "my line", "padding": 0}
    settings_file(project, raw=json.dumps({"statusLine": line}).encode())
    install(project)
    record = data(recorded(project))["files"][str(settings_file(project).resolve())]
    assert (record["status_line"], record["runs"]) == (line, line)


def test_a_status_line_that_replaced_ours_later_stays_on_uninstall(project):
    path = settings_file(project, raw=b"{}")
    install(project)
    path.write_text(json.dumps({**data(path), "statusLine": {"type": "command", "command": "newer"}}))
    uninstall(project)
    assert data(path) == {"statusLine": {"type": "command", "command": "newer"}}


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'{\n  "a": \n}', r"settings\.local\.json:3:1: Invalid JSON"),
        (b"[]", "not a JSON object"),
        (b'{"hooks": []}', "hooks is not a JSON object"),
        (b'{"hooks": {"Stop": {}}}', r"hooks\.Stop is not a list"),
        (b"\xff\xfe{}", "Not valid UTF-8 at byte 0"),
    ],
)
def test_settings_that_cannot_be_edited_are_told_and_nothing_is_written(project, raw, message):
    path = settings_file(project, raw=raw)
    with pytest.raises(LimpetError, match=message):
        install(project)
    assert path.read_bytes() == raw
    assert not (project / ".limpet").exists()


def test_settings_that_were_spoilt_since_are_told_when_we_leave(project):
    """By file and line; they stay as they are."""
    path = settings_file(project, raw=b"{}")
    install(project)
    path.write_bytes(path.read_bytes()[:-3])
    spoilt = path.read_bytes()
    with pytest.raises(LimpetError, match=r"settings\.local\.json:\d+:\d+: Invalid JSON"):
        uninstall(project)
    assert path.read_bytes() == spoilt


def test_a_project_reached_through_a_link_is_the_same_project(project, tmp_path):
    settings_file(project, raw=b'{"a": 1}\n')
    link = tmp_path / "link"
    link.symlink_to(project)
    install(link)
    uninstall(project)
    assert settings_file(project).read_bytes() == b'{"a": 1}\n'
    assert not recorded(project).exists()


def test_a_linked_settings_file_is_written_through_its_link(project, user):
    kept = user / "dotfiles.json"
    kept.write_text("{}")
    link = user / ".claude" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(kept)
    install(project, USER)
    assert link.is_symlink() and find_hooks(data(kept), HOST)
    uninstall(project, USER)
    assert link.is_symlink() and kept.read_text() == "{}"


def test_the_line_holds_the_users_own_for_when_ours_cannot_run(project, user):
    """As it was at `init`, also without a record; the next `init` takes what it is by then."""

    def own():
        return read_command(read_status_line(data(settings_file(project)))["command"]).own

    theirs = user / ".claude" / "settings.json"
    theirs.parent.mkdir()
    for command in ("first # line", "second"):
        theirs.write_text(json.dumps({"statusLine": {"type": "command", "command": command}}))
        install(project)
        assert own() == command
    theirs.write_text("{}")
    install(project)
    assert own() == ""
    uninstall(project)
    settings_file(project, raw=ORIGINALS["own status line"])
    for _ in range(2):
        install(project)
        recorded(project).unlink()
        assert own() == "my line"


def speak_powershell(monkeypatch):
    """Lines are run by PowerShell on this machine."""
    for module in ("limpet.hosts.commands.lines", "limpet.hosts.claude_code.install"):
        monkeypatch.setattr(f"{module}.speaks_powershell", lambda: True)


def handlers(project, name="settings.local.json"):
    return [groups[0]["hooks"][0] for groups in data(settings_file(project, name))["hooks"].values()]


def test_where_powershell_runs_the_lines_each_hook_says_so(project, monkeypatch):
    """But for the shared line, which is everybody's."""
    speak_powershell(monkeypatch)
    install(project)
    assert {handler["shell"] for handler in handlers(project)} == {"powershell"}
    assert all(handler["command"].startswith("if (Test-Path ") for handler in handlers(project))
    before = everything(project)
    install(project)
    assert everything(project) == before
    uninstall(project)
    assert not (project / ".claude").exists()
    install(project, SHARED)
    assert {handler.get("shell") for handler in handlers(project, "settings.json")} == {None}


def test_hooks_change_their_shell_with_the_machine(project):
    """Git Bash goes and comes again."""
    install(project)
    before = settings_file(project).read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        speak_powershell(patch)
        install(project)
        assert {handler.get("shell") for handler in handlers(project)} == {"powershell"}
    install(project)
    assert settings_file(project).read_bytes() == before
