"""A sample of ``bench/memory_kills.py``: what was acknowledged outlives SIGKILL at any moment."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import limpet

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
BENCH = Path(__file__).parents[3] / "bench" / "memory_kills.py"


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_killed_writers_lose_nothing_that_was_acknowledged():
    command = [sys.executable, str(BENCH), "--kills", "13", "--seed", "4", "--json"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True)
    assert done.stdout, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["faults"], done.returncode, figures["kills"]) == ([], 0, 13)
    assert sum(figures["acts"].values()) > 0
