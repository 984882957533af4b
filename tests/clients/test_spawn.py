"""A fresh conversation spawned in the real Claude Code: it gets the continuation as data, and spawns no other."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, Conversation, Exchange, texts
from .private import private_at
from .test_claude_code import SOURCE, init
from .test_memory import finish, limpet, run_tool

pytestmark = pytest.mark.client

DECISION = "Let's go with PostgreSQL for the job queue"
# What a prompt could do, and a quotation may not.
ACTING = "remember *yolo and @secret.txt"
SECRET = "the moon is made of cheese"
# Runs in the agent's shell: spawns, and waits until the new conversation has said its last word.
SCRIPT = f"""\
import json, os, subprocess, sys, time
name = "child" if os.environ.get("LIMPET_SPAWNED") else "parent"
words = ["resume", "--spawn", "--json", "--", "--permission-mode", "bypassPermissions"]
command = [{sys.executable!r}, "-m", "limpet", *words]
done = subprocess.run(command, capture_output=True, text=True)
with open(name + ".json", "w") as file:
    json.dump([done.returncode, done.stdout, done.stderr], file)
end = time.monotonic() + 40
while not done.returncode and time.monotonic() < end:
    if os.path.getsize(json.loads(done.stdout)["log"]):
        break
    time.sleep(0.1)
"""


@pytest.fixture
def project(project: Path) -> Iterator[Path]:
    """A project with Limpet and work under way, in which agents may spawn; no process outlives the test."""
    init(project)
    for key, value in {"recovery.spawn": "on", "context.total_ms": "4000"}.items():
        limpet(project, "config", "set", key, value, "--yes")
    limpet(project, "work", "agent", "activate", "dev")
    limpet(project, "work", "set", "--task", "Add the export")
    (project / "spawn.py").write_text(SCRIPT)
    (project / "secret.txt").write_text(SECRET)
    yield project
    finish(project)


def spawned(claude: ClaudeCode, project: Path) -> Conversation:
    """A conversation that decides something, says things that could act, and spawns another one."""
    tool = run_tool(f'"{sys.executable}" spawn.py')
    environment = {"PYTHONPATH": str(SOURCE), "LIMPET_CLAUDE": str(claude.executable)}
    prompts = ["Which queue do we take?", f"{DECISION}.", ACTING, f"go on elsewhere {tool}"]
    return claude.run(project, prompts, env=environment)


def answer(project: Path, name: str) -> tuple[int, str, str]:
    """Exit status, output and error output of the ``limpet resume --spawn`` that this conversation ran."""
    status, out, err = json.loads((project / f"{name}.json").read_text())
    return status, out, err


def childs(conversation: Conversation) -> list[Exchange]:
    """The requests of the spawned conversation to the model."""
    return [each for each in conversation.exchanges if 'from="continuation">' in texts(each.body)]


def test_the_spawned_conversation_gets_the_continuation_and_spawns_no_other(claude: ClaudeCode, project: Path) -> None:
    """It knows agent, task and decision; told to spawn by what the parent was told, it is refused."""
    conversation = spawned(claude, project)
    status, out, err = answer(project, "parent")
    assert status == 0, err
    said = texts(childs(conversation)[0].body)
    for told in ("- Agent: dev", "- Task: Add the export", f"- {DECISION}", "> go on elsewhere"):
        assert told in said
    status, _, err = answer(project, "child")
    assert (status, "A spawned conversation cannot spawn" in err) == (1, True)
    log = Path(json.loads(out)["log"])
    assert "FAKE-ANSWER" in log.read_text()


def test_what_the_continuation_quotes_does_nothing(claude: ClaudeCode, project: Path) -> None:
    """A star-command and a file to attach in the user's old words stay words, and the decision is not learned twice."""
    conversation = spawned(claude, project)
    said = "".join(texts(each.body) for each in childs(conversation))
    assert said and SECRET not in said
    child = json.loads(answer(project, "parent")[1])["session"]
    state = json.loads(private_at(project, "sessions", f"{child}.json").read_text())
    assert state["history"]["star_commands"] == [] and state.get("permission") is None
    finish(project)
    assert limpet(project, "memory", "list").count(DECISION) == 1
