"""``bench/instructions.py``: what it cannot count it does not make up."""

import os
import subprocess
import sys

from .bench_module import BENCH


def test_without_valgrind_it_says_that_it_counted_nothing(tmp_path):
    """With an exit code of its own, so that no script takes it for a result."""
    command = [sys.executable, os.path.join(BENCH, "instructions.py")]
    environment = {**os.environ, "PATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (77, "") and done.stderr.startswith("SKIPPED: ")
