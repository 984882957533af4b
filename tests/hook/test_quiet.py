"""Reading calls that nothing concerns start no Python: the line as it is installed, run by shells, with a launcher that
leaves a trace."""

import json
import os
import shutil
import subprocess
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limpet.ground.storage.files import stamp
from limpet.ground.storage.user_folders import approvals_folder, data_folder, quiet_path, state_folder
from limpet.hosts.claude_code.install import registrations
from limpet.hosts.claude_code.tools import READING
from limpet.hosts.commands.launcher import launcher_path
from limpet.memory.index.names import names_path
from limpet.operations.memory.library import personal_workspace
from limpet.operations.mirror import refresh_mirror
from limpet.rules.plan.plan import plan_path

from ..conversation import RULES, age, write, write_rules
from ..hook_host import MANIFEST, POSIX, Host, bare
from ..memories import Memories, configure
from ..places import private_path

pytestmark = POSIX
SHELLS = [shell for shell in ("sh", "dash", "bash", "busybox", "zsh") if shutil.which(shell)]
PATHS = "SQL_PATHS=*.sql, /migrations/**, src/*/[id].ts\n"


class Client:
    """Claude Code with a project open. Its launcher notes that it was started, and with what."""

    def __init__(self, workspace):
        self.workspace, self.root = workspace, workspace.root
        self.host = Host(workspace)
        self.trace = os.path.join(state_folder(), "trace")
        (self.line,) = (each.command for each in registrations(False) if each.matcher == "|".join(READING))
        write(launcher_path(), f"#!/bin/sh\ncat > '{self.trace}'\n")
        os.chmod(launcher_path(), 0o700)

    @property
    def mark(self):
        return quiet_path(self.root)

    def prompt(self, text="Go on.", **payload):
        env = {**os.environ, "CLAUDE_PROJECT_DIR": self.root}
        payload = {"prompt": text, "prompt_id": f"p{next(self.host.numbers)}", **payload}
        answer = self.host.send("UserPromptSubmit", process={"env": env}, **payload)
        assert (answer.code, answer.err) == (0, b"")
        return answer

    def settle(self):
        """What is derived was written long ago, and the next prompt came."""
        self.prompt()
        for path in (plan_path(self.workspace), names_path(self.workspace.shared)):
            if os.path.exists(path):
                os.utime(path, (1_600_000_000, 1_600_000_000))
        self.prompt()

    def passes(self, tool="Read", given=None, shell="sh", cwd=None, env=None):
        """Whether the call ends without a launcher, to whom else comes what the client said."""
        payload = {"session_id": "s", "cwd": cwd or self.root, "hook_event_name": "PreToolUse", "tool_name": tool}
        payload |= {"tool_input": given or {}, "tool_use_id": "t"}
        raw = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        env = {"CLAUDE_PROJECT_DIR": self.root} if env is None else env
        command = [shell, *(["sh"] if shell == "busybox" else []), "-c", self.line]
        done = subprocess.run(command, input=raw, capture_output=True, cwd=self.root, env={**bare(), **env})
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        if not os.path.exists(self.trace):
            return True
        with open(self.trace, encoding="utf-8") as file:
            assert json.load(file) == payload
        os.unlink(self.trace)
        return False

    def reads(self, path, **how):
        return self.passes("Read", {"file_path": os.path.join(self.root, path)}, **how)

    def said(self, tool, given):
        """What Limpet says of the call."""
        return self.host.send("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="t").out


def make_client(workspace, manifest=MANIFEST, **rules):
    configure(workspace)
    write_rules(workspace, manifest, **{**RULES, **rules})
    for name in ("app.py", "src/app.py", "src/.hidden/x.py", "db/a.sql", "it's, one.py", "ação.py"):
        write(os.path.join(workspace.root, name), "a = 1\n")
    age(workspace.home)
    refresh_mirror(workspace)
    return Client(workspace)


@pytest.fixture
def client(workspace):
    made = make_client(workspace, MANIFEST + PATHS, sql="SQL_RULE_0=Name every constraint.\n")
    made.settle()
    return made


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("path", ["app.py", "src/app.py", "src/none.py", "src/.hidden/x.py", "it's, one.py", "ação.py"])
def test_a_file_that_nothing_names_starts_no_python(client, shell, path):
    assert client.reads(path, shell=shell)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Grep", {"pattern": r"def \w+\(...\)"}),
        ("Grep", {"pattern": "a/b \"c\" 'd' $e `f`", "glob": "*.py"}),
        ("Grep", {"pattern": "x", "path": "@/src", "glob": "**/*.py"}),
        ("Glob", {"pattern": "**/*.ts"}),
        ("Glob", {"pattern": "src/**/*.py"}),
        ("Glob", {"pattern": "*.py", "path": "@"}),
        ("LS", {"path": "@/src"}),
    ],
)
def test_a_search_in_the_project_starts_none(client, shell, tool, given):
    given = {name: value.replace("@", client.root) for name, value in given.items()}
    if "/b" not in given["pattern" if tool != "LS" else "path"]:
        assert client.passes(tool, given, shell=shell)
    else:  # a slash before which no folder stands is looked at by those who can tell
        assert not client.passes(tool, given, shell=shell)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("path", ["db/a.sql", "migrations/1/x.py", "src/a/[id].ts", "src/../db/a.sql", "src//app.py"])
def test_a_file_that_a_rule_may_name_starts_it(client, shell, path):
    assert not client.reads(path, shell=shell)


@pytest.mark.parametrize("folder", [data_folder, state_folder, lambda: os.path.dirname(data_folder())])
@pytest.mark.parametrize("tool", ["Read", "Grep", "Glob"])
def test_what_lies_elsewhere_starts_it(client, folder, tool):
    """So the guard denies there what it always denies."""
    given = {"file_path": f"{folder()}/x"} if tool == "Read" else {"pattern": "key", "path": folder()}
    assert not client.passes(tool, given)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "app.py"}),
        ("Read", {"file_path": "~/x"}),
        ("Read", {"file_path": "@-beside/x"}),
        ("Read", {"file_path": "@/../x"}),
        ("Read", {"file_path": "@/a\\b"}),
        ("Grep", {"pattern": "x", "path": "src"}),
        ("Grep", {"pattern": "x", "paths": ["@/src", "/etc"]}),
        ("Glob", {"pattern": "/etc/*"}),
        ("Glob", {"pattern": "~/*"}),
        ("Glob", {"pattern": "../*"}),
        ("Glob", {"pattern": ".."}),
        ("Grep", {"pattern": "x", "path": "@/.."}),
        ("LS", {"path": "@/src/../.."}),
    ],
)
def test_a_path_that_is_not_plainly_in_the_project_starts_it(client, tool, given):
    given = json.loads(json.dumps(given).replace("@", client.root))
    assert not client.passes(tool, given)


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "@/out/trust"}),
        ("Read", {"file_path": "@/key"}),
        ("Grep", {"pattern": "x", "path": "@/out"}),
        ("Glob", {"pattern": "out/**"}),
        ("Glob", {"pattern": "projects/**", "path": "@/out"}),
        ("Grep", {"pattern": "x", "glob": "out/*"}),
        ("Grep", {"pattern": "x"}),
    ],
)
def test_a_link_out_of_the_project_starts_it(client, shell, tool, given):
    os.symlink(data_folder(), os.path.join(client.root, "out"))
    os.symlink(os.path.join(state_folder(), "key"), os.path.join(client.root, "key"))
    given = {name: value.replace("@", client.root) for name, value in given.items()}
    cwd = os.path.join(client.root, "out") if given == {"pattern": "x"} else None
    assert not client.passes(tool, given, shell=shell, cwd=cwd)


@pytest.mark.parametrize("env", [{}, {"CLAUDE_PROJECT_DIR": ""}, {"CLAUDE_PROJECT_DIR": "/elsewhere"}])
def test_without_the_projects_variable_it_is_as_before(client, env):
    assert not client.reads("app.py", env=env)


def test_a_shell_that_stands_elsewhere_starts_it(client):
    assert not client.reads("app.py", cwd=os.path.dirname(client.root))
    assert client.reads("app.py", cwd=os.path.join(client.root, "src"))


def test_a_payload_of_several_lines_comes_whole(client):
    raw = json.dumps({"cwd": "/", "text": "LIMPET\n$HOME `x` \\n"}, indent=1).encode()
    env = {**bare(), "CLAUDE_PROJECT_DIR": client.root}
    subprocess.run(["sh", "-c", client.line], input=raw, check=True, cwd=client.root, env=env)
    with open(client.trace, "rb") as file:
        assert json.loads(file.read()) == json.loads(raw)


def name_a_file(client):
    Memories(client.workspace).add("How src/app.py starts", paths=["src/app.py"])


def edit_rules(client):
    write(client.workspace.path("rules", "manifest"), MANIFEST + "API_PATHS=src/**\n")


def add_a_squad(client):
    write(os.path.join(client.root, "squads", "etl", ".limpet", "rules", "manifest"), "LOAD_PATHS=src/**\n")


def ask_for_a_word(client):
    os.makedirs(approvals_folder())


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("change", [name_a_file, edit_rules, add_a_squad, ask_for_a_word])
def test_what_comes_up_within_a_turn_starts_it(client, change, shell):
    """The lines are void at once; nobody withdraws them."""
    assert client.reads("src/app.py", shell=shell)
    change(client)
    assert os.path.exists(client.mark)
    assert not client.reads("src/app.py", shell=shell)


@pytest.mark.parametrize("change", [name_a_file, edit_rules])
def test_the_next_prompt_knows_which_file_is_meant(client, change):
    change(client)
    age(client.workspace.home)
    client.settle()
    assert not client.reads("src/app.py")
    assert client.reads("it's, one.py")


def test_a_memory_of_the_person_counts_too(client):
    """That is in no project, and may be the first."""
    Memories(personal_workspace()).add("How src/app.py starts", paths=["src/app.py"])
    assert not client.reads("it's, one.py")
    os.utime(names_path(personal_workspace().shared), (1_600_000_000, 1_600_000_000))
    client.settle()
    assert not client.reads("src/app.py")
    assert client.reads("it's, one.py")


def test_what_was_just_written_is_waited_for(workspace):
    """A shell may compare whole seconds."""
    client = make_client(workspace)
    client.prompt()
    assert not os.path.exists(client.mark)
    assert not client.reads("app.py")


def test_it_says_how_old_the_newest_file_is(client):
    marks = [stamp(path) for path in (plan_path(client.workspace), client.workspace.path("rules", "manifest"))]
    assert stamp(client.mark)[0] == max(mark[0] for mark in marks)


@pytest.mark.parametrize(
    "session",
    ["current_agent: dev\n", "permission_mode: explore\n", "workflow: {name: feature, step: 0}\n", "task: {id: '9'}\n"],
)
def test_a_reading_call_is_judged_by_its_path_whoever_is_in_force(client, session):
    """That is why agent, mode and story are no condition."""
    calls = [("Read", {"file_path": os.path.join(client.root, "app.py")}), ("Grep", {"pattern": "x"})]
    denied = ("Read", {"file_path": os.path.join(data_folder(), "x")})
    write(private_path(client.workspace, "session.yaml"), session)
    refresh_mirror(client.workspace)
    client.prompt()
    assert [client.said(*call) for call in calls] == [b"", b""]
    assert b"deny" in client.said(*denied)


def test_a_forged_one_is_written_anew_and_told(client):
    with open(client.mark, encoding="utf-8") as file:
        text = file.read()
    write(client.mark, text.replace("return 1", "return 0"))
    told = client.prompt().out.decode()
    assert "was not as Limpet wrote it" in told and client.mark in told
    with open(client.mark, encoding="utf-8") as file:
        assert file.read() == text
    assert b"not as Limpet wrote" not in client.prompt().out


def test_one_for_a_folder_below_is_taken_away(client):
    """A conversation begun there has the project above; its calls start Python."""
    below = os.path.join(client.root, "src")
    write(quiet_path(below), "exit 0\n")
    client.host.send("UserPromptSubmit", process={"env": {**os.environ, "CLAUDE_PROJECT_DIR": below}}, prompt="Hello.")
    assert not os.path.exists(quiet_path(below))


def test_an_agent_may_not_write_it(client):
    for tool in ("Write", "Read"):
        assert b"deny" in client.said(tool, {"file_path": client.mark, "content": "exit 0\n"})


def test_a_project_that_is_not_trusted_gets_none(client):
    os.unlink(client.mark)
    os.unlink(os.path.join(client.workspace.data, "trust"))
    client.prompt()
    assert not os.path.exists(client.mark)


NAMES = ("app.py", "src/app.py", "src/b/c.ts", "db/a.sql", "x[1].md")
GLOBS = ("*.sql", "src/**", "/app.py", "src/*/c.ts", "**/b/**", "x[1].md", "a?p.py", "none/", "*")
CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("paths"), st.lists(st.sampled_from(GLOBS), max_size=2)),
        st.tuples(st.just("memory"), st.sampled_from(NAMES)),
        st.tuples(st.just("agent"), st.sampled_from(["dev", "qa", ""])),
        st.tuples(st.just("permission"), st.sampled_from(["explore", "ask", "auto"])),
        st.tuples(st.just("prompt"), st.just("Go on.")),
        st.tuples(st.just("settle"), st.just("")),
        st.tuples(st.just("lost"), st.sampled_from(["plan", "mark", "names"])),
    ),
    min_size=1,
    max_size=6,
)


def change_project(client, what, value):
    """One of the things that may bring something with a call."""
    workspace = client.workspace
    if what == "paths":
        line = f"API_PATHS={', '.join(value)}\n" if value else ""
        write(workspace.path("rules", "manifest"), MANIFEST + line)
    elif what == "memory":
        Memories(workspace).add(f"How {value} is read", paths=[value])
    elif what in ("agent", "permission"):
        key = "current_agent" if what == "agent" else "permission_mode"
        write(private_path(workspace, "session.yaml"), f"{key}: '{value}'\n")
        refresh_mirror(workspace)
    elif what == "prompt":
        client.prompt(value)
    elif what == "settle":
        age(workspace.home)
        client.settle()
    else:  # who writes was killed, or the user deleted it
        path = {"plan": plan_path(workspace), "mark": client.mark, "names": names_path(workspace.shared)}[value]
        if os.path.exists(path):
            os.unlink(path)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES)
def test_what_passes_is_what_limpet_says_nothing_of(changes, tmp_path_factory, monkeypatch):
    """After any changes in any order, with the lines as they are then."""
    from ..conftest import trusted

    folder = tmp_path_factory.mktemp("random")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "user"))
    for name in ("STATE", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(folder / name))
    (folder / "project" / ".limpet").mkdir(parents=True)
    client = make_client(trusted(folder / "project"))
    client.settle()
    for number, (what, value) in enumerate(changes):
        change_project(client, what, value)
        for name in NAMES:
            given_path = {"file_path": os.path.join(client.root, name)}
            if client.passes("Read", given_path):
                # Another conversation, which was told nothing yet.
                session = f"{number}-{name}-{time.monotonic_ns()}"
                answer = client.host.send(
                    "PreToolUse", session_id=session, tool_name="Read", tool_input=given_path, tool_use_id="t"
                )
                assert (what, value, name, answer.out) == (what, value, name, b"")
