"""A user and a project of their own for each test."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def user(user):
    """Every test's own, asked for or not."""
    return user


@pytest.fixture
def project(tmp_path):
    """An empty folder beside the user's."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
