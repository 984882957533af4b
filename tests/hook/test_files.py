"""What stands where a file should, files without rights, and a disk that is full."""

import json
import os
import sys
from pathlib import Path

import pytest

from limpet.ground.trust.giving import revoke_trust

from ..conversation import obstruct, remove, write
from ..hook_host import POSIX, notes, rule_lines
from ..places import private_path

NOTES = {"manifest": "rules: 1 mistakes (limpet rules check)", "api": "no rules file for API (limpet rules check)"}


@POSIX
@pytest.mark.parametrize("kind", ["folder", "fifo", "loop", "nowhere", "device", "gone"])
@pytest.mark.parametrize("name", ["manifest", "api"])
def test_what_is_no_file_costs_its_own_rules_and_is_said_once(host, check, name, kind):
    """A FIFO and a device are not waited for; the constitution, and other domains, are there."""
    obstruct(kind, host.workspace.path("rules", name))
    first, second = host.prompt("the endpoint"), host.prompt("the endpoint")
    assert first.block["constitution"]
    assert rule_lines(first, "GLOBAL") == ["Read first."]
    is_normal = (name, kind) == ("manifest", "gone")  # then all but what is shipped is gone
    assert (notes(first), second.out) == ([] if is_normal else [NOTES[name]], b"")
    assert check()


def test_a_known_project_without_its_files_has_what_is_shipped(host, run):
    """A branch may lack ``.limpet``; nothing makes it anew."""
    remove(host.workspace.home)
    answer = host.prompt("the endpoint")
    assert answer.block["constitution"] and rule_lines(answer, "API") is None
    assert run("rules", "check").returncode == 0
    assert not os.path.exists(host.workspace.home)


def test_a_missing_project_is_no_error_of_the_hooks_and_named_by_a_check(host, run):
    """That of which neither ``.limpet`` nor the user's word is left."""
    remove(host.workspace.home)
    revoke_trust(host.workspace)
    assert host.prompt("the endpoint").out == b""
    done = run("rules", "check")
    assert (done.returncode, "No .limpet folder" in done.stdout + done.stderr) == (1, True)
    assert not os.path.exists(host.workspace.home)


ELSEWHERE = (
    *("constitution.md", "config.yaml", "session.yaml", "sessions/s.json", "cache/plan", "cache/mirror.json"),
    *("metrics/hook.jsonl", "events/s.jsonl", "locks/s.lock", "cache/status/s.json", "rules/stray"),
)


def place_of(workspace, kind, *parts):
    """In the project, in the user's cache, or in the project's private folder."""
    if kind in ("constitution.md", "config.yaml", "rules"):
        return workspace.path(kind, *parts)
    return workspace.cached(*parts) if kind == "cache" else private_path(workspace, kind, *parts)


KINDS = ("folder", "fifo", "loop", "nowhere", "device")


@POSIX
@pytest.mark.parametrize(
    ("paths", "kind"), [*(([path], "fifo") for path in ELSEWHERE), *((ELSEWHERE, kind) for kind in KINDS)]
)
def test_what_is_no_file_elsewhere_costs_no_rule(host, paths, kind):
    """In the place of one of settings, state, cache and records, which may be waited for, and of all of them."""
    for path in paths:
        full = place_of(host.workspace, *path.split("/"))
        os.makedirs(os.path.dirname(full), exist_ok=True)
        obstruct(kind, full)
    answer = host.prompt("the endpoint *brief")
    assert (rule_lines(answer, "GLOBAL"), rule_lines(answer, "API")) == (["Read first."], ["Version it."])
    assert answer.block["commands"] == [{"name": "brief", "lines": ["Short."]}]


def test_links_that_run_in_circles_end(host):
    """A folder that holds itself, in the rules and among the squads."""
    for folder in (host.workspace.path("rules"), os.path.join(host.workspace.root, "squads", "round")):
        os.makedirs(folder, exist_ok=True)
        os.symlink(folder, os.path.join(folder, "circle"), target_is_directory=True)
    os.makedirs(os.path.join(host.workspace.root, "squads", "round", ".limpet"))
    os.symlink("..", os.path.join(host.workspace.root, "squads", "round", ".limpet", "rules"))
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]


@pytest.mark.parametrize("name", ["api", "manifest", "../constitution.md"])
def test_a_file_without_rights_is_missed_and_seen_once_it_has_them(host, bound, check, name):
    """Rights change no stamp: a file that could not be read is looked at again."""
    write(host.workspace.path("constitution.md"), "### XVII. Licences (BLOCK)\n- MUST keep headers.\n")
    path = host.workspace.path("rules", *name.split("/"))
    os.utime(path, (1_600_000_000, 1_600_000_000))
    whole = host.prompt("the endpoint", session_id="before", process=bound).text
    os.chmod(path, 0)
    os.utime(path, (1_500_000_000, 1_500_000_000))
    missed = host.prompt("the endpoint", session_id="during", process=bound)
    assert missed.text != whole
    assert any(found.endswith(f"{os.path.basename(name)}: cannot read the file") for found in check(**bound))
    os.chmod(path, 0o600)
    assert host.prompt("the endpoint", session_id="after", process=bound).text == whole


def test_a_read_only_project_speaks_and_says_that_it_cannot_remember(host, bound, check):
    """Nothing can be written: the rules come with every prompt, and so does the reason; the rules can be checked."""
    write(host.workspace.path("rules", "api"), "API_RULE_0=Version it.\nno divider\n")
    for folder in (host.workspace.home, host.workspace.data):
        for path in (folder, *Path(folder).rglob("*")):
            os.chmod(path, 0o500 if os.path.isdir(path) else 0o400)
    for path in (host.workspace.root,):
        os.chmod(path, 0o500 if os.path.isdir(path) else 0o400)
    for text in ("the endpoint", "an endpoint"):
        answer = host.prompt(text, process=bound)
        assert rule_lines(answer, "API") == ["Version it."]
        assert notes(answer) == ["cannot save the conversation's state: rules may be sent twice"]
    assert check(**bound) == [".limpet/rules/api:2: no = in 'no divider'; the line is ignored"]
    os.chmod(host.workspace.root, 0o700)


@pytest.mark.parametrize("folder", ["locks", "sessions", "metrics", "events"])
def test_a_folder_that_cannot_be_written_costs_only_itself(host, folder):
    """A file stands where a folder should: the rules come nonetheless, twice if need be."""
    remove(private_path(host.workspace, folder))
    write(private_path(host.workspace, folder), "in the way")
    assert rule_lines(host.prompt("the endpoint"), "API") == ["Version it."]
    assert rule_lines(host.prompt("the route", prompt_id="q"), "API") in (["Version it."], None)
    with open(private_path(host.workspace, folder), encoding="utf-8") as file:
        assert file.read() == "in the way"


FULL_DISK = """
import os, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
os.execvp(sys.argv[2], sys.argv[2:])
"""


def full_disk(room):
    """How a process is started that may not make any file larger than ``room`` bytes."""
    return {"prefix": [sys.executable, "-c", FULL_DISK, str(room)]}


@POSIX
@pytest.mark.parametrize("room", [0, 1, 100, 700])
def test_a_full_disk_costs_no_rule_and_leaves_no_torn_file(host, room):
    """What cannot be written whole is not there at all; drafts are taken away again."""
    for _ in range(3):
        answer = host.prompt("the endpoint", process=full_disk(room))
        assert rule_lines(answer, "API") == ["Version it."]
        assert notes(answer)[0] == "cannot save the conversation's state: rules may be sent twice"
    files = [path for path in Path(host.workspace.data).rglob("*") if path.is_file()]
    assert [path.name for path in files if path.suffix == ".tmp"] == []
    for path in files:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
    assert rule_lines(host.prompt("the endpoint", prompt_id="later"), "API") == ["Version it."]


@POSIX
def test_rules_are_checked_on_a_full_disk(host, check):
    """It writes nothing that it could not do without."""
    write(host.workspace.path("rules", "api"), "API_RULE_0=Version it.\nno divider\n")
    assert check(**full_disk(0)) == [".limpet/rules/api:2: no = in 'no divider'; the line is ignored"]
