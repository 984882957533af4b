"""Whether a process that a test did not start itself is there."""

import subprocess


def lives(pid):
    """Whether it runs; one that only waits to be collected does not."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return done.stdout.strip()[:1] not in ("", "Z")
