"""Git asks the guard before a push: the line in its hook, and what real pushes by agents and people come to."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from limpet.ground.processes import read_process
from limpet.hosts.commands.launcher import launcher_path
from limpet.hosts.git_hook import hook_line, hook_path, is_installed
from limpet.operations.mirror import refresh_mirror
from limpet.work.serving import NEW_WINDOW, Served, begin_serving

from ..conftest import write_settings
from ..conversation import write
from ..hook_host import POSIX
from ..places import private_path
from ..tool_calls import at_work

pytestmark = POSIX


def git(root, *words, check=True, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "GIT_"))}
    identity = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    return subprocess.run(
        ("git", *identity, *words), cwd=root, check=check, capture_output=True, text=True, env={**clean, **variables}
    )


@pytest.fixture
def client(workspace, tmp_path):
    """A host whose project has dev active and a remote."""
    client = at_work(workspace)
    root = workspace.root
    write(os.path.join(root, "a.txt"), "one\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "a.txt")
    git(root, "commit", "-q", "-m", "first")
    git(tmp_path, "init", "-q", "--bare", str(tmp_path / "remote"))
    git(root, "remote", "add", "origin", str(tmp_path / "remote"))
    return client


@pytest.fixture
def hooked(client, run):
    """The same, where git asks the guard."""
    done = run("guard", "install", "pre-push", "--yes")
    assert "git asks the guard" in done.stdout and f"\n  {hook_line()}\n" in done.stderr
    return client


def push(client, session="s"):
    """How an agent's push ends, by a program that no parser reads."""
    agents = {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": session}
    return git(client.workspace.root, "push", "origin", "main", check=False, **agents)


def activate(client, agent):
    write(private_path(client.workspace, "session.yaml"), f"current_agent: {agent}\n")
    refresh_mirror(client.workspace)


def test_an_agents_push_ends_in_the_hook_and_a_persons_passes(hooked, run):
    done = push(hooked)
    assert done.returncode and "limpet: dev may not push. Hand it to @devops" in done.stderr
    assert "authority.push" in run("guard", "log").stdout
    assert git(hooked.workspace.root, "push", "origin", "main").returncode == 0
    path = hook_path(hooked.workspace.root)
    assert run("uninstall", "--yes").returncode == 0
    assert not os.path.exists(path)


@pytest.mark.parametrize("why", ["devops", "no Limpet"])
def test_whom_the_guard_lets_push_or_where_it_is_missing_nobody_is_stopped(hooked, why):
    if why == "devops":
        activate(hooked, "devops")
    else:
        os.remove(launcher_path())
    assert push(hooked).returncode == 0


def test_an_agents_push_waits_for_the_checks(hooked):
    """They run on the tree as it is, and not again where they passed on it; a person's push is no agent's."""
    activate(hooked, "devops")
    root = hooked.workspace.root
    write_settings(hooked.workspace, "work:\n  checks:\n    tests: sh check.sh\n")
    write(os.path.join(root, "check.sh"), "echo run >> ../runs; exit 1\n")
    done = push(hooked)
    assert done.returncode and "not pushed: check tests (`sh check.sh`) failed with exit code 1" in done.stderr
    write(os.path.join(root, "check.sh"), "echo run >> ../runs\n")
    assert (push(hooked).returncode, push(hooked).returncode) == (0, 0)
    write(os.path.join(root, "check.sh"), "exit 1\n")
    assert push(hooked).returncode
    assert git(root, "push", "origin", "main").returncode == 0
    assert Path(root, "..", "runs").read_text() == "run\n" * 2


def test_a_push_that_the_guard_let_through_is_not_judged_twice(hooked):
    """A sub-agent devops, of which git's hook knows nothing; the pass counts once."""
    activate(hooked, "orchestrator")
    hooked.more = {"agent_id": "a1", "agent_type": "devops"}
    assert hooked.bash("git push origin main") == ("", "")
    assert push(hooked).returncode == 0
    write(os.path.join(hooked.workspace.root, "a.txt"), "two\n")
    git(hooked.workspace.root, "commit", "-qam", "second")
    assert push(hooked).returncode != 0


@pytest.mark.parametrize("named", ["", "other"])
def test_a_conversation_that_hides_is_that_of_the_client_above(hooked, monkeypatch, named):
    """The agent chosen there counts, though the variable names none or another; the client is the tests' process."""
    monkeypatch.setenv("CLAUDE_PID", str(os.getpid()))
    activate(hooked, "devops")
    hooked.prompt("*agent dev")
    assert push(hooked, session=named).returncode != 0


@pytest.mark.parametrize(("named", "passes"), [("a", True), ("b", False), ("", False), ("other", False)])
def test_where_several_may_be_it_the_strictest_holds(hooked, named, passes):
    """Of one client; the variable picks among them, and among no others."""
    activate(hooked, "devops")
    for session, typed in (("a", "hello"), ("b", "*agent dev"), ("c", "hello")):
        hooked.prompt(typed, session_id=session)
        served = Served(session, "claude-code", os.getpid(), read_process().started, 0.0)
        begin_serving(served, NEW_WINDOW)
    assert (push(hooked, session=named).returncode == 0) == passes


def test_what_happened_before_is_told_with_the_push(hooked):
    """To who pushes; the person is told at the end of the turn all the same."""
    activate(hooked, "qa")
    root = hooked.workspace.root
    hooked.bash("make all")
    write(os.path.join(root, "src", "new.py"), "a = 1\n")
    told = "src/new.py changed in this turn: qa-implementation may not write code"
    assert told in push(hooked).stderr
    assert told in json.loads(hooked.send("Stop", stop_hook_active=False).out)["systemMessage"]


def test_a_hook_that_stands_there_goes_on(client, run, tmp_path):
    """It gets git's input, its answer counts, and it is as before once ours is off."""
    path = Path(hook_path(client.workspace.root))
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/usr/bin/env bash\ncat > seen.txt\nexit ${CODE:-0}\n")
    path.chmod(0o755)
    before = path.read_bytes()
    run("guard", "install", "pre-push", "--yes")
    run("guard", "install", "pre-push", "--yes")
    assert path.read_text().count(hook_line()) == 1
    assert push(client).returncode != 0
    assert not Path(client.workspace.root, "seen.txt").exists()
    assert git(client.workspace.root, "push", "origin", "main").returncode == 0
    assert "refs/heads/main" in Path(client.workspace.root, "seen.txt").read_text()
    assert run("guard", "install", "pre-push", "--off", "--yes").returncode == 0
    assert path.read_bytes() == before


HUSKY = '#!/usr/bin/env sh\ns=$(dirname "$(dirname "$0")")/pre-push\n[ ! -f "$s" ] && exit 0\nsh -e "$s" "$@"\n'


def husky(root):
    """What husky makes with every install: git runs it, and it runs the person's own."""
    write(str(root / ".husky" / "_" / "pre-push"), HUSKY)
    write(str(root / ".husky" / "_" / ".gitignore"), "*\n")
    (root / ".husky" / "_" / "pre-push").chmod(0o755)
    git(root, "config", "core.hooksPath", ".husky/_")


def test_where_husky_makes_its_hooks_anew_the_persons_own_asks(client, run):
    """It is no change that git would offer; uninstall leaves nothing."""
    root = Path(client.workspace.root)
    husky(root)
    before = git(root, "status", "--short", "--ignored").stdout
    run("guard", "install", "pre-push", "--yes")
    husky(root)
    assert is_installed(str(root)) and ".husky/pre-push" not in git(root, "status", "--short").stdout
    assert push(client).returncode != 0
    os.remove(launcher_path())
    assert git(root, "push", "origin", "main").returncode == 0
    run("uninstall", "--yes")
    assert git(root, "status", "--short", "--ignored").stdout == before


def test_a_hook_of_gits_that_lost_the_line_is_told_and_mended(hooked, run):
    """By doctor, by status, once by the next start, as after another manager's install."""
    path = Path(hook_path(hooked.workspace.root))
    path.write_text("#!/bin/sh\nexit 0\n")
    told = "no longer asks the guard before a push"
    assert told in run("doctor").stdout and told in run("status").stdout
    assert f"{path} {told}" in hooked.send("SessionStart", source="startup").out.decode()
    assert "Git asks the guard before a push again" in run("doctor", "--fix").stdout
    assert told not in run("doctor").stdout and push(hooked).returncode != 0


def test_a_hook_that_pre_commit_put_aside_still_asks(hooked, run):
    path = Path(hook_path(hooked.workspace.root))
    path.rename(f"{path}.legacy")
    path.write_text('#!/bin/sh\n[ ! -x "$0.legacy" ] || exec "$0.legacy" "$@"\n')
    path.chmod(0o755)
    assert "no longer asks" not in run("doctor").stdout and push(hooked).returncode != 0
    run("guard", "install", "pre-push", "--off", "--yes")
    assert push(hooked).returncode == 0


@pytest.mark.parametrize("text", ["#!/usr/bin/env python3\n", "#!/bin/sh\n"])
def test_what_is_in_git_or_no_shell_script_is_left(client, run, text):
    """And the line to add is shown."""
    root = Path(client.workspace.root)
    git(root, "config", "core.hooksPath", "hooks")
    (root / "hooks").mkdir()
    path = root / "hooks" / "pre-push"
    path.write_text(text)
    if "python" not in text:
        git(root, "add", "hooks/pre-push")
    done = run("guard", "install", "pre-push", "--yes")
    assert done.returncode == 1 and hook_line() in done.stderr and path.read_text() == text
