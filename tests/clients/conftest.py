"""What every test with a real client starts from."""

from __future__ import annotations

from pathlib import Path

import pytest

from .claude_code import ClaudeCode, find_client


@pytest.fixture
def claude(tmp_path: Path) -> ClaudeCode:
    """The installed Claude Code with a home folder of its own."""
    return ClaudeCode(find_client(), tmp_path / "claude")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
