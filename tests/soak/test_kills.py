"""What ``bench/kills.py`` interrupts: what a command confirmed outlives kills and a full disk, whoever writes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import limpet

from ..hook_host import POSIX
from .scale import amount

SOURCE = os.path.dirname(os.path.dirname(limpet.__file__))
BENCH = Path(__file__).parents[2] / "bench" / "kills.py"
ROUNDS = amount(4, 240)


@POSIX
def test_interrupted_writers_lose_and_tear_nothing():
    """Commands, hooks and jobs; each does its work when it is started again, and no draft stays anywhere."""
    command = [sys.executable, str(BENCH), "--sample", str(ROUNDS), "--seed", "6", "--json"]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": SOURCE}, capture_output=True, text=True)
    assert done.stdout, done.stderr
    figures = json.loads(done.stdout)
    assert (figures["faults"], done.returncode, figures["full_disks"]) == ([], 0, ROUNDS // 2)
    assert figures["kills"] >= ROUNDS // 4 and figures["writers"] >= min(ROUNDS, 20) // 2
