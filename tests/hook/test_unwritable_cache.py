"""An agent whose sandbox hides the user's folders gets its rules and memories, slower, and is told why."""

import json
import os

import pytest

from limpet.engine.block.request import UNKEPT
from limpet.memory.index.database import database_path

from ..conversation import write
from ..hook_host import notes, rule_lines
from ..memories import fill, ids, short

ASKED = "How does the endpoint sign the JWT?"
SAID = "limpet: the memory index: Cannot write"


@pytest.fixture
def nowhere(tmp_path):
    """The name of a cache folder that cannot be made."""
    write(str(tmp_path / "file"), "in the way")
    return str(tmp_path / "file" / "cache")


@pytest.fixture
def sandboxed(host, monkeypatch, nowhere):
    """The host, from a sandbox that hides the user's cache folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", nowhere)
    return host


def test_every_prompt_has_all_rules_and_one_line_says_why_it_takes_longer(sandboxed):
    """Settings too, which come out of YAML."""
    write(sandboxed.workspace.path("config.yaml"), "rules: {devmode: true}\n")
    for text in ("the endpoint", "an endpoint"):
        answer = sandboxed.prompt(text, session_id=text)
        assert (rule_lines(answer, "GLOBAL"), rule_lines(answer, "API")) == (["Read first."], ["Version it."])
        assert notes(answer) == [UNKEPT]
        assert "<debug" in answer.text


def test_two_prompts_at_once_both_compile_the_settings(sandboxed, run):
    """Neither can leave them to the other."""
    write(sandboxed.workspace.path("config.yaml"), "rules: {devmode: true}\n")
    code = f"""
from threading import Thread
from limpet.ground.config.mirror import read_mirror
from limpet.ground.workspace import workspace_at
found = []
def read(): found.append(read_mirror(workspace_at({sandboxed.workspace.root!r})).settings["rules"]["devmode"])
threads = [Thread(target=read) for _ in range(2)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(found); raise SystemExit
"""
    assert run("status", first=code).stdout == "[True, True]\n"


def test_memories_are_kept_listed_searched_and_shown_from_their_files(sandboxed, run):
    added = run("memory", "add", "The JWT is signed by the endpoint.")
    assert added.returncode == 0
    assert "Saved. It is searchable with the next prompt" in added.stderr
    assert added.stderr.count("\n") == 1
    key = added.stdout.strip()
    for command in (("list",), ("search", "JWT")):
        done = run("memory", *command)
        assert (done.returncode, "The JWT is signed" in done.stdout) == (0, True)
        assert (done.stderr.startswith(SAID), done.stderr.count("\n")) == (True, 1)
        assert "reading all files instead. Run: limpet doctor" in done.stderr
    shown = run("memory", "show", key)
    assert (shown.returncode, "The JWT is signed" in shown.stdout) == (0, True)
    done = run("memory", "forget", "--archive", key)
    assert (done.returncode, run("memory", "list", "--json").stdout.strip()) == (0, "[]"), done.stderr


def test_what_was_added_in_the_sandbox_is_found_outside_of_it(host, memories, monkeypatch, nowhere, run):
    """By the next start, and by commands."""
    with monkeypatch.context() as inside:
        inside.setenv("XDG_CACHE_HOME", nowhere)
        key = run("memory", "add", "The JWT is signed by the endpoint.").stdout.strip()
    done = run("memory", "search", "JWT")
    assert (key in run("memory", "list", "--json").stdout, done.stderr) == (True, "")
    run("memory", "forget", key)
    with monkeypatch.context() as inside:
        inside.setenv("XDG_CACHE_HOME", nowhere)
        key = run("memory", "add", "The JWT is signed by the endpoint now.", "--daily").stdout.strip()
    host.send("SessionStart", source="startup", session_id="first")
    assert key in run("memory", "search", "JWT", "--json").stdout
    assert ids(host.prompt(ASKED, transcript_path=fill(host.workspace, "DEPLETED"))) == [short(key)]


def test_a_read_only_cache_is_read_as_far_as_it_is_current(host, memories, bound, run):
    """Plan and index are used; what changed since is read from the files."""
    known = memories.add("The JWT is signed by the endpoint")
    host.prompt(session_id="before")
    for cache in (host.workspace.cache, os.path.dirname(database_path(host.workspace.shared))):
        for folder, _, names in os.walk(cache, topdown=False):
            for name in names:
                os.chmod(os.path.join(folder, name), 0o400)
            os.chmod(folder, 0o500)
    answer = host.prompt(ASKED, process=bound, transcript_path=fill(host.workspace, "DEPLETED"))
    assert (rule_lines(answer, "GLOBAL"), ids(answer)) == (["Read first."], [short(known)])
    added = run("memory", "add", "The queue is Redis.", **bound).stdout.strip()
    done = run("memory", "list", "--json", **bound)
    assert {each["id"] for each in json.loads(done.stdout)} == {known, added}
    assert done.stderr.startswith(SAID)


def test_the_doctor_tells_of_it(sandboxed, run, nowhere):
    said = run("doctor").stdout
    assert f"warn  {os.path.join(nowhere, 'limpet')} cannot be used (Not a directory)" in said
    assert "set XDG_CACHE_HOME to another folder" in said
