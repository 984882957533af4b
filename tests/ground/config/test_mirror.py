"""Settings and session as the prompt hook reads them."""

import json
import os
import subprocess
import sys

import pytest

import limpet
from limpet.ground.clock import Clock, Patience, lasting
from limpet.ground.config import mirror
from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.config.mirror import LATE, Mirror, mirror_path, read_mirror
from limpet.ground.storage.files import Lock
from limpet.ground.storage.user_folders import user_config_path
from limpet.ground.trust.consent import consent_path
from limpet.operations.mirror import refresh_mirror

from ...conftest import write_settings
from ...places import private_path

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
READ = """
import sys
sys.path.append({source!r})
from limpet.ground.workspace import workspace_at
from limpet.ground.config.mirror import read_mirror
found = read_mirror(workspace_at({root!r}))
import json
print(json.dumps([found.settings["context"]["characters"], found.session, list(found.problems), found.note]))
"""

COUNT = """
import subprocess

real = subprocess.Popen
def start(command, **options):
    with open({log!r}, "a") as log:
        log.write("started\\n")
    return real(command, **options)
subprocess.Popen = start
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def start_reader(workspace, before=""):
    """A hook-like process: isolated, without site-packages."""
    code = before + READ.format(source=SOURCE, root=workspace.root)
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", code], stdout=subprocess.PIPE, text=True)


def read_elsewhere(workspace):
    return json.loads(start_reader(workspace).communicate()[0])


@pytest.fixture
def compilers(monkeypatch):
    """The command lines of all compilers that are started; each still runs."""
    started, real = [], subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda words, **more: started.append(words) or real(words, **more))
    return started


@pytest.fixture
def no_compiler(monkeypatch):
    """A compiler that is never done in time."""
    monkeypatch.setattr(mirror, "run_compiler", lambda *_: None)
    monkeypatch.setattr(mirror, "start_compiler", lambda home: None)


def test_without_any_file_the_defaults_hold_and_no_process_starts(workspace, compilers):
    """A project that says nothing costs nothing."""
    assert read_mirror(workspace) == Mirror(settings=DEFAULTS, session={})
    assert compilers == []
    assert not os.path.exists(mirror_path(workspace))


def test_a_hand_edit_is_seen_by_the_next_hook(workspace):
    """A process without site-packages sees new settings, their next edit, and the file's removal."""
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    assert read_elsewhere(workspace) == [9001, {}, [], ""]
    write(workspace.path("config.yaml"), "context: {characters: 9002}\n")
    assert read_elsewhere(workspace) == [9002, {}, [], ""]
    os.unlink(workspace.path("config.yaml"))
    assert read_elsewhere(workspace) == [DEFAULTS["context"]["characters"], {}, [], ""]


@pytest.mark.parametrize(("folder", "name"), [("data", "config.local.yaml"), ("home", "config.yaml")])
def test_every_configuration_file_is_watched(workspace, folder, name):
    """A file that appears beside others makes the mirror stale."""
    write(user_config_path(), "context: {characters: 9003}\n")
    assert read_mirror(workspace).settings["context"]["characters"] == 9003
    write(os.path.join(getattr(workspace, folder), name), "context: {characters: 9004}\n")
    assert read_mirror(workspace).settings["context"]["characters"] == 9004


def test_the_compiler_is_this_interpreter_isolated_with_site(workspace, compilers):
    """The same Python runs it, isolated from the user's environment; once compiled, reading again starts nothing."""
    write(workspace.path("config.yaml"), "rules:\n  match: 3\n")
    first = read_mirror(workspace)
    assert read_mirror(workspace) == first
    assert first.problems[0].startswith(".limpet/config.yaml:2: rules.match must be one of words, word, substring")
    (compiler,) = compilers
    assert (compiler[0], compiler[1:3], compiler[-2:]) == (
        sys.executable,
        ["-I", "-S"],
        [workspace.home, workspace.state],
    )


def test_an_edit_of_equal_size_and_time_grain_is_not_missed(workspace):
    """An edit right after the compiler ran, in the same tick of the file clock, is seen."""
    for number in range(9100, 9110):
        write(workspace.path("config.yaml"), f"context: {{characters: {number}}}\n")
        assert read_mirror(workspace).settings["context"]["characters"] == number


def test_when_the_compiler_is_late_the_last_known_holds_and_says_so(workspace, no_compiler, monkeypatch):
    """Neither settings nor session are lost while a hand edit cannot be read, by a missing interpreter too."""
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    assert read_mirror(workspace) == Mirror(settings=DEFAULTS, session={}, note=LATE)
    write(private_path(workspace, "session.yaml"), "current_agent: dev\n")
    refresh_mirror(workspace)
    write(workspace.path("config.yaml"), "context: {characters: 900}\n")
    found = read_mirror(workspace)
    assert found.settings["context"]["characters"] == 9001
    assert (found.session, found.note) == ({"current_agent": "dev"}, LATE)
    monkeypatch.undo()
    monkeypatch.setattr(sys, "executable", "")
    write(workspace.path("config.yaml"), "context: {characters: 90}\n")
    assert read_mirror(workspace).note == LATE


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"product": "0"}', '{"sources": {}, "settings": {}, "session": {}, "problems": []}', "\0"],
)
def test_a_damaged_mirror_is_made_anew(workspace, text):
    """Anything that is no whole mirror is as if there were none."""
    write(mirror_path(workspace), text)
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    assert read_mirror(workspace).settings["context"]["characters"] == 9001


@pytest.mark.parametrize("is_late", [False, True])
def test_a_mirror_of_another_version_is_stale(workspace, compilers, request, is_late):
    """Of its own only the session is believed: its settings may lack keys that this version needs."""
    write(private_path(workspace, "session.yaml"), "current_agent: dev\n")
    refresh_mirror(workspace)
    with open(mirror_path(workspace), encoding="utf-8") as file:
        data = json.load(file)
    write(mirror_path(workspace), json.dumps({**data, "product": "0.0.0", "problems": ["old"]}))
    if is_late:
        request.getfixturevalue("no_compiler")
    found = read_mirror(workspace)
    assert (found.settings, found.session, found.problems) == (DEFAULTS, {"current_agent": "dev"}, ())
    assert (found.note, len(compilers)) == ((LATE, 0) if is_late else ("", 1))


def test_the_compiler_gets_what_the_settings_allow_within_what_the_clock_leaves(workspace, monkeypatch):
    given, clock = [], Clock(timer=lambda: 100.0, deadline=102.0)
    monkeypatch.setattr(mirror, "run_compiler", lambda _, patience: given.append(patience))
    monkeypatch.setattr(mirror, "start_compiler", lambda home: None)
    write_settings(workspace, "hosts: {compiler_deadline_ms: 700}\n")
    read_mirror(workspace, clock)
    refresh_mirror(workspace)
    write(private_path(workspace, "session.yaml"), "mode: build\n")
    read_mirror(workspace, clock)
    assert given == [Patience(2.5, clock), Patience(0.7, clock)]


def test_files_that_could_not_be_compiled_are_not_tried_again_until_one_changes(workspace, monkeypatch):
    """Once more it is started without anybody waiting, because the machine may have been busy."""
    tried, started = [], []

    monkeypatch.setattr(mirror, "run_compiler", lambda *given: tried.append(given))
    monkeypatch.setattr(mirror, "start_compiler", started.append)
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    notes = [read_mirror(workspace).note for _ in range(3)]
    assert (notes, len(tried), started) == ([LATE] * 3, 1, [workspace])
    write(workspace.path("config.yaml"), "context: {characters: 900}\n")
    read_mirror(workspace)
    assert len(tried) == 2


def test_a_compiler_that_nobody_waits_for_makes_the_mirror(workspace, monkeypatch):
    """And the next prompt has the edit."""
    real, ended = subprocess.Popen, []
    monkeypatch.setattr(subprocess, "Popen", lambda *words, **more: ended.append(real(*words, **more)))
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    mirror.start_compiler(workspace)
    ended[0].wait(60)
    assert read_mirror(workspace).settings["context"]["characters"] == 9001


def test_who_finds_another_at_the_compiler_waits_and_starts_none(workspace, compilers):
    """While a process holds the lock and does not finish, the last known holds."""
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    refresh_mirror(workspace)
    write(workspace.path("config.yaml"), "context: {characters: 900}\n")
    with Lock(private_path(workspace, "locks", "mirror.lock")):
        found = read_mirror(workspace, lasting(0.05))
    assert (found.settings["context"]["characters"], found.note) == (9001, LATE)
    assert compilers == []


def test_who_gets_the_lock_after_another_compiled_starts_none(workspace, compilers, monkeypatch):
    """Between finding the mirror stale and having the lock another process may have made it."""

    class LateLock(Lock):
        def __enter__(self):
            refresh_mirror(workspace)
            return super().__enter__()

    monkeypatch.setattr(mirror, "Lock", LateLock)
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    assert read_mirror(workspace).settings["context"]["characters"] == 9001
    assert compilers == []


def test_another_users_configuration_makes_it_stale(workspace, tmp_path, monkeypatch):
    """A mirror made under another home folder did not see this user's file."""
    write(workspace.path("config.yaml"), "rules: {devmode: true}\n")
    refresh_mirror(workspace)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    write(user_config_path(), "context: {characters: 9005}\n")
    assert read_mirror(workspace).settings["context"]["characters"] == 9005


def test_many_hooks_at_once_run_one_compiler_and_all_see_the_edit(workspace, tmp_path):
    """Twelve processes that find the mirror stale together agree on the new value after one compilation."""
    write(user_config_path(), "hosts: {compiler_deadline_ms: 60000}\n")
    refresh_mirror(workspace)
    write(workspace.path("config.yaml"), "context: {characters: 9002}\n")
    readers = [start_reader(workspace, COUNT.format(log=str(tmp_path / "log"))) for _ in range(12)]
    assert [json.loads(reader.communicate()[0]) for reader in readers] == [[9002, {}, [], ""]] * 12
    assert (tmp_path / "log").read_text() == "started\n"


def test_where_nothing_can_be_written_the_settings_still_hold(workspace, monkeypatch):
    """Where neither lock nor mirror can be written the hook takes the mirror from the compiler's output."""
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    monkeypatch.setattr(mirror.os, "access", lambda path, mode: False)
    os.makedirs(mirror_path(workspace) + ".lock")
    os.makedirs(mirror_path(workspace))
    found = read_mirror(workspace)
    assert found.settings == {**DEFAULTS, "context": {**DEFAULTS["context"], "characters": 9001}}
    assert (found.session, found.problems, found.note) == ({}, (), "")


def test_reading_a_fresh_mirror_imports_only_what_the_prompt_path_may(workspace):
    """No JSON, no regular expressions, no subprocess module: a fresh mirror is a file read and a few stats."""
    write(workspace.path("config.yaml"), "context: {characters: 9001}\n")
    refresh_mirror(workspace)
    code = READ.format(source=SOURCE, root=workspace.root).partition("import json")[0]
    code += "print(sorted({'json', 're', 'subprocess', 'typing', 'enum', 'functools', 'yaml'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("platform", "folder", "wanted"),
    [
        ("linux", "{0}", "{0}"),
        ("linux", "", "~/.config"),
        ("linux", "relative/path", "~/.config"),
        ("win32", "", "{0}"),
    ],
)
def test_the_users_file_lies_where_the_desktop_standard_says(monkeypatch, tmp_path, platform, folder, wanted):
    """XDG_CONFIG_HOME is honoured where it is an absolute path; on Windows APPDATA is the place without it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", folder.format(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path))
    monkeypatch.setattr("sys.platform", platform)
    folder = os.path.expanduser(wanted.format(tmp_path))
    assert user_config_path() == os.path.join(folder, "limpet", "config.yaml")


def test_the_strongest_file_comes_last(workspace):
    """User, project, local; the mirror is made from the session too, and by what the user agreed to."""
    own = [workspace.path("config.yaml"), f"{workspace.data}/config.local.yaml", workspace.kept("session.yaml")]
    assert list(mirror.source_files(workspace)) == [user_config_path(), *own, consent_path(workspace)]
