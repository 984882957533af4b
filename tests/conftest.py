"""A project in a temporary folder, with nobody's own configuration around it."""

import os
import subprocess
import sys

import pytest

import holdfast
from holdfast.ground.workspace import workspace_at
from holdfast.work.session import new_session, write_session

SOURCE = os.path.dirname(os.path.dirname(holdfast.__file__))


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """An empty project, its ``.holdfast`` folder made, and a user's configuration folder that does not exist yet."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "user"))
    (tmp_path / "project" / ".holdfast").mkdir(parents=True)
    return workspace_at(str(tmp_path / "project"))


@pytest.fixture
def run(workspace):
    """Runs ``holdfast`` with these arguments in the project, as a person's shell would."""

    def run_holdfast(*arguments, cwd=workspace.root):
        environment = {**os.environ, "PYTHONPATH": SOURCE}
        command = [sys.executable, "-m", "holdfast", *arguments]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)

    return run_holdfast


@pytest.fixture
def conversation(workspace):
    """The id of a conversation that the project has seen."""
    write_session(workspace, new_session("abc", "claude-code", workspace.root, 0.0))
    return "abc"
