"""Runs a command line as a host does: in the shell, JSON on stdin, with a deadline that no grandchild outlives."""

from __future__ import annotations

import os
import sys

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from subprocess import Popen

POWERSHELL = "powershell"
"""What Claude Code calls PowerShell in the member ``shell`` of a hook."""

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
        end_process(process)
    return Finished(code, out, err, time.monotonic() - start)


def shell_words(line: str) -> list[str]:
    """Return the arguments that run a line as Claude Code does: by ``sh``, on Windows by Git Bash, by PowerShell where
    that is not installed."""
    if sys.platform != "win32":
        return ["/bin/sh", "-c", line]
    bash = git_bash()
    return [bash, "-c", line] if bash else [f"{POWERSHELL}.exe", "-NoProfile", "-NonInteractive", "-Command", line]


def speaks_powershell() -> bool:
    """Return whether lines on this machine are run by PowerShell."""
    return sys.platform == "win32" and not git_bash()


def git_bash() -> str:
    """Return the path of Git Bash on Windows, "" for none: where the user says, Git's usual folder, beside ``git``."""
    import shutil

    git = shutil.which("git")
    beside = os.path.join(os.path.dirname(os.path.dirname(git)), "bin", "bash.exe") if git else ""
    places = (os.environ.get("CLAUDE_CODE_GIT_BASH_PATH", ""), GIT_BASH, beside)
    return next((path for path in places if path and os.path.isfile(path)), "")


def end_process(process: Popen[bytes]) -> None:
    """End the process and, where there are process groups, all that it started; it leads one of its own."""
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
