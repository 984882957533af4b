"""Reading calls in the real Claude Code: those that nothing concerns start no Python, the others do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from limpet.hosts.commands.launcher import launcher_path

from .claude_code import ClaudeCode, count
from .test_claude_code import init

pytestmark = pytest.mark.client

WRITTEN_LONG_AGO = 60


@pytest.fixture
def trace(project: Path, tmp_path: Path) -> Path:
    """What the launcher was started with, a line each; the project's rule by path was written a while ago."""
    init(project)
    rules = project / ".limpet" / "rules"
    rules.mkdir()
    (rules / "manifest").write_text("SQL_PATHS=*.sql\n", encoding="utf-8")
    (rules / "sql").write_text("SQL_RULE_0=Name every constraint.\n", encoding="utf-8")
    for name in ("a.sql", "a.py"):
        (project / name).write_text("select 1\n", encoding="utf-8")
    for path in (rules, rules / "manifest", rules / "sql"):
        before = path.stat().st_mtime - WRITTEN_LONG_AGO
        os.utime(path, (before, before))
    written, launcher = tmp_path / "trace", Path(launcher_path())
    real = launcher.rename(f"{launcher}.real")
    launcher.write_text(f'#!/bin/sh\necho "$*" >> "{written}"\nexec "{real}" "$@"\n', encoding="utf-8")
    launcher.chmod(0o755)
    return written


def read(project: Path, name: str) -> str:
    """What has the fake model read a file."""
    return f"[[tool:Read {json.dumps({'file_path': str(project / name)})}]]"


def test_only_a_file_that_a_rule_names_starts_python(claude: ClaudeCode, project: Path, trace: Path) -> None:
    """The first conversation compiles the rules; what is read in a later one is told from shell alone."""
    claude.run(project, ["hello"])
    claude.ask(project, "[[sleep:3]] hello again")
    trace.unlink()
    requests = claude.run(project, [f"go {read(project, 'a.py')}", f"go on {read(project, 'a.sql')}"]).requests
    assert count(requests[-1], "Name every constraint.") == 1
    calls = [line for line in trace.read_text(encoding="utf-8").splitlines() if line.endswith("PreToolUse")]
    assert len(calls) == 1
