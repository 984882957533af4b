"""The guard in the real Claude Code and the real Copilot CLI: what an agent may not do does not happen, and the model
is told why."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from limpet.ground.workspace import workspace_at

from .claude_code import ClaudeCode, Conversation, texts, write_settings
from .clients import Copilot
from .directives import Json
from .test_claude_code import SOURCE, init
from .test_memory import blocks, entries, finish, limpet

pytestmark = pytest.mark.client

NO_PUSH = "dev may not push. Hand it to @devops"
PUSHES = ["git push", "true && git push -u origin main", "echo $(git push 2>&1)"]
WORKFLOW = """\
steps:
  - {agent: dev, state: build, mode: build, criteria: [It works]}
  - {agent: devops, state: deploy, mode: deploy}
"""
SUBAGENT = "---\nname: {name}\ndescription: Works\n---\nDo what you are told.\n"
STORY = """---
id: S-1
title: Login
agent: dev
files:
  - src/login.py
---
# Login

## Tasks
- [ ] Write it

## Dev Agent Record
None yet.

## QA Results
None yet.
"""


@pytest.fixture
def copilot(tmp_path: Path) -> Copilot:
    """The installed Copilot CLI with a home folder of its own."""
    return Copilot(tmp_path / "copilot")


@pytest.fixture
def project(project: Path) -> Path:
    """A repository with Limpet, something to push, and a bare repository to push it to; a story is in force."""
    origin = project.parent / "origin.git"
    git(project.parent, "init", "-q", "--bare", "-b", "main", str(origin))
    git(project, "init", "-q", "-b", "main")
    (project / "src").mkdir()
    for name in ("login.py", "other.py"):
        (project / "src" / name).write_text("a = 1\n")
    git(project, "add", "src")
    git(project, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "first")
    git(project, "remote", "add", "origin", str(origin))
    git(project, "config", "push.autoSetupRemote", "true")
    init(project)
    story = project / ".limpet" / "stories" / "S-1" / "story.md"
    story.parent.mkdir(parents=True)
    story.write_text(STORY)
    limpet(project, "work", "set", "--task", "S-1")
    limpet(project, "work", "agent", "activate", "dev")
    return project


def git(folder: Path, *words: str) -> str:
    """What git prints."""
    return subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def pushed(project: Path) -> bool:
    """Whether anything arrived in the other repository."""
    return bool(git(project.parent / "origin.git", "for-each-ref"))


def tool(name: str, **given: object) -> str:
    """The directive at which the model calls a tool."""
    return f"[[tool:{name} {json.dumps(given)}]]"


def shell(command: str) -> str:
    """The directive at which the model runs a command."""
    return tool("Bash", command=command, description="work")


def results(requests: list[Json]) -> list[tuple[bool, str]]:
    """(whether it failed, text) of each tool's result in the last request."""
    contents = [message["content"] for message in requests[-1]["messages"] if message["role"] == "user"]
    found = [each for content in contents if isinstance(content, list) for each in content]
    return [
        (bool(each.get("is_error")), json.dumps(each["content"])) for each in found if each["type"] == "tool_result"
    ]


def prefix_is_kept(conversation: Conversation) -> bool:
    """Whether each request of the conversation begins with the messages of the one before."""
    told = [[_plain(message) for message in request["messages"]] for request in conversation.requests]
    return all(later[: len(earlier)] == earlier for earlier, later in pairwise(told))


def _plain(message: Json) -> Json:
    """The message without the marks of the cache, which move on."""
    content = message["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return {**message, "content": [{key: part[key] for key in part if key != "cache_control"} for part in parts]}


def test_dev_may_not_push_however_it_is_written(claude: ClaudeCode, project: Path) -> None:
    """Plain, chained and in a substitution; the model reads whom to hand it to, and nothing else is added to the
    conversation."""
    calls = " ".join(map(shell, [*PUSHES, "git status --short"]))
    conversation = claude.run(project, [f"go {calls}"])
    *refused, allowed = results(conversation.requests)
    assert [(failed, NO_PUSH in text) for failed, text in refused] == [(True, True)] * len(PUSHES)
    assert not allowed[0] and not pushed(project)
    assert [len(blocks(request)) for request in conversation.requests] == [len(blocks(conversation.requests[0]))] * 5
    assert prefix_is_kept(conversation)
    hooks = conversation.hooks("PreToolUse")
    assert [(hook["exit_code"], hook["stderr"]) for hook in hooks] == [(0, "")] * 4
    assert [bool(hook["stdout"]) for hook in hooks] == [True] * 3 + [False]
    log = json.loads(limpet(project, "guard", "log", "--json"))
    assert [one["rule"] for one in log] == ["authority.push"] * 3


def test_what_was_denied_is_no_memory(claude: ClaudeCode, project: Path) -> None:
    """S22: the guard's no, four times in two conversations, and what the client itself refuses. The next conversation
    hears of a build that failed as often, and of nothing that was refused."""
    (project / "build.sh").write_text("echo 'error: cannot find the module left-pad' >&2\nexit 1\n")
    write_settings(project, permissions={"deny": ["Bash(docker:*)"]})
    refused = [shell("git push"), shell("docker push"), shell("limpet trust --yes")]
    for _ in range(2):
        conversation = claude.run(project, [f"go {' '.join([*refused, shell('sh build.sh')] * 2)}", "/compact"])
        finish(project)
    assert [failed for failed, _ in results(conversation.turns[0].requests)] == [True] * 8
    kept = "".join(limpet(project, "memory", "show", each["id"]) for each in entries(project))
    told = "".join(map(blocks, claude.run(project, ["push it", "docker and trust"]).requests))
    for text in (kept, told):
        assert "left-pad" in text
        assert [said for said in ("may not push", "hook error", "been denied", "people only") if said in text] == []


def test_devops_pushes(claude: ClaudeCode, project: Path) -> None:
    """To the other repository, by the same words; the guard's log tells of it."""
    limpet(project, "work", "agent", "activate", "devops")
    conversation = claude.run(project, [f"go {shell(PUSHES[0])}"])
    assert not results(conversation.requests)[0][0] and pushed(project)
    (entry,) = json.loads(limpet(project, "guard", "log", "--json"))
    assert (entry["answer"], entry["agent"]) == ("allow", "devops")


def test_a_push_waits_for_the_gate(claude: ClaudeCode, project: Path) -> None:
    """In a workflow whose step dev has not ended it is denied; then the next step is devops'."""
    shutil.rmtree(project / ".limpet" / "stories")
    limpet(project, "work", "set", "--clear", "task")
    limpet(project, "work", "agent", "deactivate")
    (project / ".limpet" / "workflows").mkdir()
    (project / ".limpet" / "workflows" / "hotfix.yaml").write_text(WORKFLOW)
    limpet(project, "work", "start", "hotfix")
    conversation = claude.run(project, [f"go {shell(PUSHES[0])}"])
    assert NO_PUSH in results(conversation.requests)[0][1] and not pushed(project)
    draft, form = project.parent / "dev.md", limpet(project, "work", "finish")
    told = form.replace("## Summary\n", "## Summary\n\nDone.\n")
    draft.write_text(told.replace("[ ] 1. It works", "[x] 1. It works: src/login.py"))
    (project / "src" / "login.py").write_text("a = 3\n")
    limpet(project, "work", "finish", str(draft), "--yes")
    conversation = claude.run(project, [f"go {shell(PUSHES[0])}"])
    assert not results(conversation.requests)[0][0] and pushed(project)


def test_an_edit_outside_the_story_is_asked_about(claude: ClaudeCode, project: Path) -> None:
    """Without anybody to ask, the host refuses it with the reason; what belongs to the story is edited."""
    edits = [
        tool("Read", file_path=str(project / "src" / name))
        + tool("Edit", file_path=str(project / "src" / name), old_string="a = 1", new_string="a = 2")
        for name in ("other.py", "login.py")
    ]
    conversation = claude.run(project, [f"go {' '.join(edits)}"], arguments=["--permission-mode", "acceptEdits"])
    _, (failed, text), _, (failed_inside, _) = results(conversation.requests)
    assert failed and "src/other.py is not among the files of story S-1" in text
    assert not failed_inside
    texts = [(project / "src" / name).read_text() for name in ("other.py", "login.py")]
    assert texts == ["a = 1\n", "a = 2\n"]


def test_qa_cannot_edit_code_and_edits_its_section(claude: ClaudeCode, project: Path) -> None:
    limpet(project, "work", "agent", "activate", "qa")
    code, story = project / "src" / "login.py", project / ".limpet" / "stories" / "S-1" / "story.md"
    calls = [
        tool("Read", file_path=str(code)),
        tool("Edit", file_path=str(code), old_string="a = 1", new_string="a = 2"),
        shell("sed -i s/1/2/ src/login.py"),
        tool("Read", file_path=str(story)),
        tool("Edit", file_path=str(story), old_string="- [ ] Write it", new_string="- [x] Write it"),
        tool("Edit", file_path=str(story), old_string="## QA Results\nNone yet.", new_string="## QA Results\nPASS"),
    ]
    found = results(claude.run(project, [f"go {' '.join(calls)}"]).requests)
    assert [failed for failed, _ in found] == [False, True, True, False, True, False]
    assert "Hand it to @dev" in found[1][1]
    assert code.read_text() == "a = 1\n"
    assert story.read_text() == STORY.replace("## QA Results\nNone yet.", "## QA Results\nPASS")


def test_a_subagent_may_no_more_than_who_started_it(claude: ClaudeCode, project: Path) -> None:
    """A conversation of dev's hands the push to devops, which may not either (G4), unless the person defined the type;
    one of no known type is dev's hand."""
    agents = project / ".claude" / "agents"
    agents.mkdir()
    (agents / "devops.md").write_text(SUBAGENT.format(name="devops"))
    for kind, own in (("general-purpose", "[]"), ("devops", "[]"), ("devops", "[devops]")):
        limpet(project, "config", "set", "guard.subagents", own, "--yes")
        task = {"description": "push", "prompt": shell("git push"), "run_in_background": False}
        claude.run(project, [f"go {tool('Task', **task, subagent_type=kind)}"])
        assert pushed(project) == (own == "[devops]"), kind


def test_copilot_obeys_the_same_line(copilot: Copilot, project: Path) -> None:
    """It runs Claude Code's hooks and heeds the verdict on a tool call, with nothing more installed; its own names of
    arguments are read."""
    calls = [*map(copilot.shell, PUSHES)]
    edits = [copilot.edit(project / "src" / name, "a = 1", "a = 2") for name in ("other.py", "login.py")]
    copilot.consent(project)
    run = copilot.ask(project, f"go {' '.join([*calls, *edits])}")
    assert (run.returncode, copilot.failed_hooks(run), pushed(project)) == (0, [], False)
    assert [f"Denied by preToolUse hook: {NO_PUSH}" in text for text in run.tools] == [True] * len(PUSHES) + [False] * 2
    assert "src/other.py is not among the files of story S-1" in texts(run.requests[-1])
    assert [(project / "src" / name).read_text() for name in ("other.py", "login.py")] == ["a = 1\n", "a = 2\n"]


def test_devops_pushes_in_copilot(copilot: Copilot, project: Path) -> None:
    limpet(project, "work", "agent", "activate", "devops")
    copilot.consent(project)
    assert copilot.ask(project, f"go {copilot.shell('git push')}").returncode == 0
    assert pushed(project)


def test_what_a_script_did_is_seen_at_the_end_and_told_the_agent(claude: ClaudeCode, project: Path) -> None:
    """No word of the command says that it writes code; the person puts it back."""
    (project / "fix.sh").write_text("echo 'a = 9' > src/login.py\n")
    limpet(project, "work", "agent", "activate", "qa")
    with claude.terminal(project) as terminal:
        terminal.type(f"go {shell('sh fix.sh')}")
        terminal.wait_for("Limpet: src/login.py changed in this turn: qa-implementation may not")
        terminal.type("and now")
        terminal.wait_for("FAKE-ANSWER 3")
    assert (project / "src" / "login.py").read_text() == "a = 9\n"
    limpet(project, "guard", "undo", "src/login.py")
    assert (project / "src" / "login.py").read_text() == "a = 1\n"


def test_a_push_by_a_program_ends_in_gits_hook(claude: ClaudeCode, project: Path) -> None:
    """The client's own variables say whose push it is; a person's passes."""
    (project / "deliver.sh").write_text("git push\n")
    limpet(project, "guard", "install", "pre-push", "--yes")
    conversation = claude.run(project, [f"go {shell('sh deliver.sh')}"])
    ((failed, text),) = results(conversation.requests)
    assert failed and NO_PUSH in text and not pushed(project)
    git(project, "push", "-q")
    assert pushed(project)


def test_the_clients_own_deny_rules_hold_without_a_hook(claude: ClaudeCode, project: Path) -> None:
    """Secrets, private memory and the settings: for its tools, for commands that name the file, and where a prompt
    mentions one; from a folder below too. What is beside them is read, and Limpet's own commands read on."""
    fields = ["--type", "procedural", "--confidence", "0.9", "--agent", "dev", "--private"]
    limpet(project, "memory", "add", "--title", "Deploys are blue", *fields, "--body", "REMEMBERED")
    (known,) = entries(project)
    (memory,) = Path(workspace_at(str(project)).shared, "memories", "dev").rglob("*.md")
    secret, settings = project / ".env", project / ".claude" / "settings.local.json"
    example = project / "src" / ".env.example"
    secret.write_text("A=SECRET\n")
    example.write_text("A=EXAMPLE\n")
    calls = [
        tool("Read", file_path=str(example)),
        shell(f'"{sys.executable}" -m limpet memory show {known["id"]}'),
        tool("Read", file_path=str(secret)),
        tool("Read", file_path=str(memory)),
        shell(f"cat {secret}"),
        shell(f"head -20 {memory}"),
        tool("Write", file_path=str(secret), content="A=1\n"),
        tool("Write", file_path=str(settings.with_name("settings.json")), content="{}"),
        shell(f"echo '{{}}' > {settings}"),
    ]
    for wanted in ("off", "on"):
        for path in settings.parent.glob("settings*.json"):
            path.unlink()
        limpet(project, "guard", "install", "deny-rules", *(["--off"] if wanted == "off" else []), "--yes")
        before = settings.read_bytes() if wanted == "on" else b""
        mentions = claude.run(project / "src", [f"see @{secret} and @{memory}"])
        conversation = claude.run(project / "src", [f"go {' '.join(calls)}"], env={"PYTHONPATH": str(SOURCE)})
        said = json.dumps(mentions.requests)
        assert [word in said for word in ("SECRET", "REMEMBERED")] == [wanted == "off"] * 2
        (_, shown), (failed, remembered), *others = results(conversation.requests)
        assert "EXAMPLE" in shown and "REMEMBERED" in remembered and not failed
        if wanted == "off":
            assert [failed for failed, _ in others[:4]] == [False] * 4
    assert [failed for failed, _ in others] == [True] * 7
    assert settings.read_bytes() == before
    assert conversation.hooks("PreToolUse") == []
