"""What happened in a turn though no word of a command told it: the person is told at the stop, the agent next time."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from limpet.engine.guard.watched import effects_folder
from limpet.operations.mirror import refresh_mirror

from ..conversation import write
from ..hook_host import POSIX
from ..places import private_path
from ..tool_calls import at_work


def git(root, *words):
    subprocess.run(
        ("git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words), cwd=root, check=True, capture_output=True
    )


@pytest.fixture
def client(workspace):
    """A host whose project is a repository with qa at work."""
    client = at_work(workspace)
    root = Path(workspace.root)
    write(str(root / "src" / "login.py"), "a = 1\n")
    write(str(root / "src" / "other.py"), "b = 1\n")
    write(str(root / "notes.txt"), "one\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "src", "notes.txt")
    git(root, "commit", "-q", "-m", "first")
    at_work_is(client, "current_agent: qa\n")
    return client


def at_work_is(client, session):
    """Let the project's session say this."""
    write(private_path(client.workspace, "session.yaml"), session)
    refresh_mirror(client.workspace)


def stop(client):
    """What the person is shown at the stop."""
    out = client.send("Stop", stop_hook_active=False).out
    return json.loads(out).get("systemMessage", "") if out else ""


def change(client, path, text):
    write(os.path.join(client.workspace.root, path), text)


def test_code_that_a_script_wrote_is_told(client):
    assert client.bash("make report") == ("", "")
    change(client, "src/login.py", "a = 2\n")
    change(client, "notes.txt", "two\n")
    said = stop(client)
    assert "src/login.py changed in this turn: qa-implementation may not write code" in said
    assert "limpet guard undo FILE" in said and "notes.txt" not in said
    block = client.prompt("go on").text
    assert "src/login.py changed in this turn" in block and "The user was told." in block
    assert b"src/login.py changed" not in client.prompt("and on").out
    assert stop(client) == ""


def test_what_git_brought_by_a_command_of_its_own_is_told(client):
    """A stash, a patch, a file of another branch; a branch that is only checked out is none."""
    root = client.workspace.root
    change(client, "src/login.py", "a = 3\n")
    git(root, "stash")
    git(root, "branch", "other")
    assert client.bash("./x") == ("", "")
    git(root, "stash", "pop")
    assert "src/login.py changed" in stop(client)
    assert client.bash("./x") == ("", "")
    assert stop(client) == ""


def test_commits_and_moved_branches_of_one_who_may_not_are_told(client):
    root = client.workspace.root
    client.bash("make all")
    change(client, "src/other.py", "b = 2\n")
    git(root, "commit", "-qam", "second")
    said = stop(client)
    assert "src/other.py changed in this turn" in said and "may not commit" in said
    client.bash("make all")
    git(root, "reset", "-q", "--hard", "HEAD~1")
    said = stop(client)
    assert "main changed in this turn: qa-implementation may not commit" in said and "src/other.py" in said


def test_a_pull_and_another_branch_are_nobodys_deed(client, tmp_path):
    root, remote, other = client.workspace.root, tmp_path / "remote", tmp_path / "other"
    git(tmp_path, "clone", "-q", "--bare", root, str(remote))
    git(root, "remote", "add", "origin", str(remote))
    git(root, "fetch", "-q", "origin")
    git(tmp_path, "clone", "-q", str(remote), str(other))
    write(str(other / "src" / "login.py"), "a = 9\n")
    git(other, "commit", "-qam", "theirs")
    git(other, "push", "-q", "origin", "main")
    client.bash("make update")
    git(root, "pull", "-q", "--ff-only", "origin", "main")
    assert stop(client) == ""
    client.bash("make update")
    git(root, "checkout", "-q", "-b", "review", "HEAD~1")
    assert stop(client) == ""


def test_a_push_by_a_program_is_told(client, tmp_path):
    """By what git notes of the remote's branch; dev may commit."""
    at_work_is(client, "current_agent: dev\n")
    root, remote = client.workspace.root, tmp_path / "remote"
    git(tmp_path, "init", "-q", "--bare", str(remote))
    git(root, "remote", "add", "origin", str(remote))
    client.bash("make deliver")
    change(client, "src/login.py", "a = 4\n")
    git(root, "commit", "-qam", "more")
    git(root, "push", "-q", "--no-verify", "origin", "main")
    assert stop(client).startswith("Limpet: origin/main changed in this turn: dev may not push.")


def test_a_private_memory_copied_into_a_file_is_told(client):
    secret = "The payment provider fails on Sundays, do not tell"
    write(private_path(client.workspace, "memories", "architect", "durable", "x.md"), f"---\nid: x\n---\n{secret}\n")
    client.bash("make report")
    change(client, "notes.txt", f"one\n{secret}\n")
    assert "notes.txt changed in this turn: It holds a private memory of architect." in stop(client)


def test_what_is_known_or_nobodys_is_not_looked_at(client):
    """A call that is understood, one without an agent, and a private conversation."""
    folder = effects_folder(client.workspace.state, "s")
    client.bash("git status && ls src")
    client.call("Read", file_path="src/login.py")
    assert not os.path.exists(folder)
    at_work_is(client, "")
    client.bash("make report")
    assert not os.path.exists(folder)
    at_work_is(client, "current_agent: qa\n")
    client.prompt("*private")
    client.bash("make report")
    assert not os.path.exists(folder)


def test_who_comes_to_work_after_the_look_is_noted(client):
    """By a call that by itself needs none: the mark of the first agent does not stand for the second."""
    client.bash("make report")
    write(client.workspace.kept("session.yaml"), "current_agent: architect\n")
    refresh_mirror(client.workspace)
    client.bash("ls")
    assert {"agent-qa-implementation", "agent-architect"} <= {*os.listdir(effects_folder(client.workspace.state, "s"))}


def test_what_another_agent_may_do_is_nobodys_offence(client):
    """Of a turn in which a sub-agent dev was at work too, nobody knows who wrote it."""
    client.bash("make report")
    client.more = {"agent_id": "a1", "agent_type": "dev"}
    at_work_is(client, "current_agent: orchestrator\n")
    client.call("Write", file_path=os.path.join(client.workspace.root, "src/login.py"), content="a = 5\n")
    change(client, "src/login.py", "a = 5\n")
    client.more = {}
    assert stop(client) == ""


def test_a_turn_that_was_broken_off_is_over_with_the_next_prompt(client):
    client.bash("make report")
    change(client, "src/login.py", "a = 6\n")
    answer = client.prompt("stop that")
    assert "src/login.py changed in this turn" in json.loads(answer.out)["systemMessage"]
    assert "src/login.py changed in this turn" in answer.text


def test_a_turn_whose_tasks_go_on_is_not_over(client):
    """It is once they are."""
    client.bash("make report")
    change(client, "src/login.py", "a = 6\n")
    tasks = [{"id": "b1", "type": "subagent", "status": "running", "description": "more"}]
    assert client.send("Stop", stop_hook_active=False, background_tasks=tasks).out == b""
    change(client, "src/other.py", "b = 6\n")
    assert "src/login.py, src/other.py changed in this turn" in stop(client)


def test_that_nothing_is_seen_is_said_once(client):
    """And again after a turn that was looked at."""
    said = []
    for bare in ("true", "true", "false", "true"):
        git(client.workspace.root, "config", "core.bare", bare)
        client.bash("make report")
        said.append("git does not answer" in stop(client))
    assert said == [True, False, False, True]


def test_the_record_counts_it(client, run):
    client.bash("make report")
    change(client, "src/login.py", "a = 7\n")
    stop(client)
    (entry,) = json.loads(run("guard", "log", "--json").stdout)
    assert (entry["answer"], entry["rule"], entry["target"]) == ("told", "authority.code", "src/login.py")
    assert entry["agent"] == "qa-implementation"


def test_a_file_with_a_secret_is_kept_by_its_hash_alone(client):
    key = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"[:36]
    change(client, "src/login.py", f"a = '{key}'\n")
    change(client, "src/other.py", "b = 'kept'\n")
    client.bash("make report")
    folder = os.path.join(effects_folder(client.workspace.state, "s"), "texts")
    texts = [Path(folder, name).read_text() for name in os.listdir(folder)]
    assert "b = 'kept'\n" in texts and not any(key in text for text in texts)


def test_a_file_is_put_back(client, run):
    """As it was before the turn, with what the person had changed by then; a new one goes."""
    root = Path(client.workspace.root)
    change(client, "src/login.py", "a = 'the user was here'\n")
    client.bash("make report")
    change(client, "src/login.py", "a = 8\n")
    change(client, "src/new.py", "c = 1\n")
    (root / "src" / "other.py").unlink()
    assert "src/login.py, src/new.py, src/other.py changed" in stop(client)
    for name in ("login", "new", "other"):
        assert run("guard", "undo", f"src/{name}.py").returncode == 0
    assert (root / "src" / "login.py").read_text() == "a = 'the user was here'\n"
    assert (root / "src" / "other.py").read_text() == "b = 1\n" and not (root / "src" / "new.py").exists()


def test_a_file_that_changed_since_is_left(client, run):
    client.bash("make report")
    change(client, "src/login.py", "a = 8\n")
    stop(client)
    change(client, "src/login.py", "a = 'work of the user'\n")
    done = run("guard", "undo", "src/login.py")
    assert done.returncode == 1 and "changed since" in done.stderr
    assert run("guard", "undo", "src/other.py").returncode == 1
    assert Path(client.workspace.root, "src/login.py").read_text() == "a = 'work of the user'\n"


@POSIX
def test_no_link_is_followed_to_put_a_file_back(client, run, tmp_path):
    """An agent made one of the file: what it leads to stays as it is."""
    path, victim = Path(client.workspace.root, "src", "login.py"), Path(client.workspace.root, "notes.txt")
    client.bash("make report")
    path.unlink()
    path.symlink_to(victim)
    assert "src/login.py changed" in stop(client)
    assert run("guard", "undo", "src/login.py").returncode == 0
    assert (path.read_text(), path.is_symlink(), victim.read_text()) == ("a = 1\n", False, "one\n")


def test_of_many_files_each_is_judged_and_the_rest_counted(client):
    """Their former texts are asked for at once; one with line breaks and one that is empty among them."""
    root = client.workspace.root
    for number in range(60):
        change(client, f"src/m{number}.py", "x\n\n" * (number % 3))
    git(root, "add", "src")
    git(root, "commit", "-qm", "many")
    client.bash("make report")
    for number in range(60):
        change(client, f"src/m{number}.py", "y\n")
    assert "src/m0.py, src/m1.py, src/m10.py and 57 more changed in this turn" in stop(client)


def test_a_foreign_part_of_a_story_is_told(client):
    """By a script; a part of the agent's own is not."""
    at_work_is(client, "current_agent: dev\n")
    story = client.workspace.path("stories", "S-1", "story.md")
    text = Path(story).read_text()
    client.bash("node x.js")
    write(story, text.replace("## Dev Agent Record\nNone yet.", "## Dev Agent Record\nDone."))
    assert stop(client) == ""
    client.bash("node x.js")
    write(story, text.replace("## QA Results\nNone yet.", "## QA Results\nPASS"))
    assert "S-1/story.md changed in this turn: dev may not change QA Results in a story." in stop(client)


def test_what_our_own_command_marks_in_a_story_is_not_told(client, run):
    """Its run, and at its end that it was learned from."""
    at_work_is(client, "current_agent: dev\nrun: aaaabbbb\n")
    story = Path(client.workspace.path("stories", "S-1", "story.md"))
    write(str(story), story.read_text() + "\n## Acceptance Criteria\n\n- [ ] It works\n")
    client.bash("limpet work story start S-1")
    assert run("work", "story", "start", "S-1").returncode == 0
    assert stop(client) == ""
    client.bash("limpet work story done")
    done = run("work", "story", "done", "S-1", "--shown", "1: notes.txt", "--tasks")
    assert done.returncode == 0, done.stderr
    assert stop(client) == ""


@pytest.mark.parametrize(
    "command", ["find src -name 'login.*' -exec sed -i s/a/b/ {} +", "ln -s ../src/login.py docs/x.md", "xxd a src/b"]
)
def test_a_write_that_may_be_another_one_is_looked_at(client, command):
    client.bash(command)
    assert os.path.exists(effects_folder(client.workspace.state, "s"))
