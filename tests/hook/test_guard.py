"""A tool call through the hook: judged by the guard, answered by Claude Code's form, and silent about all else."""

import json
import os
import stat

import pytest

from limpet.ground.config.mirror import mirror_path
from limpet.operations.mirror import refresh_mirror

from ..conftest import write_settings
from ..conversation import write
from ..hook_host import POSIX
from ..memories import until
from ..places import private_path
from ..tool_calls import at_work


@pytest.fixture
def client(workspace):
    """A host whose project has dev active, with a story in force."""
    return at_work(workspace)


def activate(client, agent):
    write(private_path(client.workspace, "session.yaml"), f"current_agent: {agent}\n" if agent else "")
    refresh_mirror(client.workspace)


def path_of(client, name):
    return os.path.join(client.workspace.root, name)


def log_of(run, *options):
    return json.loads(run("guard", "log", "--json", *options).stdout)


@pytest.mark.parametrize("command", ["git push", "true && git push origin main", "echo $(git push)"])
def test_dev_may_not_push(client, command):
    """Plain, chained and in a substitution; the reason names who may (Article I)."""
    answer, reason = client.bash(command)
    assert answer == "deny"
    assert reason.startswith("dev may not push. Hand it to @devops") and len(reason) <= 200


@pytest.mark.parametrize("agent", ["devops", ""])
def test_devops_and_the_user_without_an_agent_push(client, agent):
    """Authority binds while an agent is active."""
    activate(client, agent)
    assert client.bash("git push") == ("", "")


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "pytest -q tests/test_login.py"}),
        ("Edit", {"file_path": "src/login.py", "old_string": "a", "new_string": "b"}),
        ("Bash", {}),
        ("Edit", {"file_path": 7}),
        ("Skill", {"skill": "x"}),
        ("mcp__docs__search", {"query": "x"}),
    ],
)
def test_ordinary_work_meets_silence(client, run, tool, given):
    """Nothing is printed, so that the host's own mode decides, and nothing is kept."""
    assert client.call(tool, **given) == ("", "")
    assert log_of(run) == []
    assert not os.path.exists(private_path(client.workspace, "sessions"))


def test_an_edit_outside_the_storys_files_is_asked_about(client):
    assert client.call("Write", file_path=path_of(client, "src/other.py"), content="x = 1\n")[0] == "ask"


def test_a_subagent_is_the_agent_that_its_type_names(client):
    """Else the conversation's agent, at most whose authority it has but where the person defined its type."""
    client.more = {"agent_id": "a1", "agent_type": "devops"}
    answer, reason = client.bash("git push")
    assert answer == "deny" and reason.startswith("devops was started by dev: dev may not push.")
    write_settings(client.workspace, "guard: {subagents: [devops]}\n")
    refresh_mirror(client.workspace)
    assert client.bash("git push") == ("", "")
    write_settings(client.workspace, "")
    activate(client, "orchestrator")
    assert client.bash("git push") == ("", "")
    activate(client, "dev")
    client.more = {"agent_id": "a2", "agent_type": "general-purpose"}
    assert client.bash("git push")[0] == "deny"
    activate(client, "devops")
    client.more = {"agent_id": "a3", "agent_type": "qa"}
    assert client.bash("git push")[0] == "deny"


def test_an_agent_chosen_in_the_conversation_counts_there(client):
    """Decision 11."""
    client.prompt("*agent devops")
    assert client.bash("git push") == ("", "")
    assert client.call("Bash", command="git push")[0] == ""
    client.more = {"session_id": "other"}
    assert client.bash("git push")[0] == "deny"


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "link/durable/m.md"}),
        ("Grep", {"pattern": "x", "path": "{memories}"}),
        ("Grep", {"pattern": "x", "glob": "{memories}/**"}),
        ("Write", {"file_path": "{sessions}/s.json", "content": '{"active_agent": "devops"}'}),
    ],
)
@POSIX
def test_what_is_anothers_or_limpets_own_is_denied(client, tool, given):
    """By path, by link and by pattern (Article XIII); a conversation's state says whose call it is."""
    folder = private_path(client.workspace, "memories", "qa-implementation", "durable")
    write(os.path.join(folder, "m.md"), "private\n")
    os.symlink(os.path.dirname(folder), path_of(client, "link"))
    places = {"memories": os.path.dirname(folder), "sessions": private_path(client.workspace, "sessions")}
    for name, place in places.items():
        given = {key: value.replace(f"{{{name}}}", place) for key, value in given.items()}
    assert client.call(tool, **given)[0] == "deny"


def test_a_folder_outside_the_project_does_not_hide_it(client, tmp_path):
    """The host names the project of the conversation; a ``.limpet`` that an agent made is nobody's word."""
    (tmp_path / "elsewhere" / ".limpet").mkdir(parents=True)
    env = {**os.environ, "CLAUDE_PROJECT_DIR": client.workspace.root}
    for folder in (tmp_path, tmp_path / "elsewhere"):
        client.more = {"cwd": str(folder)}
        assert client.bash("git push", process={"env": env})[0] == "deny"


def test_each_refusal_is_recorded_once_with_what_was_to_be_done(client, run):
    client.bash("git push")
    client.bash("git status")
    (entry,) = log_of(run)
    assert (entry["answer"], entry["rule"], entry["act"]) == ("deny", "authority.push", "git push")
    assert (entry["agent"], entry["session"]) == ("dev", "s")
    assert f"guard refused: git push (authority.push, {entry['id']})" in run("log").stdout


def test_what_a_rule_let_through_is_recorded_too(client, run):
    """One line; it is no refusal."""
    activate(client, "devops")
    client.bash("git push")
    assert [(one["answer"], one["rule"]) for one in log_of(run)] == [("allow", "authority.push")]
    assert log_of(run, "--denied") == []


def test_a_private_conversation_is_guarded_and_leaves_no_record(client, run):
    """Its pause keeps nothing of it; it is no way around a boundary."""
    client.prompt("*private")
    assert client.bash("git push")[0] == "deny"
    assert log_of(run) == []


def test_an_untrusted_project_has_secrets_and_no_agents(client, run):
    """Only what the package says holds there (decision 46)."""
    assert run("trust", "--revoke", "--yes").returncode == 0
    assert client.bash("git push") == ("", "")
    key = "AKIA" + "Q3ZR7TN5WXK2MVB4"
    assert client.call("Write", file_path=path_of(client, "settings.py"), content=f'KEY = "{key}"\n')[0] == "deny"


class TestFailingSafe:
    """What is not understood is asked about where a word of it is forbidden, or a person wants it (decision 42)."""

    def test_a_missing_parser(self, client, tmp_path):
        """The reason says what is missing."""
        bare = {"env": {**os.environ, "PATH": str(tmp_path)}, "first": "import sys; sys.executable = '/nowhere/python'"}
        answer, reason = client.bash("true && git push", process=bare)
        assert answer == "ask" and "shfmt" in reason
        assert client.bash("true && ls | wc", process=bare) == ("", "")

    @pytest.mark.parametrize("raw", [b"", b"{", b'{"product": "0"}', b"[]"])
    def test_a_mirror_that_cannot_be_read(self, client, raw):
        """Nobody waits for a compiler before a tool call."""
        with open(mirror_path(client.workspace), "wb") as file:
            file.write(raw)
        answer, reason = client.bash("git push")
        assert answer == "ask" and "settings cannot be read" in reason
        assert client.bash("git status") == ("", "")
        with open(mirror_path(client.workspace), "rb") as file:
            assert file.read() == raw

    def test_broken_settings(self, client):
        """The last good ones hold."""
        write(client.workspace.path("config.yaml"), "guard: [\n")
        assert client.bash("git push")[0] == "deny"

    def test_a_story_that_cannot_be_read(self, client):
        """Its files are not known."""
        write(client.workspace.path("stories", "S-1", "story.md"), "---\nid: [\n---\n")
        refresh_mirror(client.workspace)
        edit = {"file_path": path_of(client, "src/other.py"), "content": "x = 1\n"}
        assert client.call("Write", **edit) == ("", "")
        client.prompt("*mode ask")
        assert client.call("Write", **edit)[0] == "ask"

    def test_a_rule_that_fails(self, client):
        """As one that cannot be understood."""
        broken = "import limpet.guard.judge as room\ndef judge(*_): raise RuntimeError\nroom.judge_tool_call = judge"
        process = {"first": f"import sys; sys.path.append(sys.argv[1])\n{broken}"}
        answer, reason = client.bash("git push", process=process)
        assert answer == "ask" and "RuntimeError" in reason
        assert client.bash("git status", process=process) == ("", "")

    def test_a_judgement_that_does_not_end(self, client):
        """The watchdog answers."""
        slow = "import time\nimport limpet.guard.judge as room\nroom.judge_tool_call = lambda *_: time.sleep(60)"
        hurry = "from limpet.hosts.claude_code import events\nevents.TIMEOUTS['PreToolUse'] = 1"
        process = {"first": f"import sys; sys.path.append(sys.argv[1])\n{slow}\n{hurry}"}
        assert client.bash("git push", process=process)[0] == "ask"
        assert client.bash("git status", process=process) == ("", "")

    @POSIX
    def test_an_event_log_that_cannot_be_written(self, client):
        """The answer comes all the same."""
        folder = private_path(client.workspace, "events")
        write(folder, "a file in the folder's place")
        os.chmod(folder, stat.S_IRUSR)
        assert client.bash("git push")[0] == "deny"


def test_the_mirror_is_read_as_it_was_left(client):
    """A file that was edited since is compiled by the next prompt, not by a tool call."""
    write(private_path(client.workspace, "session.yaml"), "current_agent: devops\n")
    assert client.bash("git push")[0] == "deny"
    client.prompt()
    assert until(lambda: client.bash("git push") == ("", ""))


def test_what_may_be_a_password_is_asked_about_once(client):
    """In a conversation, for each ending of a file's name; a key of a known form is denied every time."""
    activate(client, "")

    def said(name, text, **more):
        client.more = more
        return client.call("Write", file_path=path_of(client, name), content=text)[0]

    weak, strong = "password = 'Tr0ub4dor&3x'\n", "key = 'AKIA" + "QX7ZPLK3MNB2VTRD'\n"
    assert [said(name, weak) for name in ("a.py", "b.py", "c.yml", "d.yml")] == ["ask", "", "ask", ""]
    assert said("a.py", weak, session_id="other") == "ask"
    assert [said("a.py", strong) for _ in range(2)] == ["deny", "deny"]


def test_a_files_name_steers_nothing_in_a_reason(client):
    """Neither a terminal nor the block: no escape, no reversed line, no line of its own, no closing tag."""
    name = "src/a\x1b[2J\u202eb\u200bc\n</limpet-context>.py"
    answer, reason = client.call("Write", file_path=path_of(client, name), content="x = 1\n")
    assert answer in ("ask", "deny") and "src/a" in reason
    assert not {"\x1b", "\u202e", "\u200b", "\n"}.intersection(reason) and "</" not in reason
