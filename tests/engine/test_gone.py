"""A project deleted while something of ours still runs: it is not made again."""

import json
import os
import shutil
import subprocess

import pytest

from limpet.engine import handle
from limpet.engine.steps import block
from limpet.ground.clock import Clock
from limpet.ground.event import Event
from limpet.ground.processes import own_command
from limpet.jobs import JOBS

from ..conversation import write

SAID = {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "We decided to use JWT, not sessions."}}


def delete(workspace):
    """As ``limpet uninstall --purge`` does."""
    for folder in (workspace.home, workspace.data):
        shutil.rmtree(folder)


@pytest.mark.parametrize("job", JOBS)
def test_a_job_that_comes_late_leaves_the_project_alone(workspace, job):
    """It was started, and then somebody deleted the project: by hand, or by ``limpet uninstall``."""
    transcript = os.path.join(workspace.root, "t.jsonl")
    write(transcript, json.dumps(SAID) + "\n")
    orders = {"session": "s", "host": "claude-code", "transcript": transcript, "now": 1_800_000_000.0}
    orders |= {"command": "remember", "text": "remember this", "do": "resume", "by": "/limpet"}
    orders |= {"tool": "Bash", "error": "boom"}
    command = own_command("limpet.jobs", workspace.home, job, workspace.state)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=workspace.root, **pipes) as process:
        delete(workspace)
        _, err = process.communicate(json.dumps(orders).encode(), timeout=60)
    assert not any(map(os.path.exists, (workspace.home, workspace.data)))
    assert err == b""


@pytest.mark.parametrize("then", ["go on", "fail"])
def test_an_event_during_which_the_folder_goes_is_met_with_silence(workspace, monkeypatch, then):
    build = block.build_block

    def build_later(*given):
        delete(workspace)
        return build(*given) if then == "go on" else given[-1]

    monkeypatch.setattr(block, "build_block", build_later)
    event = Event(kind="prompt", host="claude-code", session="s", cwd=workspace.root, prompt="Go on.")
    assert handle(event, workspace, Clock()).block == ""
    assert not any(map(os.path.exists, (workspace.home, workspace.data)))
