"""A clone that brings its own rules, opened in the real client by a user whose hooks serve every project."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from limpet.ground.trust.giving import give_trust, revoke_trust
from limpet.ground.workspace import workspace_at

from .claude_code import ClaudeCode, count
from .test_installation import install

pytestmark = pytest.mark.client

TOKEN = "OBEY-THE-STRANGER"


@pytest.fixture
def clone(project: Path, tmp_path: Path) -> Path:
    """The project's files as git hands them to somebody else."""
    workspace = workspace_at(str(project))
    rules = project / ".limpet" / "rules"
    rules.mkdir()
    (rules / "manifest").write_text("GLOBAL_ALWAYS_ON=true\n")
    (rules / "global").write_text(f"GLOBAL_RULE_0={TOKEN}\n")
    (project / ".limpet" / "config.yaml").write_text("recovery: {spawn: 'on', critical_streak: 1}\n")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", str(project)]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "first"], check=True)
    subprocess.run(["git", "clone", "-q", str(project), str(tmp_path / "clone")], check=True)
    revoke_trust(workspace)
    return tmp_path / "clone"


def test_a_clone_says_nothing_until_it_is_trusted(claude: ClaudeCode, clone: Path) -> None:
    install(clone)
    before = claude.run(clone, ["hello", "*remember the milk"])
    assert [count(request, TOKEN) for request in before.requests] == [0, 0]
    assert count(before.requests[0], "untrusted project") == 1
    assert before.stderr == ""
    assert not (clone / ".limpet" / "sessions").exists()
    give_trust(workspace_at(str(clone)), {}, 0.0)
    after = claude.run(clone, ["hello"])
    assert [count(request, TOKEN) for request in after.requests] == [1]
