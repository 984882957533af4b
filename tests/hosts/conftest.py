"""A user and a project of their own for each test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def user(tmp_path, monkeypatch):
    """The home folder of a user who never had Holdfast or Claude Code."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE", "APPDATA"):
        monkeypatch.setenv(name, str(home))
    return home


@pytest.fixture
def project(tmp_path):
    """An empty folder beside the user's."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
