"""What ``bench/import_kills.py`` kills: an import leaves nothing that a rollback does not take back."""

import json
import subprocess
import sys
from pathlib import Path

from ..hook_host import POSIX
from ..originals import KINDS
from .scale import amount

BENCH = Path(__file__).parents[2] / "bench" / "import_kills.py"
MOMENTS = amount(2, 60)


@POSIX
def test_an_import_that_was_killed_is_taken_back_or_begun_again():
    command = [sys.executable, str(BENCH), "--moments", str(MOMENTS), "--seed", "7", "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert [each["faults"] for each in found.values()] == [[]] * len(KINDS)
    assert sum(each["kills"] for each in found.values()) >= len(KINDS)
