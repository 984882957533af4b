"""Runs first in a process that ``kills`` watches: notes each of its writes, and breaks off or fails the one it is told.

The environment says how: ``INTERRUPT_AT`` is ``watch``, ``kill:N``, ``full:N`` or ``once:N``, counted from 1;
``INTERRUPT_IN`` the folder whose files count; ``INTERRUPT_LOG`` the file that is told each write, a line each; and
``INTERRUPT_KEEP`` the folder that keeps the bytes of every file that took its place; ``INTERRUPT_ALONE`` lets no other
process be started. Needs no module but ``os`` and ``sys``, because the hook runs without site-packages.

- ``kill``: the process ends before the write, or in the midst of it where it writes bytes.
- ``full``: from that write on the disk is full, and takes half of the bytes that are written at that moment.
- ``once``: that one write fails, and the next ones do not.
"""

import errno
import os
import sys

_NEW = ("os.mkdir", "os.rename", "os.link")
_OTHER = ("os.remove", "os.rmdir", "os.utime", "os.chmod", "sqlite3.connect")
_WRITES = os.O_WRONLY | os.O_RDWR
_write, _fsync, _open, _replace = os.write, os.fsync, os.open, os.replace


class Interruption:
    """What has been written, and what is to happen at which write."""

    def __init__(self, at, folder, log, keep, alone):
        self.kind, _, number = at.partition(":")
        self.number = int(number or 0)
        self.folder = folder
        self.log = _open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.keep = keep
        self.is_alone = alone
        self.count = 0
        self.kept = 0
        self.is_at_work = False

    def meet(self, name, path, takes_room, raw=b"", handle=-1):
        """Note a write that is about to happen; return how many of its bytes were written already."""
        self.count += 1
        _write(self.log, f"{name} {path}\n".encode("utf-8", "replace"))
        if self.kind == "kill" and self.count == self.number:
            if len(raw) > 1:
                _write(handle, raw[: len(raw) // 2])
            os._exit(137)
        if not takes_room or self.count < self.number:
            return 0
        if self.kind == "full" and self.count == self.number and len(raw) > 1:
            return _write(handle, raw[: len(raw) // 2])
        if self.kind == "full" or (self.kind == "once" and self.count == self.number):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path or None)
        return 0

    def audit(self, event, arguments):
        """Meet what the interpreter reports: everything but the writing of bytes."""
        if self.is_alone and event == "subprocess.Popen":
            raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        if self.is_at_work or not (event == "open" or event in _NEW or event in _OTHER):
            return
        self.is_at_work = True
        try:
            path = self._path(arguments[1 if event in ("os.rename", "os.link") else 0])
            if not path or (event == "open" and not self._is_made(path, arguments[2])):
                return
            if event in ("os.rename", "os.link"):
                self._keep(self._path(arguments[0]), path)
            self.meet(event, path, event == "open" or event in _NEW)
        finally:
            self.is_at_work = False

    def write(self, handle, raw):
        """Stand in for ``os.write``."""
        if handle <= 2:
            return _write(handle, raw)
        return self.meet("write", "", True, bytes(raw), handle) or _write(handle, raw)

    def fsync(self, handle):
        """Stand in for ``os.fsync``."""
        self.meet("fsync", "", True)
        _fsync(handle)

    def _path(self, given):
        if not isinstance(given, (str, bytes, os.PathLike)):
            return ""
        path = os.path.abspath(os.fsdecode(given))
        return path if path.startswith(self.folder + os.sep) and "__pycache__" not in path else ""

    def _is_made(self, path, flags):
        return flags & _WRITES and flags & os.O_CREAT and not os.path.lexists(path)

    def _keep(self, source, target):
        if not self.keep or not os.path.isfile(source):
            return
        self.kept += 1
        with open(source, "rb") as file:
            raw = file.read()
        with open(os.path.join(self.keep, f"{self.kept:04}"), "wb") as file:
            file.write(os.fsencode(target) + b"\0" + raw)


def begin(given):
    """Watch this process from here on."""
    names = ("AT", "IN", "LOG", "KEEP", "ALONE")
    found = Interruption(*(given.get(f"INTERRUPT_{name}", "") for name in names))
    os.write, os.fsync = found.write, found.fsync
    sys.addaudithook(found.audit)


begin(os.environ)
