"""The job that brings a conversation's sources up to date."""

import os
import subprocess
import sys

from limpet.jobs.refresh import run

from ..forking import SOURCE

LOADED = "import sys, limpet.jobs.refresh; print([name for name in sys.modules if 'memory.capture' in name])"


def test_it_counts_what_changed(workspace):
    """Nothing in a project without memories."""
    assert run(workspace, {"now": 1_795_262_400.0}) == {"changed": 0, "removed": 0, "unread": 0}


def test_it_starts_without_the_capture():
    """A start of a conversation waits for it, and compiling the capture's expressions would double its imports."""
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
