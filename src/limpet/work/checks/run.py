"""Runs commands and checks: this program starts them itself, so that exit code and output are not hearsay."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value

LONGEST = 300
# Bytes of a check's output that are kept, from its end.
KEPT = 20_000
LATE, NOT_FOUND = 124, 127
"""The exit codes of a check that took too long, as ``timeout`` gives it, and of a shell without the program."""
# Seconds in which what a check has written arrives after its end; a process that it left behind may hold the pipe.
_REST = 2.0
_CHUNK = 65_536
_BUILTIN = frozenset("[ cd command eval exec export for if set source test time while".split())
_SHELL_SIGNS = frozenset("|&;<>()$`*?[]{}~!#\n")


class Done(Value):
    """The end of a check.

    ``digest``: the SHA-256 of its output, in hexadecimal.
    ``tail``: the last part of its output.
    """

    exit_code: int
    digest: str
    tail: bytes


def run_check(name: str, line: str, root: str, patience: float, variables: Mapping[str, str] = os.environ) -> Done:
    """Run a check's command line in the project's folder, for at most ``patience`` seconds, with these environment
    ``variables``.

    Raises LimpetError for a line that cannot be run.
    """
    path = variables.get("PATH")
    words = check_words(name, line, path)
    try:
        process = subprocess.Popen(
            [shutil.which(words[0], path=path) or words[0], *words[1:]],
            cwd=root,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        hint = f"Run: limpet config set work.checks.{name} COMMAND"
        raise LimpetError(f"Cannot start check {name} ({error})", "", hint) from None
    digest, tail = hashlib.sha256(), bytearray()
    reader = Thread(target=_read, args=(process, digest, tail), daemon=True)
    reader.start()
    try:
        code = process.wait(patience)
    except subprocess.TimeoutExpired:
        code = LATE
    finally:
        _end(process)
    reader.join(_REST)
    return Done(exit_code=code if code >= 0 else 128 - code, digest=digest.hexdigest(), tail=bytes(tail))


def check_words(name: str, line: str, path: str | None = None) -> list[str]:
    """Return the words that run a check: those of the line, or bash with ``pipefail`` where it has a sign of the shell.
    ``path``: where programs are looked for, None for PATH.

    Raises LimpetError for an empty line, open quotes, and a pipe where there is no bash.
    """
    where, hint = f"check {name}", f"Run: limpet config set work.checks.{name} COMMAND"
    if not _SHELL_SIGNS.isdisjoint(line) or "=" in line.strip().partition(" ")[0]:
        bash = shutil.which("bash", path=path)
        if bash:
            return [bash, "-o", "pipefail", "-c", line]
        if "|" in line:
            what = f"A pipe needs bash, which is not installed ({clip(line, LONGEST)})"
            raise LimpetError(what, where, "Write it without a pipe, or as a script.")
        return [os.environ.get("COMSPEC", "cmd"), "/c", line] if sys.platform == "win32" else ["/bin/sh", "-c", line]
    try:
        words = shlex.split(line, posix=sys.platform != "win32")
    except ValueError as error:
        raise LimpetError(f"Cannot parse the command line ({error}: {clip(line, LONGEST)})", where, hint) from None
    if not words:
        raise LimpetError("Empty command line", where, hint)
    return words


def missing_program(line: str, root: str) -> str:
    """Return the program that begins a command line and is not installed, "" for none."""
    name = next((word for word in line.split() if "=" not in word), "")
    if name in _BUILTIN or not _SHELL_SIGNS.isdisjoint(name):
        return ""
    return "" if shutil.which(os.path.join(root, name) if "/" in name else name) else name


def _read(process: subprocess.Popen[bytes], digest: Any, tail: bytearray) -> None:
    assert process.stdout is not None
    while chunk := process.stdout.read1(_CHUNK):  # type: ignore[attr-defined]
        digest.update(chunk)
        tail += chunk
        del tail[:-KEPT]


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process and what it has started and left behind."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait()
