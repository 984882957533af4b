"""What may be imported: on the prompt path a short list, and everywhere downwards only."""

import json
import os
import subprocess
import sys

import pytest

import holdfast
from holdfast.operations.mirror import refresh

from .conversation import Conversation, age, write, write_rules
from .memories import Memories, fill

SOURCE = os.path.dirname(os.path.dirname(holdfast.__file__))
ROOT = os.path.dirname(SOURCE)
# ``os`` with what it brings, and small modules in C for locks, JSON and hashes.
OF_OS = {"os", "os.path", "stat", "posixpath", "ntpath", "genericpath", "_collections_abc"}
ALLOWED = OF_OS | {"__future__", "fcntl", "msvcrt", "_json", "_blake2"}
# The database in C looks for ``functools``, which brings the others.
OF_MEMORY = {"math", "_sqlite3", "functools", "collections", "keyword", "operator", "reprlib", "types"}
REPORT = """
import sys
before = set(sys.modules)
sys.path.append(sys.argv[1])
from holdfast import hook
from holdfast.ground.prompt_path import bundle
bundle.may_be_made = lambda: False  # or a start would start a process, where there is none or an old one
def leave(answer):
    sys.stdout.write(answer)
    found = {name for name in set(sys.modules) - before if name not in sys.builtin_module_names}
    sys.stderr.write(' '.join(found))
hook._leave = leave
hook.main(sys.argv[2:])
"""


@pytest.fixture
def project(workspace):
    """A project with rules, settings, session, transcript and a conversation under way, all of it compiled."""
    write_rules(
        workspace,
        "GLOBAL_ALWAYS_ON=true\nCONTEXT_STATE=active\nAPI_RECALL=endpoint, =c++, 測試\n"
        "GLOBAL_EXCLUDE=chat\nAGENT_DEV_STATE=active\n",
        context="FRESH_RULE_0=x\n",
        api="API_RULE_0=b\n",
        agent_dev="DEV_RULE_0=d\n",
        **{"global": "GLOBAL_RULE_0=a\n"},
    )
    write(workspace.path("constitution.md"), "### XVII. Ours (WARN)\n- MUST x.\n")
    write(workspace.path("config.yaml"), "rules: {devmode: true}\n")
    write(workspace.path("session.yaml"), "current_agent: dev\ntask: {id: '1', title: t}\n")
    age(workspace.home)
    refresh(workspace)
    talking = Conversation(workspace)
    talking.use(50_000)
    talking.start()
    talking.prompt("the endpoint *agent dev")
    return talking


def imported(talking, event, **payload):
    """(the modules that one event imports beside the interpreter's own and ours, what it answered)."""
    given = {"session_id": "one", "cwd": talking.workspace.root, "transcript_path": talking.transcript, **payload}
    command = [sys.executable, "-I", "-S", "-c", REPORT, SOURCE, "claude-code", event]
    done = subprocess.run(command, input=json.dumps(given).encode(), capture_output=True, cwd=talking.workspace.root)
    names = done.stderr.decode().split()
    assert "holdfast.engine" in names, done.stderr
    return {name for name in names if name.partition(".")[0] != "holdfast"}, done.stdout


def test_a_prompt_imports_what_is_allowed_and_nothing_else(project):
    """With everything in place: no re, json, typing, pathlib, logging, subprocess, collections, functools or yaml."""
    found, answer = imported(project, "UserPromptSubmit", prompt="the endpoint again", prompt_id="x")
    assert b"holdfast-context" in answer
    assert found <= ALLOWED


def test_a_star_command_imports_no_more(project):
    """Acting on the state needs nothing from outside either."""
    found, answer = imported(project, "UserPromptSubmit", prompt="*holdfast status *agent qa", prompt_id="x")
    assert b"left (transcript)" in answer
    assert found <= ALLOWED


def test_a_prompt_beyond_ascii_needs_unicodedata(project):
    """Accents and scripts are folded by it."""
    found, answer = imported(project, "UserPromptSubmit", prompt="測試 o endpoint, ação", prompt_id="x")
    assert b"in-force" in answer
    assert found <= ALLOWED | {"unicodedata"}


@pytest.mark.parametrize("bracket", ["MODERATE", "DEPLETED"])
def test_a_prompt_that_finds_memories_needs_the_database_in_c_and_math(project, bracket):
    """Neither the module sqlite3, which brings half the standard library, nor anything that reads an entry."""
    memories = Memories(project.workspace)
    memories.add("The endpoint is versioned by date")
    path = fill(project.workspace, bracket)
    project.send("session_start", source="fork", session="two", transcript=path)
    given = {"session_id": "two", "prompt": "How is the endpoint versioned?", "prompt_id": "x", "transcript_path": path}
    found, answer = imported(project, "UserPromptSubmit", **given)
    assert b"versioned by date" in answer and b"<notes>" not in answer
    assert found <= ALLOWED | OF_MEMORY


@pytest.mark.parametrize("event", ["SessionStart", "PostCompact"])
def test_the_other_events_import_what_is_allowed(project, event):
    """They run at moments when the user waits as well; before a compaction a second process has work that takes
    longer."""
    found, _ = imported(project, event, source="resume", trigger="auto")
    assert found <= ALLOWED


def test_floors_hold():
    """Imports go down only, rooms of one floor do not know each other (import-linter's contracts)."""
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command; lint_imports_command()",
        "--no-cache",
    ]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
