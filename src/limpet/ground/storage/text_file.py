"""A text file that people and commands both write: read strictly, changed by one at a time, replaced atomically."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from limpet.ground.config.defaults import DEFAULTS, STATE_BYTES
from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.storage.confinement import LEADS_OUT, leads_out
from limpet.ground.storage.durable import write_durably
from limpet.ground.storage.files import STAMP_GRAIN_NS, UNRELIABLE, Lock, is_larger, is_reliable, open_append, stamp

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.storage.files import Stamp

Take = Callable[[str, float], AbstractContextManager[bool]]
COMMANDS_PATIENCE = 20.0
"""Seconds that a command waits for others that write the same: each takes a second where the machine is busy."""
_PATIENCE_MS = DEFAULTS["hosts"]["lock_patience_ms"]
assert isinstance(_PATIENCE_MS, int)
_CONFLICT = re.compile(r"^(<{7} |={7}\r?$|>{7} |\|{7} )", re.MULTILINE)


def read_strictly(path: str, name: str) -> str:
    """The exact text, empty where there is no file; ``name`` stands for it in errors. Raises LimpetError where an
    edit would lose something: bytes that are no UTF-8, a merge conflict, no permission; and for a link out of the
    project."""
    refuse_link(path, name)
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise LimpetError("Not a regular file", name, "Move it out of the way.")  # to open it might wait for ever
    if is_larger(path, STATE_BYTES):
        raise LimpetError(f"File is larger than {STATE_BYTES // 1024} KB", name, "Shorten it.")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise LimpetError(f"Cannot read the file ({error.strerror})", name) from None
    except UnicodeDecodeError:
        raise LimpetError("File is not UTF-8", name, "Save it as UTF-8.") from None
    refuse_conflict(text, name)
    return text


def refuse_link(path: str, name: str, root: str = "") -> None:
    """Raise LimpetError where ``leads_out``."""
    if leads_out(path, root):
        raise LimpetError(LEADS_OUT, name, "Replace it with a real file.")


def refuse_conflict(text: str, name: str) -> None:
    """Raise LimpetError with ``file:line`` where git has left a merge conflict."""
    found = _CONFLICT.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise LimpetError("Unresolved merge conflict", f"{name}:{line}", "Resolve it, then try again.")


def replace_text(path: str, text: str, name: str, mode: int) -> None:
    """On the disk when this returns; ``mode`` is a new file's permission. Raises LimpetError."""
    refuse_link(path, name)
    try:
        write_durably(path, text, mode)
    except OSError as error:
        raise LimpetError(f"Cannot write the file ({error.strerror})", name) from None


@contextmanager
def sole_writer(lock_path: str, name: str, patience: float = _PATIENCE_MS / 1000, take: Take = Lock) -> Iterator[None]:
    """Keeps other processes of Limpet from writing what ``name`` names. Raises LimpetError where one does for longer
    than ``patience`` seconds, or the lock's file cannot be written."""
    with take(lock_path, patience) as held:
        if not held and leads_out(lock_path):
            what = f"{LEADS_OUT} ({os.path.dirname(lock_path)}), so this cannot be locked"
            raise LimpetError(what, name, "Remove the link.")
        if not held:
            raise Unwritten(f"Cannot lock ({lock_path}: {why_not_locked(lock_path)})", name, "Try again.")
        yield


def why_not_locked(lock_path: str) -> str:
    """Where the system says nothing against the lock's file, another process holds the lock."""
    try:
        os.close(open_append(lock_path))
    except OSError as error:
        return error.strerror or str(error)
    return "in use by another process"


def reliable_stamps(paths: tuple[str, ...]) -> dict[str, Stamp | None]:
    """``UNRELIABLE`` for one that may change unseen. Waits for less than ``STAMP_GRAIN_NS`` where a file was just
    edited: a second edit could leave its stamp as it is."""
    newest = max((mark[0] for mark in map(stamp, paths) if mark), default=0)
    wait = newest + STAMP_GRAIN_NS - time.time_ns()
    if 0 <= wait <= STAMP_GRAIN_NS:
        time.sleep((wait + 1_000_000) / 1e9)
    now = time.time_ns()
    marks = {path: stamp(path) for path in paths}
    return {path: mark if is_reliable(mark, now) else UNRELIABLE for path, mark in marks.items()}


@contextmanager
def fair_lock(path: str, patience: float) -> Iterator[bool]:
    """False where it is not free within ``patience`` seconds. Only one process at a time, which holds ``path.next``,
    asks for the lock; the others ask for that."""
    queue, lock = Lock(f"{path}.next", patience), Lock(path, patience)
    with queue as first:
        held = first and lock.__enter__()
    try:
        yield held
    finally:
        lock.__exit__(None, None, None)
