"""Limpet in each of the real clients, told as one scenario for all: a project where `limpet init` was run, and
what the client asks about it answered as a person does. Only what goes over the wire counts, and what is on the disk.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from limpet.ground.own_name import command_path

from .clients import CLIENTS, Client, Run, begins_with
from .conversation import count, texts
from .directives import Json
from .fake_model import read_log
from .process import REQUESTS
from .test_claude_code import SOURCE
from .test_guard import NO_PUSH, git, pushed
from .test_memory import GITHUB_KEY, blocks, finish, short
from .test_seen import files_with, kept_with

pytestmark = pytest.mark.client

BLOCK, CONSTITUTION = "<limpet-context", "<constitution>"
REFUND = "Amounts are integers of the smallest unit."
TOLD, QUESTION = "The staging database is reset every night", "When is the staging database reset?"
CORRECTION = "No, that's wrong: use pnpm, not npm, in this repository"
PRIVATE = ["Remember: always deploy from the zanzibar branch", "No, that's wrong: use zanzibar, not main, to deploy."]
ASKED = "is not among the files of story S-1"
CHANGED = "src/login.py, src/moved.py, src/other.py changed in this turn: qa-implementation may not write code"
RULES = ["destructive.all", "destructive.all", "private.memory", "secret.write"]
STORY = ["work", "story", "add", "S-1", "Add the export", "--agent", "dev", "--criterion", "A CSV file is downloaded"]
TASKS = ["--task", "Write the query", "--task", "Build the endpoint", "--file", "src/login.py"]
# What a team keeps in the folders of its clients before anybody runs `init`, spaced as no program spaces it.
FOREIGN = {
    ".claude/settings.json": '{\n\t"permissions": {"deny": ["WebFetch"] }}',
    ".claude/settings.local.json": '{ "env" : {"OWN": "1"} }\n\n',
    ".codex/hooks.json": '{"description": "a",\n "hooks": {"Stop": [ {"hooks": [{"type":"command", "command":":"}]}]}}',
    ".codex/config.toml": "# ours\nmodel_reasoning_effort   = 'low'\n\n[tools]\nview_image = true # yes\n",
    ".gemini/settings.json": '{\n   "ui": {"theme" : "ANSI"},\n   "hooks": {"AfterAgent": []} }',
    ".github/hooks/team.json": '{"version": 1, "hooks": {"sessionEnd": [ {"type": "command", "bash": "true"} ]}}',
    ".github/copilot/settings.json": '{ "model": "claude-sonnet-4.5" }',
    ".github/copilot/settings.local.json": '{\n"theme":"dark"}',
    "AGENTS.md": "# Ours\n\nBe brief.",
}


@pytest.fixture(params=CLIENTS)
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Client:
    """An installed client with a home folder of its own."""
    return installed(request.param, tmp_path)


@pytest.fixture(params=[host for host in CLIENTS if host != "claude-code"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Client:
    """An installed client that is not Claude Code."""
    return installed(request.param, tmp_path)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """A repository, something to push, and a bare repository to push it to; no process of ours outlives the test."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    for name in ("login.py", "other.py"):
        (folder / "src" / name).write_text("a = 1\n")
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(tmp_path / "origin.git"))
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "src")
    git(folder, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first")
    git(folder, "remote", "add", "origin", str(tmp_path / "origin.git"))
    git(folder, "config", "push.autoSetupRemote", "true")
    yield folder
    finish(folder)


def installed(host: str, folder: Path) -> Client:
    """The client, with the home folder of the test's one user; the test is skipped where it is not installed."""
    client = CLIENTS[host](folder / "user")
    assert client.executable
    return client


def set_up(project: Path, *clients: Client, words: Sequence[str] = ()) -> None:
    """What a person does: `init` for these clients, and consent in each. And time enough for a slow machine."""
    hosts = [word for client in clients for word in ("--host", client.host)]
    limpet(clients[0], project, "init", *hosts, *words, "--yes")
    for key in ("context.allowances_ms.memory", "context.total_ms", "hosts.refresh_deadline_ms"):
        limpet(clients[0], project, "config", "set", key, "4000", "--yes")
    for client in clients:
        client.consent(project)


def limpet(client: Client, project: Path, *words: str, stdin: str = "") -> str:
    """What the command prints for the client's user, outside of any coding agent."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CLAUDE", "CODEX", "COPILOT"))}
    environment = {**kept, "HOME": str(client.home), "USERPROFILE": str(client.home), "PYTHONPATH": str(SOURCE)}
    client.home.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "limpet", *words]
    done = subprocess.run(command, cwd=project, env=environment, input=stdin, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def converse(client: Client, project: Path, prompts: Sequence[str], words: Sequence[str] = ()) -> list[Run]:
    """One conversation, each prompt after the answer to the one before; no run fails or speaks of us."""
    runs: list[Run] = []
    for prompt in prompts:
        runs.append(client.ask(project, prompt, conversation=runs[-1].conversation if runs else None, words=words))
        assert runs[-1].returncode == 0, runs[-1].stderr
        assert "limpet" not in unsaid(client, runs[-1].stderr).lower()
    return runs


def unsaid(client: Client, stderr: str) -> str:
    """What a client printed beside what it is to show the person: without a terminal Gemini CLI prints that there."""
    if client.host == "codex-cli":  # it tells which call was denied
        return re.sub(r"^.*(Command|Tool call) blocked by PreToolUse hook: .*", "", stderr, flags=re.M | re.S)
    if client.host != "gemini-cli":
        return stderr
    told = re.sub(r"^Hook system message: .*(\n(Limpet|Remembered).*)*", "", stderr, flags=re.MULTILINE)
    asked = re.sub(r"^WARNING: The following project-level hooks.*?remove them\.$", "", told, flags=re.M | re.S)
    return re.sub(r"^Error executing tool \w+: Tool execution blocked: .*", "", asked, flags=re.MULTILINE)


def sent(runs: Sequence[Run]) -> list[Json]:
    """All that the main model was sent, oldest first."""
    return [request for run in runs for request in run.requests]


def files(folder: Path) -> dict[str, bytes]:
    """Path -> bytes of all files of a project, and of what git keeps but its objects and logs."""
    found = {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}
    ours = re.compile(r"\.git/(?!info/|hooks/|config$)")
    return {name: path.read_bytes() for name, path in sorted(found.items()) if not ours.match(name)}


def test_the_block_comes_once_and_a_conversation_only_grows(client: Client, project: Path) -> None:
    """Rules and all in the first request, each later one begins with the one before; a rule comes with its word."""
    set_up(project, client)
    limpet(client, project, "rules", "add", "payments", "--recall", "invoice, refund", "--rule", REFUND)
    prompts = ["hello", f"look {client.shell('echo seen')}", "what does a refund cost?", "and the invoice?"]
    runs = converse(client, project, prompts)
    requests = sent(runs)
    assert count(requests[0], BLOCK) == 1
    assert [count(each, CONSTITUTION) for each in requests] == [1] * 5
    assert [count(run.requests[0], REFUND) for run in runs] == [0, 0, 1, 1]
    assert "seen" in runs[1].tools[0]
    kept = [begins_with(later, earlier) for earlier, later in pairwise(requests)]
    # Gemini CLI may send a tool's result twice whenever it goes on with a conversation, hooks or none.
    assert all(kept[:2] if client.host == "gemini-cli" else kept)


def test_what_is_remembered_comes_in_a_new_conversation(client: Client, project: Path) -> None:
    """With the prompt that needs it, once, and by `*recall`."""
    set_up(project, client)
    converse(client, project, [f"*remember {TOLD}"])
    (known,) = json.loads(limpet(client, project, "memory", "list", "--json"))
    assert (known["title"], known["source"]) == (TOLD, "person")
    runs = converse(client, project, ["hello", QUESTION, "*recall staging database"])
    assert [blocks(run.requests[0]).count(TOLD) for run in runs][1] == 1
    assert short(known["id"])[:4] in blocks(runs[2].requests[0])


def test_the_command_that_the_agent_is_told_runs_in_its_shell(client: Client, project: Path) -> None:
    """Nothing of ours is on PATH, as after an installation into an environment that is not active. Copilot CLI asks the
    person about programs outside of the project as about files there."""
    set_up(project, client)
    runs = converse(client, project, ["hello"])
    told = re.search(r"What you found out: (\S+/bin/limpet) memory write", blocks(runs[0].requests[0]))
    assert told
    line = f'{told[1]} memory write "decision: The ledger keeps cents"'
    words = ["--allow-all-paths"] if client.host == "copilot-cli" else []
    runs += converse(client, project, [f"go {client.shell(line)}"], words=words)
    assert "written" in runs[1].tools[0]
    known = json.loads(limpet(client, project, "memory", "list", "--json"))
    assert "The ledger keeps cents" in [each["title"] for each in known]


def test_the_bare_name_is_told_where_the_clients_shell_finds_it(
    client: Client, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the second conversation on, when its shells were asked; whatever is told runs in them."""
    set_up(project, client)
    (project.parent / "bin").mkdir()
    (project.parent / "bin" / "limpet").symlink_to(command_path())
    monkeypatch.setenv("PATH", os.pathsep.join((str(project.parent / "bin"), os.environ["PATH"])))
    words = ["--allow-all-paths"] if client.host == "copilot-cli" else []
    converse(client, project, ["hello"])
    finish(project)
    runs = converse(client, project, ["hello", f"go {client.shell('limpet --version')}"], words=words)
    told = re.search(r"What you found out: (\S*limpet) memory write", blocks(runs[0].requests[0]))
    assert told
    assert told[1] != "limpet" or "limpet, version" in runs[1].tools[0]
    if client.host in ("copilot-cli", "gemini-cli"):  # the others' shells may read start files that make PATH anew
        assert told[1] == "limpet"


def test_a_private_conversation_leaves_nothing(client: Client, project: Path) -> None:
    """No block once it is private, and none of its words in a file of ours, also when it is compacted and over."""
    set_up(project, client)
    runs = converse(client, project, ["*private", *PRIVATE])
    later = client.compact(project, runs[0].conversation)
    runs += [later, *converse(client, project, ["hello"])]
    finish(project)
    fed = [blocks(each).count(BLOCK) for each in sent(runs[1:3])]
    assert fed == [fed[0]] * 2
    assert [CONSTITUTION in blocks(each) for each in later.requests] == [False] * len(later.requests)
    assert kept_with(project, "zanzibar") == []
    assert json.loads(limpet(client, project, "memory", "list", "--json")) == []


def work_on_story(client: Client, project: Path) -> None:
    """Agent dev is in force, at work on a story."""
    limpet(client, project, *STORY, *TASKS)
    limpet(client, project, "work", "set", "--task", "S-1")
    limpet(client, project, "work", "agent", "activate", "dev")


def test_a_denied_command_does_not_happen(client: Client, project: Path) -> None:
    """dev may not push, however it is written; the model reads whom to hand it to. devops may."""
    set_up(project, client)
    work_on_story(client, project)
    commands = ["git push", "true && git push -u origin main", "git status --short"]
    (run,) = converse(client, project, [f"go {''.join(map(client.shell, commands))}"])
    assert [NO_PUSH in text for text in run.tools] == [True, True, False]
    assert not pushed(project)
    log = json.loads(limpet(client, project, "guard", "log", "--json"))
    assert [one["rule"] for one in log] == ["authority.push"] * 2
    limpet(client, project, "work", "agent", "activate", "devops")
    converse(client, project, [f"go {client.shell('git push')}"])
    assert pushed(project)


def test_what_asks_a_person_does_not_happen_without_one(client: Client, project: Path) -> None:
    """An edit outside of the story, where nobody sits to be asked; one inside of it is made."""
    set_up(project, client)
    work_on_story(client, project)
    outside, inside = project / "src" / "other.py", project / "src" / "login.py"
    edits = client.edit(outside, "a = 1", "a = 2") + client.edit(inside, "a = 1", "a = 2")
    (run,) = converse(client, project, [f"go {edits}"])
    assert sum(ASKED in text for text in run.tools) == 1
    assert [path.read_text() for path in (outside, inside)] == ["a = 1\n", "a = 2\n"]


@pytest.mark.parametrize("host", ["claude-code", "codex-cli"])
def test_what_nobody_wants_unasked_does_not_happen_without_an_agent(
    host: str, project: Path, tmp_path: Path, user_folders: Path
) -> None:
    """No agent, mode or story is in force, and nobody can be asked: a project that goes by its folder's own name, its
    history, a key in parts, and a search that reads all text around private memories."""
    client = installed(host, tmp_path)
    set_up(project, client)
    commands = ['rm -rf "$PWD"', "cd src && rm -rf ../.git", f"grep -r zanzibar {user_folders}", "rm -r build"]
    (project / "build").mkdir()
    login = project / "src" / "login.py"
    key = client.edit(login, "a = 1", f'a = "{GITHUB_KEY[:12]}" + "{GITHUB_KEY[12:]}"')
    (run,) = converse(client, project, [f"go {''.join(map(client.shell, commands))}{key}"])
    log = json.loads(limpet(client, project, "guard", "log", "--json"))
    assert [(project / name).exists() for name in (".git", "src", "build")] == [True, True, False], run.tools
    assert login.read_text() == "a = 1\n"
    assert [one["rule"] for one in log] == RULES


@pytest.mark.parametrize("host", ["claude-code", "codex-cli"])
def test_what_a_script_did_to_files_is_told_the_agent(host: str, project: Path, tmp_path: Path) -> None:
    """A move, a mode and a file that git hides, by a role that may not write code; `guard undo` takes them back. A tag
    is a release: it is denied before."""
    client = installed(host, tmp_path)
    set_up(project, client)
    (project / ".git" / "info" / "exclude").write_text("/fix.sh\n")
    (project / "fix.sh").write_text("mv src/login.py src/moved.py\nchmod +x src/other.py\n")
    limpet(client, project, "work", "agent", "activate", "qa")
    runs = converse(client, project, [f"go {client.shell('sh fix.sh')}{client.shell('git tag v1')}", "and now"])
    assert "may not" in runs[0].tools[1] and not git(project, "tag")
    assert CHANGED in blocks(runs[1].requests[0])
    for name in ("src/login.py", "src/other.py"):
        limpet(client, project, "guard", "undo", name)
    assert (project / "src" / "login.py").exists() and not os.access(project / "src" / "other.py", os.X_OK)


def test_a_compaction_is_survived(client: Client, project: Path) -> None:
    """The block is back, once, and tells the work that is open."""
    set_up(project, client)
    work_on_story(client, project)
    runs = converse(client, project, ["begin", "go on"])
    compacted = client.compact(project, runs[0].conversation)
    assert "summary" in {each.kind for each in compacted.side}
    last = client.ask(project, "and on", conversation=runs[0].conversation)
    # Gemini CLI compacts behind the prompt's hook: there the next prompt is the first that can bring the block.
    for request in last.requests if client.host == "gemini-cli" else [*compacted.requests, *last.requests]:
        assert count(request, CONSTITUTION) == 1
        assert "Add the export" in blocks(request) and '<agent name="dev"' in blocks(request)
    if client.host != "gemini-cli":  # it tells of none beforehand, when the state of the work would be kept
        assert "<continuation" in blocks(last.requests[-1])


def test_what_was_said_is_kept_and_waits_for_a_look(client: Client, project: Path) -> None:
    """A correction is heard when its turn is over, or the conversation is compacted, ends, or the next begins."""
    set_up(project, client)
    runs = converse(client, project, ["hello", f"{CORRECTION}."])
    client.compact(project, runs[0].conversation)
    converse(client, project, ["hello"])
    finish(project)
    waiting = json.loads(limpet(client, project, "review", "--json"))["memories"]
    assert [(each["title"], each["tags"]) for each in waiting] == [(CORRECTION, ["unreviewed"])]


@pytest.mark.parametrize("first", ["claude-code", "other"])
def test_what_one_client_learned_the_other_knows(other: Client, project: Path, first: str) -> None:
    """Both installed in one project: each prompt brings one block, a memory of one comes in the other, and both
    conversations are listed."""
    claude = installed("claude-code", other.folder.parent)
    set_up(project, claude, other)
    teacher, pupil = (claude, other) if first == "claude-code" else (other, claude)
    taught = converse(teacher, project, ["hello", f"*remember {TOLD}"])
    asked = converse(pupil, project, ["hello", QUESTION])
    for runs in (taught, asked):
        assert [count(request, CONSTITUTION) for request in sent(runs)] == [1, 1]
    assert blocks(asked[1].requests[0]).count(TOLD) == 1
    listed = json.loads(limpet(claude, project, "sessions", "--json"))
    assert {taught[0].conversation, asked[0].conversation} <= {each["id"] for each in listed}


@pytest.mark.parametrize("foreign", [False, True], ids=["empty", "foreign"])
def test_after_uninstalling_every_byte_is_as_before(client: Client, project: Path, foreign: bool) -> None:
    """Also where a team had its own settings there, and the client runs as it did."""
    for name, text in FOREIGN.items() if foreign else ():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text, encoding="utf-8")
    before = files(project)
    set_up(project, client)
    (installed,) = converse(client, project, ["hello"])
    assert count(installed.requests[0], CONSTITUTION) == 1
    finish(project)
    limpet(client, project, "uninstall", "--purge", "--yes")
    assert files(project) == before
    (after,) = converse(client, project, ["hello"])
    assert [count(request, BLOCK) for request in after.requests] == [0]
    assert files(project) == before


def test_no_agent_keeps_words_of_a_private_conversation(client: Client, project: Path) -> None:
    """By the plain command, which the hook refuses, nor hidden in a script, which the command itself refuses: whatever
    the client tells its commands of the conversation."""
    set_up(project, client)
    command = f'PYTHONPATH={SOURCE} {sys.executable} -m limpet memory write "decision: The zanzibar branch is deployed"'
    lines = f"{command} > said.txt 2>&1\nenv -u CLAUDE_CODE_SESSION_ID {command} >> said.txt 2>&1\n"
    (project / "keep.sh").write_text(lines)
    converse(client, project, [f"*private go {client.shell('sh keep.sh')}"])
    said = (project / "said.txt").read_text()
    assert said.count("private") + said.count("paused") >= 2, said
    assert not [path for path in files_with(client.home, "zanzibar") if "limpet" in path]
    assert not kept_with(project, "zanzibar")


@pytest.mark.parametrize(("host", "sign"), [("codex-cli", "$"), ("gemini-cli", "/")])
def test_what_is_typed_to_limpet_is_answered_on_the_screen(host: str, sign: str, project: Path, tmp_path: Path) -> None:
    """Once: the model gets a line, and what is remembered is kept once."""
    client = installed(host, tmp_path)
    set_up(project, client)
    (project / ".gemini" / "commands" / "limpet.toml").unlink(missing_ok=True)  # beside the skill, a conflict
    limpet(client, project, "config", "set", "hosts.command_deadline_ms", "4000", "--yes")
    with client.terminal(project) as terminal:
        terminal.type(f"{sign}limpet remember Never squash commits.")
        terminal.wait_for("Remembered as mem-")
        terminal.wait_for("FAKE-ANSWER 1")
    log = max(client.folder.rglob(REQUESTS), key=os.path.getmtime)
    sent = [texts(each.body) for each in read_log(log) if each.kind == "main"]
    told = [text for text in sent if "Limpet answered that on the user's screen" in text]
    assert told and not any("Remembered as" in text or "Show the user" in text for text in told)
    (kept,) = json.loads(limpet(client, project, "memory", "list", "--json"))
    assert kept["title"] == "Never squash commits."
