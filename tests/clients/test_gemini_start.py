"""Gemini CLI at its start, after ``init``: it finds no conflict of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from .clients import Client
from .test_every_client import installed, project, set_up

pytestmark = pytest.mark.client

__all__ = ["project"]  # fixture


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return installed("gemini-cli", tmp_path)


def test_no_start_tells_of_a_conflict(client: Client, project: Path) -> None:
    set_up(project, client)
    with client.terminal(project) as terminal:
        terminal.type("hello")
        terminal.wait(lambda: "FAKE-ANSWER" in terminal.drawn)
        assert "onflict" not in terminal.drawn
