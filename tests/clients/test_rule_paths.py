"""Rules that a file calls, in the real Claude Code: what the model is sent, when, and how often (decision 52)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .claude_code import ClaudeCode, count, texts
from .directives import Json
from .test_claude_code import init

pytestmark = pytest.mark.client

RULE = "Name every constraint."
SQL = '<rules domain="SQL"'


@pytest.fixture
def ready(project: Path) -> Path:
    """A project with a file, and a domain that it calls."""
    init(project)
    rules = project / ".limpet" / "rules"
    rules.mkdir()
    (rules / "manifest").write_text("SQL_PATHS=*.sql\n", encoding="utf-8")
    (rules / "sql").write_text(f"SQL_RULE_0={RULE}\n", encoding="utf-8")
    (project / "a.sql").write_text("select 1;\n", encoding="utf-8")
    (project / "b.sql").write_text("select 2;\n", encoding="utf-8")
    return project


def read(project: Path, name: str = "a.sql") -> str:
    """What has the fake model read a file."""
    return f"[[tool:Read {json.dumps({'file_path': str(project / name)})}]]"


def begins_with(request: Json, before: Json) -> bool:
    """Whether a request's messages begin with all of the one before; marks for the cache move, and a text may stand
    alone or in a list of one."""
    earlier, later = before["messages"], request["messages"]
    return [plain(message) for message in earlier] == [plain(message) for message in later[: len(earlier)]]


def plain(message: Json) -> object:
    """A message without marks for the cache, its text as a string where it has nothing else."""
    content = message["content"]
    if isinstance(content, list) and all(set(block) <= {"type", "text", "cache_control"} for block in content):
        content = "\n".join(block["text"] for block in content)
    without = re.sub(r',? *"cache_control": \{[^}]*\}', "", json.dumps(content))
    return message["role"], without


def test_rules_come_with_the_first_file_and_once(claude: ClaudeCode, ready: Path) -> None:
    """At the request that carries the file's text; another file of theirs brings nothing more."""
    init(ready)
    prompts = [f"go {read(ready)} {read(ready, 'b.sql')}", f"again {read(ready)}"]
    requests = claude.run(ready, prompts).requests
    assert [count(request, SQL) for request in requests] == [0, 1, 1, 1, 1]
    assert count(requests[-1], RULE) == 1


def test_each_request_begins_with_the_one_before(claude: ClaudeCode, ready: Path) -> None:
    """What comes on a tool call is appended; nothing before it changes, so that it stays cached."""
    init(ready)
    requests = claude.run(ready, [f"go {read(ready)} {read(ready, 'b.sql')}", "next"]).requests
    assert len(requests) == 4
    assert all(begins_with(later, earlier) for earlier, later in zip(requests, requests[1:], strict=False))


def test_after_a_compaction_they_come_again(claude: ClaudeCode, ready: Path) -> None:
    """The window holds nothing of them any more."""
    init(ready)
    requests = claude.run(ready, [f"go {read(ready)}", "/compact", "on", f"more {read(ready)}"]).requests
    assert [count(request, SQL) for request in requests] == [0, 1, 0, 0, 1]


def test_a_file_that_no_rule_names_adds_nothing(claude: ClaudeCode, ready: Path) -> None:
    """Not a word on its tool calls."""
    init(ready)
    (ready / "a.txt").write_text("hello\n", encoding="utf-8")
    conversation = claude.run(ready, [f"go {read(ready, 'a.txt')}"])
    assert [hook["stdout"] for hook in conversation.hooks("PreToolUse")] == [""]
    assert count(conversation.requests[-1], "PreToolUse") == 0


def test_a_subagent_is_told_of_its_own(claude: ClaudeCode, ready: Path) -> None:
    """Its window holds nothing of what the conversation was told."""
    init(ready)
    task = {"description": "x", "prompt": f"look {read(ready)}", "subagent_type": "general-purpose"}
    conversation = claude.run(ready, [f"go {read(ready)} [[tool:Task {json.dumps(task)}]]"])
    assert [count(request, SQL) for request in conversation.subagent_requests] == [0, 1]


def write_file(project: Path, name: str, text: str) -> str:
    """What has the fake model write a file."""
    return f"[[tool:Write {json.dumps({'file_path': str(project / name), 'content': text})}]]"


def test_a_broken_rule_is_told_once_when_the_agent_stops(claude: ClaudeCode, project: Path) -> None:
    """It goes on once, with the rule and the place; each request begins with the one before."""
    init(project)
    rules = project / ".limpet" / "rules"
    rules.mkdir()
    (rules / "manifest").write_text("LOGS_RECALL=logging\n", encoding="utf-8")
    checked = "LOGS_RULE_0=Use the logger.\nLOGS_CHECK_0=absent: console\\.log in *.ts\nLOGS_CHECK_TELL=yes\n"
    (rules / "logs").write_text(checked, encoding="utf-8")
    wrong = write_file(project, "a.ts", "console.log(1)\n")
    requests = claude.run(project, [f"go {wrong}", f"more {write_file(project, 'b.txt', 'x')}"]).requests
    told = "LOGS_RULE_0: Use the logger. (a.ts:1)"
    assert [told in texts(request) for request in requests] == [False, False, True, True, True]
    assert all(begins_with(later, earlier) for earlier, later in zip(requests, requests[1:], strict=False))
