"""The faults of a team's server in full, on a real PostgreSQL: ``python3 bench/team_faults.py``.

The tests play a sample of the same: tests/server/test_faults.py, and the random histories through a server.
"""

import argparse
import os
import subprocess
import sys

HISTORIES = "tests/operations/sharing/test_histories.py::test_all_agree_and_nothing_is_lost_through_a_server"
PLAYED = ("tests/server/test_faults.py", HISTORIES)

if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    command = [sys.executable, "-m", "pytest", "-n", "0", "--durations=0", *PLAYED]
    sys.exit(subprocess.run(command, cwd=root, env={**os.environ, "LIMPET_SOAK": "1"}).returncode)
