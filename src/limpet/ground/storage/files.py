"""Atomic writes, locks and tolerant reads: the only module by which this product changes a file."""

from __future__ import annotations

import os
import sys
import time

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import loads
from limpet.ground.storage.confinement import leads_out, refuse_leading_out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

Stamp = tuple[int, int, int]
OWNER_ONLY = 0o600
OWNER_DIRECTORY = 0o700
# File clocks tick this coarsely: two edits within a tick may leave the same stamp.
STAMP_GRAIN_NS = 20_000_000
HOUR_NS = 3_600_000_000_000
# A stamp that no file has: what bears it counts as changed.
UNRELIABLE = (0, 0, 0)
# No file that is read whole into memory is larger than this.
MOST_BYTES = 256 * 1024 * 1024

_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PREFIX, _SUFFIX = "limpet-", ".tmp"
_KIND, _REGULAR = 0o170000, 0o100000
_shipped: dict[str, Any] = {}


def read_text(path: str, limit: int | None = None) -> str | None:
    """None when there is no readable file, or one of more bytes than ``limit``. Bytes that are no UTF-8 become U+FFFD,
    a BOM goes, CRLF stays."""
    raw = read_bytes(path, limit)
    return None if raw is None else raw.decode("utf-8", "replace").removeprefix("\ufeff")


def read_bytes(path: str, limit: int | None = None) -> bytes | None:
    """None when there is no readable regular file, or one of more bytes than ``limit``. A FIFO or device is not waited
    for. Raise LimpetError for one of more than ``MOST_BYTES`` where the caller has no limit of its own."""
    handle = open_regular(path)
    if handle is None:
        return None
    try:
        with open(handle, "rb", buffering=0) as file:
            size = os.fstat(handle).st_size
            if size <= (MOST_BYTES if limit is None else limit):
                return file.read()
    except OSError:
        return None
    # "There is none" would be followed by writing one in its place.
    if limit is None:
        raise LimpetError(f"File is larger than {MOST_BYTES // 2**20} MB and is not read", path, "Move it away")
    return None


def read_shipped(name: str) -> dict[str, Any]:
    """The packaged data in ``framework/NAME.json``; read once a process."""
    if name not in _shipped:
        import limpet

        _shipped[name] = loads(read_text(f"{limpet.__path__[0]}/framework/{name}.json") or "{}")
    table: dict[str, Any] = _shipped[name]
    return table


def is_larger(path: str, limit: int) -> bool:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return False
    return found.st_mode & _KIND == _REGULAR and found.st_size > limit


def view_file(path: str) -> FileView | bytes | None:
    """None when there is no readable regular file. On Windows, where an open file cannot be replaced, it is the whole
    bytes."""
    if sys.platform == "win32":
        return read_bytes(path, MOST_BYTES)
    handle = open_regular(path)
    return None if handle is None else FileView(handle)


def open_regular(path: str) -> int | None:
    """None when there is no readable regular file, or a link out of the project leads to it."""
    if leads_out(path):
        return None
    try:
        handle = os.open(path, _READ)
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return None
    if os.fstat(handle).st_mode & _KIND == _REGULAR:
        return handle
    os.close(handle)
    return None


def write_atomic(
    path: str,
    data: bytes | str,
    mode: int = OWNER_ONLY,
    follow: bool = True,
    settle: Callable[[int], None] | None = None,
) -> None:
    """Replace the file atomically: readers see the old bytes or the new ones, never a mixture. Makes missing folders.
    For caches and state, which cost little to lose; what a person would miss is written by ``durable``. ``mode`` is the
    permission of a new file; an existing one keeps its own. A link is followed to the user's file that it names; state
    of Limpet takes the link's place instead (``follow`` False). ``settle`` is called with the handle of the written
    draft. Raise OSError, also where a link leads out of the project."""
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    refuse_leading_out(path if follow else os.path.dirname(path))
    target = os.path.realpath(path) if follow and os.path.islink(path) else path
    draft = draft_path(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = _open_making_folders(draft, flags, mode if os.path.islink(target) else mode_of(target, mode))
    try:
        with open(handle, "wb", buffering=0) as file:
            write_all(file.fileno(), raw)
            if settle:
                settle(file.fileno())
        replace_patiently(draft, target)
    except BaseException:
        remove_file(draft)
        raise


def write_if_possible(path: str, data: bytes | str) -> bool:
    """As ``write_atomic`` does, without following links."""
    try:
        write_atomic(path, data, follow=False)
    except OSError:
        return False
    return True


def names_in(folder: str) -> list[str]:
    """In order; none where there is no folder that can be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def remove_file(path: str) -> None:
    """Of a link the link; one that is not there or cannot go stays, and so does one in a folder out of the project."""
    if leads_out(os.path.dirname(path)):
        return
    try:
        os.unlink(path)
    except OSError:
        return


def draft_path(path: str) -> str:
    """In which new bytes are written: beside the file, so that a rename puts them in its place."""
    return os.path.join(os.path.dirname(path), f"{_PREFIX}{os.getpid()}-{time.monotonic_ns()}{_SUFFIX}")


def is_draft(name: str) -> bool:
    words = name.removeprefix(_PREFIX).removesuffix(_SUFFIX).split("-")
    is_ours = name.startswith(_PREFIX) and name.endswith(_SUFFIX)
    return is_ours and len(words) == 2 and all(word.isdecimal() for word in words)


def replace_patiently(source: str, target: str) -> None:
    """Tried again for half a second where a reader's open handle forbids it (Windows)."""
    for _ in range(50):
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if sys.platform != "win32":
                raise
            time.sleep(0.01)
    os.replace(source, target)


def stamp(path: str) -> Stamp | None:
    """(mtime ns, size, inode), None when there is none. Equal stamps mean an unchanged file, if ``is_reliable``."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)


def is_reliable(mark: Stamp | None, now_ns: int) -> bool:
    """A later edit must change the stamp: it is old enough (file clocks tick coarsely), or so far in the future that no
    edit of today repeats it."""
    return mark is None or mark[0] < now_ns - STAMP_GRAIN_NS or mark[0] > now_ns + HOUR_NS


class FileView:
    """``view[start:end]`` and ``len(view)`` of an open file; what takes the file's place later is not seen."""

    def __init__(self, handle: int) -> None:
        self.handle = handle
        self.size = os.fstat(handle).st_size

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> bytes:
        start = part.start or 0
        os.lseek(self.handle, start, os.SEEK_SET)
        return os.read(self.handle, (self.size if part.stop is None else part.stop) - start)

    def __del__(self, close: Callable[[int], None] = os.close) -> None:
        close(self.handle)  # bound early: when the interpreter goes, ``os`` may be gone before this is


class Lock:
    """Exclusive between processes, held for a ``with`` block: ``with Lock(path, patience) as held`` waits up to
    ``patience`` seconds, then continues with ``held`` False."""

    def __init__(self, path: str, patience: float = 2.0) -> None:
        self.path = path
        self.patience = patience
        self.handle = -1

    def __enter__(self) -> bool:
        try:
            self.handle = open_append(self.path)
        except OSError:
            return False
        if _lock_within(self.handle, self.patience):
            return True
        os.close(self.handle)
        self.handle = -1
        return False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.handle >= 0:
            _unlock(self.handle)
            os.close(self.handle)
            self.handle = -1


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, 0, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


def open_append(path: str) -> int:
    """To read too; owner-only where the file is new. Raise OSError, for a link too."""
    refuse_leading_out(path)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    return _open_making_folders(path, flags, OWNER_ONLY)


def make_folders(path: str) -> None:
    """Each for the owner only (``os.makedirs`` says so of the last one only). Raises OSError."""
    above = os.path.dirname(path)
    if os.path.isdir(path) or above == path:
        return
    make_folders(above)
    try:
        os.mkdir(path, OWNER_DIRECTORY)
    except FileExistsError:
        return


def mode_of(path: str, fallback: int) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return fallback


def write_all(handle: int, raw: bytes) -> None:
    """In one call where the system takes them so. Raise OSError."""
    view = memoryview(raw)
    while view:
        view = view[os.write(handle, view) :]


def _lock_within(handle: int, patience: float) -> bool:
    end = time.monotonic() + patience
    while not _try_lock(handle):
        if time.monotonic() >= end:
            return False
        time.sleep(0.002)
    return True


def _open_making_folders(path: str, flags: int, mode: int) -> int:
    try:
        return os.open(path, flags, mode)
    except FileNotFoundError:
        make_folders(os.path.dirname(path))
        return os.open(path, flags, mode)
