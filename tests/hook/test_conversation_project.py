"""A conversation belongs to the project in which it began, wherever its shell stands later (decision 54)."""

import json
import os
import shutil
import subprocess

import pytest

from limpet.ground.storage.user_folders import state_folder
from limpet.ground.trust.giving import revoke_trust
from limpet.ground.workspace import workspace_at
from limpet.hosts.claude_code.status_line import main as draw_status
from limpet.work.conversation import conversations_folder, known_project

from ..conftest import trusted
from ..conversation import RULES, write, write_rules
from ..hook_host import MANIFEST, POSIX, Host, rule_lines
from ..memories import Memories
from ..tool_calls import at_work

EVIL = os.path.join("vendor", "evil")


def folder_of(root, name, limpet=True):
    """A folder below, with an empty ``.limpet`` as an agent or a dependency would make it."""
    path = os.path.join(root, name)
    os.makedirs(os.path.join(path, ".limpet") if limpet else path)
    return path


def named(root):
    """How the hook is started by a host that names the project."""
    return {"env": {**os.environ, "CLAUDE_PROJECT_DIR": str(root)}}


@pytest.fixture
def evil(workspace):
    return folder_of(workspace.root, EVIL)


def test_after_a_change_of_folder_the_rules_still_come_and_the_guard_still_denies(workspace, evil, tmp_path):
    """Into a nested project, a foreign one that is trusted, and outside of any; nothing is written there."""
    client = at_work(workspace)
    write_rules(workspace, MANIFEST, **RULES)
    client.prompt("hello")
    foreign = folder_of(str(tmp_path), "foreign")
    trusted(foreign)
    for number, cwd in enumerate((evil, foreign, str(tmp_path))):
        client.more = {"cwd": cwd}
        assert client.bash("git push")[0] == "deny", cwd
        assert client.send("SubagentStart", cwd=cwd, agent_type="dev", agent_id=f"a{number}").block["agent"], cwd
    assert rule_lines(client.prompt("the endpoint", cwd=evil), "API")
    assert not [path for path in (evil, foreign) if os.listdir(os.path.join(path, ".limpet"))]


def test_the_folder_that_the_host_names_counts_before_the_working_folder(host, evil):
    """Also for the first event, and for an event that names no conversation."""
    for session in ("s", ...):
        answer = host.prompt("the endpoint", cwd=evil, session_id=session, process=named(host.workspace.root))
        assert rule_lines(answer, "API"), session
    assert known_project("s") == host.workspace


def test_the_first_event_decides_whatever_it_is(host, evil):
    """A tool call too; a host that names no project later changes nothing."""
    given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}
    host.send("PreToolUse", cwd=evil, process=named(host.workspace.root), **given)
    assert rule_lines(host.prompt("the endpoint", cwd=evil), "API")


def test_a_conversation_that_began_in_a_nested_project_stays_there(host, evil):
    """It is that one's, also when its shell goes up."""
    assert not rule_lines(host.prompt("the endpoint", cwd=evil), "API")
    assert not rule_lines(host.prompt("the endpoint"), "API")


def test_where_there_is_no_project_one_that_is_made_there_counts_and_no_other(tmp_path, workspace):
    """Neither a nested one nor another; ``init`` in the folder makes one."""
    bare = folder_of(str(tmp_path), "bare", limpet=False)
    host = Host(workspace)
    for cwd in (bare, folder_of(bare, "nested"), workspace.root):
        assert host.prompt("hello", cwd=cwd).out == b"", cwd
    os.mkdir(os.path.join(bare, ".limpet"))
    write_rules(trusted(bare), MANIFEST, **RULES)
    assert rule_lines(host.prompt("the endpoint", cwd=os.path.join(bare, "nested")), "API")


def test_a_project_that_is_gone_is_forgotten(host, run, tmp_path):
    """Moved, or uninstalled: it is found anew."""
    host.prompt("hello")
    moved = str(tmp_path / "moved")
    os.rename(host.workspace.root, moved)
    assert run("trust", "--yes", cwd=moved).returncode == 0
    assert rule_lines(Host(workspace_at(moved)).prompt("the endpoint"), "API")
    assert known_project("s").root == moved


@pytest.mark.parametrize("raw", [b"\xff\0/.limpet", b"\xff\0", b"/nowhere/.limpet", b"/nowhere", b""])
def test_a_file_that_names_no_project_is_forgotten(host, raw):
    """A spoilt one too."""
    write(os.path.join(conversations_folder(), "s"), raw)
    assert rule_lines(host.prompt("the endpoint"), "API")
    assert known_project("s") == host.workspace


@POSIX
def test_without_a_state_folder_that_can_be_written_it_still_answers(host, monkeypatch, tmp_path):
    """By the folder that is named, each time."""
    shutil.copytree(state_folder(), tmp_path / "elsewhere" / "limpet")
    write(str(tmp_path / "elsewhere" / "limpet" / "conversations"), "")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "elsewhere"))
    answer = host.prompt("the endpoint", cwd=str(tmp_path), process=named(host.workspace.root))
    assert rule_lines(answer, "API")


def test_the_status_line_tells_of_the_same_project(host, evil):
    """Its figures are there where the next prompt looks for them."""
    host.prompt("hello")
    draw_status(json.dumps({"session_id": "s", "cwd": evil, "context_window": {"context_window_size": 1000}}).encode())
    assert os.path.exists(host.workspace.cached("status", "s.json"))


class TestWorktrees:
    """One in which a conversation begins has its own rules; one that it enters is seen as the project itself."""

    @pytest.fixture
    def tree(self, host):
        """A worktree inside the project, with a ``.limpet`` of its own."""
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", host.workspace.root]
        subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
        tree = os.path.join(host.workspace.root, ".claude", "worktrees", "tree")
        subprocess.run([*git, "worktree", "add", "-q", tree], check=True)
        write_rules(trusted(tree), MANIFEST, api="API_RULE_0=Of the worktree.\n")
        return tree

    def test_it_keeps_the_rules_with_which_it_began(self, host, tree):
        assert rule_lines(host.prompt("the endpoint", cwd=tree), "API") == ["Of the worktree."]
        assert rule_lines(host.prompt("*brief the endpoint", session_id="main"), "API") != ["Of the worktree."]
        assert rule_lines(host.prompt("the route", session_id="main", cwd=tree), "API") is None

    def test_its_files_are_those_of_the_project(self, host, tree):
        """For rules that files call, and for the guard's scopes."""
        write_rules(host.workspace, MANIFEST + "SQL_PATHS=/db/*.sql\n", sql="SQL_RULE_0=Name it.\n", **RULES)
        host.prompt("hello")
        given = {"tool_name": "Read", "tool_input": {"file_path": "db/a.sql"}, "tool_use_id": "t"}
        assert rule_lines(host.send("PreToolUse", cwd=tree, **given), "SQL") == ["Name it."]
        client = at_work(host.workspace)
        client.more = {"cwd": tree}
        edit = {"old_string": "a", "new_string": "b"}
        asked = [
            client.call("Edit", file_path=os.path.join(tree, path), **edit)[0] for path in ("src/login.py", "x.py")
        ]
        assert asked == ["", "ask"]


class TestCommands:
    """Of an agent: about its conversation's project, wherever in it its shell stands; a person's: about the nearest."""

    @pytest.fixture
    def add(self, host, run, monkeypatch):
        """Has an agent of the conversation, or a person, keep a memory in a folder; where it is then."""
        host.prompt("hello")

        def add_memory(cwd, agents=True):
            with monkeypatch.context() as patch:
                if agents:
                    patch.setenv("CLAUDECODE", "1")
                    patch.setenv("CLAUDE_CODE_SESSION_ID", "s")
                return run("memory", "add", f"A word from {cwd}.", cwd=cwd)

        return add_memory

    @pytest.mark.parametrize("is_trusted", [False, True])
    def test_an_agents_in_a_nested_project(self, host, add, evil, is_trusted):
        if is_trusted:
            trusted(evil)
        assert add(evil).returncode == 0
        assert len(Memories(host.workspace).entries()) == 1
        assert "memories" not in os.listdir(os.path.join(evil, ".limpet"))

    def test_a_persons_in_a_nested_project(self, host, add, evil):
        package = trusted(evil)
        assert add(evil, agents=False).returncode == 0
        assert (len(Memories(host.workspace).entries()), len(Memories(package).entries())) == (0, 1)

    def test_an_agents_in_a_project_elsewhere(self, add, tmp_path):
        """The nearest, if the user trusts it."""
        other = trusted(folder_of(str(tmp_path), "other"))
        assert add(other.root).returncode == 0 and len(Memories(other).entries()) == 1
        revoke_trust(other)
        assert "not trusted" in add(other.root).stderr

    def test_trust_is_about_the_nearest(self, host, add, evil, run, monkeypatch):
        monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "s")
        assert evil in run("trust", "--show", cwd=evil).stdout
