"""What may be imported: on the prompt path a short list, and everywhere downwards only."""

import json
import os
import subprocess
import sys

import pytest

import holdfast
from holdfast.ground.prompt_path.modules import (
    BEFORE_THE_BUNDLE,
    MODULES,
    OF_MEMORIES,
    OF_PATTERNS,
    OF_RIGHTS,
    OF_SCRIPTS,
    OF_THE_PARSER,
    OF_TOOLS,
    STANDARD_LIBRARY,
    with_packages,
)
from holdfast.hosts.registry import prompt_path, tool_path
from holdfast.operations.mirror import refresh

from .conversation import Conversation, age, write, write_rules
from .memories import Memories, fill

SOURCE = os.path.dirname(os.path.dirname(holdfast.__file__))
ROOT = os.path.dirname(SOURCE)
DECLARED = {*with_packages((*MODULES, *BEFORE_THE_BUNDLE, *prompt_path()))}
DECLARED_OF_TOOLS = {*with_packages((*OF_TOOLS, *BEFORE_THE_BUNDLE, *tool_path()))}
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
        "GLOBAL_EXCLUDE=chat\nAGENT_DEV_STATE=active\nAPI_PATHS=api/**\n",
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
    """(the modules that one event imports beside the interpreter's own, what it answered)."""
    given = {"session_id": "one", "cwd": talking.workspace.root, "transcript_path": talking.transcript, **payload}
    command = [sys.executable, "-I", "-S", "-c", REPORT, SOURCE, "claude-code", event]
    done = subprocess.run(command, input=json.dumps(given).encode(), capture_output=True, cwd=talking.workspace.root)
    names = set(done.stderr.decode().split())
    assert "holdfast.engine" in names, done.stderr
    return names, done.stdout


def prompt(talking, text, prompt_id="x", **payload):
    """What a prompt imports and is answered."""
    return imported(talking, "UserPromptSubmit", prompt=text, prompt_id=prompt_id, **payload)


def remembering(talking, bracket):
    """The payload of a prompt that finds a memory, in a conversation whose window is so full."""
    memories = Memories(talking.workspace)
    memories.add("The endpoint is versioned by date")
    path = fill(talking.workspace, bracket)
    talking.send("session_start", source="fork", session="two", transcript=path)
    return {"text": "How is the endpoint versioned?", "session_id": "two", "transcript_path": path}


def undeclared(found, *besides):
    """What was imported though it may not be."""
    return sorted(found - DECLARED.union(STANDARD_LIBRARY, *besides))


def test_a_prompt_imports_what_is_declared_and_nothing_else(project):
    """With everything in place: no re, json, typing, pathlib, logging, subprocess, collections, functools or yaml."""
    found, answer = prompt(project, "the endpoint again")
    assert b"holdfast-context" in answer
    assert undeclared(found) == []


def test_a_star_command_imports_no_more(project):
    """Acting on the state needs nothing from outside either."""
    found, answer = prompt(project, "*holdfast session *work mode build")
    assert b"domains switched here" in answer
    assert undeclared(found) == []


def test_a_star_command_that_gives_rights_looks_who_started_the_client(project):
    """Nothing else of the standard library for that."""
    found, answer = prompt(project, "*agent qa")
    assert b"qa" in answer
    assert undeclared(found, OF_RIGHTS) == []


def test_a_prompt_beyond_ascii_needs_unicodedata(project):
    """Accents and scripts are folded by it."""
    found, answer = prompt(project, "測試 o endpoint, ação")
    assert b"in-force" in answer
    assert undeclared(found, OF_SCRIPTS) == []


@pytest.mark.parametrize("bracket", ["MODERATE", "DEPLETED"])
def test_a_prompt_that_finds_memories_needs_the_database_in_c_and_math(project, bracket):
    """Neither the module sqlite3, which brings half the standard library, nor anything that reads an entry."""
    found, answer = prompt(project, **remembering(project, bracket))
    assert b"versioned by date" in answer and b"<notes>" not in answer
    assert undeclared(found, OF_MEMORIES) == []


@pytest.mark.parametrize("event", ["SessionStart", "PostCompact"])
def test_the_other_events_import_what_is_declared(project, event):
    """They run at moments when the user waits as well; before a compaction a second process has work that takes
    longer."""
    found, _ = imported(project, event, source="resume", trigger="auto")
    assert undeclared(found) == []


def test_whatever_is_declared_is_imported_by_one_of_these_events(project):
    """The declaration is what the bundle holds: a module that no event needs would cost each prompt."""
    runs = [
        prompt(project, "*holdfast status *agent qa the endpoint, ação"),
        prompt(project, prompt_id="y", **remembering(project, "DEPLETED")),
        imported(project, "SessionStart", source="resume"),
        imported(project, "PostCompact", trigger="auto"),
    ]
    found = set().union(*(names for names, _ in runs))
    assert sorted(DECLARED - found) == []


def called(talking, tool, **given):
    """What a tool call imports and is answered."""
    return imported(talking, "PreToolUse", tool_name=tool, tool_input=given, tool_use_id="t")


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Read", {"file_path": "a.py"}),
        ("Bash", {"command": "git status --short"}),
        ("Edit", {"file_path": "a.py", "old_string": "a = 1", "new_string": "a = 2"}),
        ("Grep", {"pattern": "x"}),
    ],
)
def test_a_tool_call_imports_what_is_declared_for_it(project, tool, given):
    """No regular expressions, no subprocess, and nothing of rules, memories and blocks but what the engine brings."""
    found, answer = called(project, tool, **given)
    assert answer == b""
    assert undeclared_of_tools(found) == []


def test_a_parsed_command_needs_the_parser_and_what_waits_for_it(project):
    """And no subprocess."""
    found, _ = called(project, "Bash", command="cd src && ls | wc -l")
    assert undeclared_of_tools(found, OF_THE_PARSER) == []


def test_a_text_that_may_hold_a_secret_needs_regular_expressions(project):
    """Any other needs none."""
    plain, _ = called(project, "Write", file_path="a.py", content="def double(number):\n    return 2 * number\n")
    found, _ = called(project, "Write", file_path="a.py", content="def read(token):\n    return token\n")
    assert undeclared_of_tools(plain) == []
    assert undeclared_of_tools(found, OF_PATTERNS) == []


def undeclared_of_tools(found, *besides):
    """What was imported before a tool call though it may not be."""
    return sorted(found - DECLARED_OF_TOOLS.union(STANDARD_LIBRARY, *besides))


# What a text for a shell may hold: each module of ``guard/shell`` is asked about some of it.
COMMANDS = r"""git status; for x in a b; do python3 -c "import os; os.system('ls')" "$x"; done > out.txt
f() { printf 'ls' | sh; }; f; cat <<END | bash
echo ${HOME:-x} | xargs -n1 echo
END
node -e "require('child_process').exec('ls')"; bash -c 'env A=1 ls {a,b} $(date)'; eval "ls"; npm ci; rm -f a.log
"""


def test_whatever_is_declared_for_tool_calls_is_imported_by_one(project):
    """The declaration is what their bundle holds."""
    write(os.path.join(project.workspace.root, "a.py"), "a = 1\n")
    runs = [
        called(project, "Bash", command=COMMANDS),
        called(project, "PowerShell", command="ls; echo x"),
        called(project, "Edit", file_path="a.py", old_string="a = 1", new_string="token = load_token(path)"),
    ]
    found = set().union(*(names for names, _ in runs))
    assert sorted(DECLARED_OF_TOOLS - found) == []


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


LOADED = """
import atexit, sys
from holdfast.__main__ import main
atexit.register(lambda: sys.stderr.write(" ".join(name for name in sys.modules if name.startswith("holdfast."))))
main(*sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("words", "most", "not_there"),
    [
        (("--version",), 40, "cli.status"),
        (("work", "status"), 215, "cli.work.story"),
        (("memory", "list"), 190, "cli.memory.keep"),
        (("guard", "explain"), 65, "cli.guard.mode"),
        (("config", "get"), 105, "operations.mirror"),
        (("status",), 250, "operations.memory.conversations.extraction"),
    ],
)
def test_a_command_loads_what_it_runs(workspace, words, most, not_there):
    """None of its siblings, and so many modules of ours at most."""
    command = [sys.executable, "-c", LOADED, *words]
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run(command, cwd=workspace.root, env=environment, capture_output=True, text=True)
    found = done.stderr.split()
    assert done.returncode == 0 and done.stdout
    assert f"holdfast.{not_there}" not in found
    assert len(found) <= most
