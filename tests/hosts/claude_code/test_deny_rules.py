"""Deny rules among Claude Code's own: added and taken out by the command, whatever stands beside them."""

import json
import os
from fnmatch import fnmatch
from pathlib import Path

import pytest

from limpet.hosts.claude_code.deny_rules import RULES, own_rules
from limpet.hosts.claude_code.settings import settings_path
from limpet.hosts.records import LOCAL, SHARED, USER, all_records

from ...places import private_path
from .test_install import ORIGINALS

KEPT = "Read(**/.env)"


@pytest.fixture
def local(workspace):
    """The project's local settings, with nothing of ours in them."""
    return Path(settings_path(LOCAL, workspace.root))


@pytest.fixture
def by_word(run):
    """The command by a person's word."""
    return lambda *words: run(*words, "--yes")


def denied(path):
    return json.loads(path.read_text())["permissions"]["deny"]


def put(path, raw):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw if isinstance(raw, bytes) else json.dumps(raw).encode())


def rules():
    return [*RULES, *own_rules()]


def state(run):
    (found,) = json.loads(run("guard", "install", "--json").stdout)["deny-rules"]
    return found["state"]


def doctor(run):
    """What it says of the rules."""
    return next(check for check in json.loads(run("doctor", "--json").stdout) if "own deny rules" in check["what"])


@pytest.mark.parametrize("leave", [("guard", "install", "deny-rules", "--off"), ("uninstall",)])
def test_without_hooks_they_come_and_go_without_a_trace(local, run, by_word, leave):
    assert state(run) == "off"
    assert by_word("guard", "install", "deny-rules").returncode == 0
    assert denied(local) == rules() and local.stat().st_mode & 0o777 == 0o600 and state(run) == "on"
    assert by_word(*leave).returncode == 0
    assert not local.exists() and not local.parent.exists() and not all_records() and state(run) == "off"


@pytest.mark.parametrize("raw", ORIGINALS.values(), ids=ORIGINALS)
@pytest.mark.parametrize("first", ["init", "guard"])
def test_beside_hooks_every_byte_comes_back(local, run, by_word, raw, first):
    put(local, raw)
    words = [("init",), ("guard", "install", "deny-rules")]
    for each in words if first == "init" else words[::-1]:
        assert by_word(*each).returncode == 0
    hooks, both = json.loads(local.read_text("utf-8-sig"))["hooks"], local.read_bytes()
    assert by_word("init").returncode == 0 and local.read_bytes() == both
    assert by_word("guard", "install", "deny-rules", "--off").returncode == 0
    after = json.loads(local.read_text("utf-8-sig"))
    assert after["hooks"] == hooks and "deny" not in after.get("permissions", {})
    assert by_word("guard", "install", "deny-rules").returncode == 0
    assert by_word("uninstall").returncode == 0 and local.read_bytes() == raw


@pytest.mark.parametrize("leave", [("guard", "install", "deny-rules", "--off"), ("uninstall",)])
def test_rules_of_the_users_stay_also_one_that_is_as_ours(local, by_word, leave):
    """Those from before and those that came later."""
    put(local, {"permissions": {"deny": ["Bash(docker:*)", KEPT], "allow": []}})
    by_word("guard", "install", "deny-rules")
    assert denied(local)[:2] == ["Bash(docker:*)", KEPT] and denied(local).count(KEPT) == 1
    settings = json.loads(local.read_text())
    settings["permissions"]["deny"].append("Read(secret)")
    put(local, settings)
    by_word(*leave)
    assert json.loads(local.read_text()) == {
        "permissions": {"deny": ["Bash(docker:*)", KEPT, "Read(secret)"], "allow": []}
    }


def test_a_list_that_the_user_emptied_before_stays(local, by_word):
    put(local, {"permissions": {"deny": []}})
    by_word("guard", "install", "deny-rules")
    put(local, {**json.loads(local.read_text()), "model": "x"})
    by_word("guard", "install", "deny-rules", "--off")
    assert json.loads(local.read_text()) == {"permissions": {"deny": []}, "model": "x"}


def test_doctor_says_whether_they_hold(local, run, by_word):
    assert doctor(run)["status"] == "info" and "are off" in doctor(run)["what"]
    by_word("guard", "install", "deny-rules")
    assert doctor(run)["status"] == "ok" and "are on" in doctor(run)["what"]
    put(local, {"permissions": {"deny": [rule for rule in rules() if rule != KEPT]}})
    assert doctor(run)["status"] == "warn" and f"in part. Missing: {KEPT}" in doctor(run)["what"]
    assert f"Missing: {KEPT}." in run("guard", "install").stdout
    by_word("guard", "install", "deny-rules")
    assert state(run) == "on"


def test_rules_in_other_settings_count_and_are_not_touched(workspace, run, by_word):
    others = [Path(settings_path(scope, workspace.root)) for scope in (SHARED, USER)]
    put(others[1], {"permissions": {"deny": rules()}})
    assert state(run) == "on"
    for path in others:
        put(path, b'{"model": "x"}')
    by_word("guard", "install", "deny-rules")
    assert {path.read_bytes() for path in others} == {b'{"model": "x"}'}


def test_an_agent_alone_changes_nothing(local, run, by_word, monkeypatch):
    monkeypatch.setenv("CLAUDECODE", "1")
    assert by_word("guard", "install", "deny-rules").returncode and not local.exists()
    monkeypatch.delenv("CLAUDECODE")
    by_word("guard", "install", "deny-rules")
    monkeypatch.setenv("CLAUDECODE", "1")
    assert by_word("guard", "install", "deny-rules", "--off").returncode and state(run) == "on"


@pytest.mark.parametrize("raw", [b"{", b'{"permissions": []}', b'{"permissions": {"deny": "x"}}', None])
def test_settings_of_another_shape_are_left(local, run, tmp_path, raw):
    """And a link out of the project is not followed."""
    (tmp_path / "outside").mkdir()
    if raw is None:
        os.symlink(tmp_path / "outside", local.parent)
    else:
        put(local, raw)
    done = run("guard", "install", "deny-rules", "--yes")
    assert done.returncode == 1 and not list((tmp_path / "outside").iterdir())
    assert raw is None or str(local) in done.stderr and local.read_bytes() == raw


def test_in_a_sandbox_on_macos_limpets_commands_read_its_files(local, run, by_word):
    """Its sandbox would take these rules over."""
    mac = "import limpet.hosts.claude_code.deny_rules as it; it.sys = type('', (), {'platform': 'darwin'})"
    by_word("guard", "install", "deny-rules")
    put(local, {**json.loads(local.read_text()), "sandbox": {"enabled": True}})
    assert by_word("guard", "install", "deny-rules").returncode == 0 and denied(local) == rules()
    assert run("guard", "install", "deny-rules", "--yes", first=mac).returncode == 0
    assert denied(local) == list(RULES)


def test_what_is_private_lies_in_their_folders(workspace):
    """Also where the user moved it."""
    for name in ("memories", "events"):
        path = private_path(workspace, name, "x")
        assert any(fnmatch(path, rule.removeprefix("Read(//**").removesuffix(")")) for rule in own_rules()), path


def test_init_adds_no_hooks_where_there_are_rules_only(local, run, by_word):
    by_word("guard", "install", "deny-rules")
    by_word("init", "--all")
    assert "hooks" not in json.loads(local.read_text())
