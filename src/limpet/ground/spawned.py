"""A process that is started without ``subprocess``, whose import is a third of what a conversation's start costs; where
the system has no ``posix_spawn`` it is started with it."""

from __future__ import annotations

import os
import sys

from limpet.ground.processes import output_of, waits
from limpet.ground.storage.files import names_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess

    from limpet.ground.clock import Patience

# Bytes that every system's pipe takes before anybody reads.
ROOM = 4096


class Spawned:
    """It is its own master: neither the end of this process nor the host's takes it along."""

    def __init__(self, pid: int, out: int) -> None:
        self.pid, self.out = pid, out

    def read_output(self, patience: Patience) -> bytes | None:
        """What it prints until it ends; None where it is late, and goes on."""
        try:
            return self._read(patience)
        finally:
            os.close(self.out)

    def _read(self, patience: Patience) -> bytes | None:
        from select import select

        printed = b""
        for wait in waits(self.pid, patience):
            if select([self.out], [], [], wait)[0]:
                more = os.read(self.out, 1 << 16)
                if not more:
                    os.waitpid(self.pid, 0)
                    return printed
                printed += more
        return None


class OpenedProcess:
    """The same by ``subprocess``."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def read_output(self, patience: Patience) -> bytes | None:
        return output_of(self.process, patience)


def spawn(command: list[str], root: str, given: bytes, answered: bool) -> Spawned | OpenedProcess:
    """Start a command in a folder with these bytes on stdin. Raise OSError and ValueError."""
    if len(given) <= ROOM:
        stdin, writing = os.pipe()
        os.write(writing, given)
        os.close(writing)
    else:
        stdin = _file_of(given)
    try:
        try:
            return _spawn(command, root, stdin, answered)
        except NotImplementedError:
            return _open(command, root, stdin, answered)
    finally:
        os.close(stdin)


def _file_of(given: bytes) -> int:
    """Much is written to a file first: a process that hangs would never empty its pipe, and hold up the hook."""
    from tempfile import TemporaryFile

    with TemporaryFile() as spooled:
        spooled.write(given)
        spooled.seek(0)
        return os.dup(spooled.fileno())


def _spawn(command: list[str], root: str, stdin: int, answered: bool) -> Spawned:
    """Raise NotImplementedError on Windows, and where Python was built for old systems."""
    if sys.platform == "win32":
        raise NotImplementedError
    nowhere, here = os.open(os.devnull, os.O_RDWR), os.open(".", os.O_RDONLY)
    reading, stdout = os.pipe() if answered else (-1, nowhere)
    # What the host left open for this process is not for one that outlives it: the host would wait for its end.
    closed = [(os.POSIX_SPAWN_CLOSE, file) for file in _inherited()]
    given = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate((stdin, stdout, nowhere))]
    try:
        os.chdir(root)
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=[*given, *closed], setsid=True)
        return Spawned(pid, reading)
    except BaseException:
        if answered:
            os.close(reading)
        raise
    finally:
        os.fchdir(here)
        for file in {here, nowhere, stdout}:
            os.close(file)


def _inherited() -> list[int]:
    found = []
    for name in names_in("/dev/fd"):
        try:
            if int(name) > 2 and os.get_inheritable(int(name)):
                found.append(int(name))
        except OSError:  # it was the listing's own
            continue
    return found


def _open(command: list[str], root: str, stdin: int, answered: bool) -> OpenedProcess:
    import subprocess

    process = subprocess.Popen(
        command,
        stdin=stdin,
        stdout=subprocess.PIPE if answered else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=root,
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "DETACHED_PROCESS", 0),
    )
    return OpenedProcess(process)
