"""Runs a command line as a host does: in the shell, JSON on stdin, with a deadline that no grandchild outlives."""

from __future__ import annotations

import os
import sys

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import Popen

GIT_BASH = "C:/Program Files/Git/bin/bash.exe"


class Finished(Value):
    """A command that has ended.

    ``code``: its exit code, None when the deadline passed.
    ``out``, ``err``: its output until then.
    ``seconds``: wall time.
    """

    code: int | None
    out: bytes
    err: bytes
    seconds: float


def run_line(
    line: str, stdin: bytes, seconds: float, cwd: str | None = None, env: Mapping[str, str] | None = None
) -> Finished:
    """Run ``line`` for at most ``seconds``. Raise OSError when there is no shell or no ``cwd``."""
    import subprocess
    import time

    start = time.monotonic()
    process = subprocess.Popen(
        shell_words(line),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=env,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(stdin, seconds)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired as late:
        out, err, code = late.stdout or b"", late.stderr or b"", None
        _end(process)
    return Finished(code, out, err, time.monotonic() - start)


def shell_words(line: str) -> list[str] | str:
    """Return the arguments that run a shell line: by ``/bin/sh``, on Windows by Git Bash where it is, else cmd.exe."""
    if sys.platform != "win32":
        return ["/bin/sh", "-c", line]
    bash = os.environ.get("CLAUDE_CODE_GIT_BASH_PATH", GIT_BASH)
    return [bash, "-c", line] if os.path.exists(bash) else f'cmd.exe /d /s /c "{line}"'


def _end(process: Popen[bytes]) -> None:
    if sys.platform == "win32":
        process.kill()
    else:
        import signal
        from contextlib import suppress

        with suppress(ProcessLookupError):  # the shell has ended, and who still holds its output has left the group
            os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()
    process.wait()
