"""What every test with a real client starts from."""

from __future__ import annotations

from pathlib import Path

import pytest

from limpet.ground.trust.giving import give_trust
from limpet.ground.workspace import workspace_at

from .claude_code import ClaudeCode, find_client


@pytest.fixture
def claude(tmp_path: Path) -> ClaudeCode:
    """The installed Claude Code with a home folder of its own."""
    return ClaudeCode(find_client(), tmp_path / "claude")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of an empty project that the user trusts."""
    folder = tmp_path / "project"
    (folder / ".limpet").mkdir(parents=True)
    give_trust(workspace_at(str(folder)), {}, 0.0)
    return folder
