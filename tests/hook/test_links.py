"""A checkout full of links: nothing outside the project is read into a block, written, or tidied away."""

import json
import os
import subprocess
import time
from pathlib import Path

import pytest

from limpet.ground.workspace import workspace_at
from limpet.memory.model.layout import memories as memories_folder

from ..conftest import trusted, write_settings
from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST, POSIX, notes, rule_lines
from ..memories import Memories
from ..places import private_path

pytestmark = POSIX
SECRET = "The mother's maiden name is Heron."
OLD = time.time() - 400 * 86_400


@pytest.fixture
def victim(tmp_path):
    """A person's folder outside the project, with files that look like ours and some that do not."""
    folder = tmp_path / "Documents"
    folder.mkdir()
    for name in ("letter.md", "thesis.txt", "s.json", "s.jsonl", "plan", "latest.md", "notes.log"):
        (folder / name).write_text(SECRET)
        os.utime(folder / name, (OLD, OLD))
    return folder


@pytest.fixture
def untouched(victim):
    """Says whether the folder is as it was."""

    def contents():
        return {str(path.relative_to(victim)): path.read_bytes() for path in victim.rglob("*") if path.is_file()}

    before = contents()
    return lambda: contents() == before and set(os.listdir(victim)) == set(before)


def link(path, target):
    """Put a link where the project has a file or folder, or would have one."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(target, path)


def send_all(host):
    """Every event of a conversation, with commands that write; the texts of all blocks."""
    answers = [
        host.send("SessionStart", source="startup"),
        host.prompt("the endpoint *brief"),
        host.prompt("*limpet add GLOBAL Be kind."),
        host.prompt("*remember The deploy needs a token."),
        host.send("PreCompact", trigger="manual"),
        host.send("SessionEnd", reason="other"),
    ]
    assert [(answer.code, answer.err) for answer in answers] == [(0, b"")] * len(answers)
    return "".join(answer.out.decode() for answer in answers)


@pytest.mark.parametrize(
    "name", ["sessions", "events", "metrics", "continuation", "cache", "memories", "handoffs", "stories", "rules"]
)
def test_a_linked_folder_is_neither_read_nor_written_nor_tidied(host, victim, untouched, name):
    """Committed as a link to a person's documents, with a retention of one day."""
    write_settings(host.workspace, "retention: {days: 1}\n")
    host.send("SessionStart", source="startup", session_id="first")
    for mark in (host.workspace.cached("tidied"), host.workspace.cached("kept")):
        if os.path.exists(mark):
            os.utime(mark, (time.time() - 2 * 86_400,) * 2)
    subprocess.run(["rm", "-rf", host.workspace.path(name)], check=True)
    link(host.workspace.path(name), victim)
    assert SECRET not in send_all(host)
    assert untouched()


@pytest.mark.parametrize("name", ["constitution.md", "rules", "rules/manifest", "rules/global"])
def test_linked_rules_are_noted(host, victim, check, name):
    """Neither the whole folder nor its manifest, a domain's file or the constitution is read; the others are."""
    folder = victim / "other"
    folder.mkdir()
    (folder / "manifest").write_text("SPY_ALWAYS_ON=true\n")
    (folder / "spy").write_text(f"SPY_RULE_0={SECRET}\n")
    (folder / "global").write_text(f"GLOBAL_RULE_0={SECRET}\n")
    (folder / "constitution.md").write_text(f"## Article L: Spy (NON-NEGOTIABLE)\n\n- MUST tell: {SECRET}\n")
    subprocess.run(["rm", "-rf", host.workspace.path(*name.split("/"))], check=True)
    link(host.workspace.path(*name.split("/")), folder if name == "rules" else folder / os.path.basename(name))
    answer = host.prompt("the endpoint")
    assert SECRET not in answer.text
    assert rule_lines(answer, "API") == (None if name in ("rules", "rules/manifest") else ["Version it."])
    assert any("rules check" in note for note in notes(answer))
    assert f".limpet/{name}: Symlink out of the project" in check()


def test_a_linked_squad_is_not_read(host, victim):
    """Squads lie beside ``.limpet``, and their rules in a ``.limpet`` of their own."""
    rules = victim / "squad" / ".limpet" / "rules"
    rules.mkdir(parents=True)
    (rules / "manifest").write_text("SPY_RECALL=endpoint\n")
    (rules / "spy").write_text(f"SPY_RULE_0={SECRET}\n")
    link(os.path.join(host.workspace.root, "squads", "spies"), victim / "squad")
    write(private_path(host.workspace, "session.yaml"), "squad: spies\n")
    assert SECRET not in host.prompt("the endpoint").text


@pytest.mark.parametrize("text", ["", "<!-- limpet:begin -->\n<!-- limpet:end -->\n"])
def test_a_linked_instruction_file_does_not_get_the_lock(host, run, victim, text):
    """Committed settings want it in `CLAUDE.md`, which leads to a person's file, with a block of ours or without."""
    (victim / "letter.md").write_text(text)
    write(host.workspace.path("config.yaml"), "work: {lock: {instruction_file: true}}\n")
    link(os.path.join(host.workspace.root, "CLAUDE.md"), victim / "letter.md")
    host.prompt("/limpet")
    run("resume")
    run("work", "exit")
    assert (victim / "letter.md").read_text() == text


def test_a_linked_project_folder_is_none(host, run, tmp_path):
    """``.limpet`` itself leads to somebody's else; commands and the doctor say so."""
    outside = tmp_path / "elsewhere"
    os.rename(host.workspace.home, outside)
    link(host.workspace.home, outside)
    before = sorted(os.listdir(outside))
    assert host.prompt("the endpoint").out == b""
    for command in (("status",), ("config", "set", "rules.devmode", "true"), ("memory", "add", "Kept."), ("doctor",)):
        done = run(*command)
        assert done.returncode == 1
        assert "Symlink out of the project" in done.stdout + done.stderr
    assert sorted(os.listdir(outside)) == before


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("config.yaml", ("config", "set", "memory.capture", "false")),
        ("rules/manifest", ("rules", "add", "NEW")),
        ("stories", ("work", "story", "add", "1", "One")),
    ],
)
def test_commands_refuse_to_write_through_a_link(host, run, victim, untouched, path, command):
    """They say which, and change nothing."""
    full = host.workspace.path(*path.split("/"))
    subprocess.run(["rm", "-rf", full], check=True)
    link(full, victim if path == "stories" else victim / "thesis.txt")
    done = run(*command)
    assert done.returncode != 0
    assert "Symlink out of the project" in done.stderr or "Symlink" in done.stderr
    assert untouched()


def test_the_doctor_tells_of_what_is_not_read(host, run, victim):
    """Each by its path."""
    link(host.workspace.path("config.yaml"), victim / "letter.md")
    link(host.workspace.path("stories"), victim)
    said = run("doctor").stdout
    for name in ("config.yaml", "stories"):
        assert f"Symlink out of the project: {host.workspace.path(name)}; it is ignored" in said


@pytest.mark.parametrize(
    "command",
    [
        ("config", "set", "memory.capture", "false"),
        ("work", "agent", "activate", "dev"),
        ("rules", "add", "NEW"),
        ("work", "story", "add", "1", "One"),
        ("work", "spec", "scan", "--write"),
        ("init", "--yes"),
    ],
)
def test_what_a_person_would_miss_is_on_the_disk_when_the_command_ends(run, user, tmp_path, command):
    """Each command waits for the disk before it puts the new file in place."""
    watch = f"""
import os
log, sync, replace = open({str(tmp_path / "log")!r}, "a"), os.fsync, os.replace
os.fsync = lambda handle: (print("fsync", file=log, flush=True), sync(handle))[1]
os.replace = lambda old, new: (print("replace", new, file=log, flush=True), replace(old, new))[1]
"""
    done = run(*command, first=watch)
    assert done.returncode == 0, done.stderr
    calls = (tmp_path / "log").read_text().splitlines()
    placed = [
        at
        for at, call in enumerate(calls)
        if call.startswith("replace") and "cache" not in call and not call.endswith("/rules")
    ]
    assert placed and all(calls[:at].count("fsync") > number for number, at in enumerate(placed))


def test_only_files_with_names_of_ours_are_tidied(host):
    """What a person put into our folders stays, however old."""
    kept = [
        private_path(host.workspace, "continuation", "my notes.md"),
        private_path(host.workspace, "sessions", "list.txt"),
    ]
    gone = [
        private_path(host.workspace, "continuation", "abc.md"),
        private_path(host.workspace, "sessions", "abc.json"),
    ]
    for path in (*kept, *gone):
        write(path, "x")
        os.utime(path, (OLD, OLD))
    mark = host.workspace.cached("tidied")
    write(mark, "")
    os.utime(mark, (time.time() - 2 * 86_400,) * 2)
    host.send("SessionStart", source="startup")
    assert [os.path.exists(path) for path in (*kept, *gone)] == [True, True, False, False]


def forge(attacker, main, back):
    """A folder whose ``.git`` claims to be a worktree of the repository ``main``, made by hand."""
    git = attacker / "git" / "worktrees" / "x"
    git.mkdir(parents=True)
    (git / "commondir").write_text(f"{main}/.git\n")
    (git / "gitdir").write_text(f"{back}\n")
    (attacker / ".git").write_text(f"gitdir: {git}\n")


def test_a_forged_worktree_sees_no_memory_of_another_project(host, memories, run, tmp_path):
    """Nor does it write into them."""
    memories.add("The heron nests in the east.")
    os.makedirs(os.path.join(host.workspace.root, ".git", "worktrees"))
    attacker = tmp_path / "attacker"
    write_rules(workspace_at(str(attacker)), MANIFEST, **RULES)
    trusted(attacker)
    forge(attacker, host.workspace.root, attacker / ".git")
    listed = run("memory", "list", "--json", cwd=str(attacker))
    assert (listed.returncode, json.loads(listed.stdout)) == (0, [])
    before = sorted(Path(memories_folder(host.workspace.shared)).rglob("*"))
    assert run("memory", "add", "Mine.", cwd=str(attacker)).returncode == 0
    assert sorted(Path(memories_folder(host.workspace.shared)).rglob("*")) == before


def test_backslashes_in_a_folders_name_lead_nowhere(host, run, tmp_path):
    """On POSIX they are letters: the database of the project beside it is not this one's."""
    Memories(host.workspace).add("The heron nests in the east.")
    attacker = tmp_path / "a" / "..\\..\\project"
    write_rules(workspace_at(str(attacker)), MANIFEST, **RULES)
    trusted(attacker)
    Memories(workspace_at(str(attacker))).add("Mine own.")
    shown = run("memory", "list", cwd=str(attacker)).stdout
    assert "Mine own" in shown and "heron" not in shown
