"""A text file that people and commands both write: read strictly, changed by one at a time, replaced atomically."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from holdfast.ground.config.defaults import DEFAULTS, STATE_BYTES
from holdfast.ground.errors import HoldfastError, Unwritten
from holdfast.ground.storage.confinement import LEADS_OUT, leads_out
from holdfast.ground.storage.durable import write_durably
from holdfast.ground.storage.files import Lock, is_larger, open_append

Take = Callable[[str, float], AbstractContextManager[bool]]
_PATIENCE_MS = DEFAULTS["hosts"]["lock_patience_ms"]
assert isinstance(_PATIENCE_MS, int)
_CONFLICT = re.compile(r"^(<{7} |={7}\r?$|>{7} |\|{7} )", re.MULTILINE)


def read_strictly(path: str, name: str) -> str:
    """Return the file's exact text, empty where there is none; ``name`` stands for it in errors.

    Raises HoldfastError where an edit would lose something: bytes that are no UTF-8, a merge conflict, no permission;
    and for a link out of the project.
    """
    refuse_link(path, name)
    if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path)):
        raise HoldfastError("Not a regular file", name, "Move it out of the way.")  # to open it might wait for ever
    if is_larger(path, STATE_BYTES):
        raise HoldfastError(f"File is larger than {STATE_BYTES // 1024} KB", name, "Shorten it.")
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise HoldfastError(f"Cannot read the file ({error.strerror})", name) from None
    except UnicodeDecodeError:
        raise HoldfastError("File is not UTF-8", name, "Save it as UTF-8.") from None
    refuse_conflict(text, name)
    return text


def refuse_link(path: str, name: str, root: str = "") -> None:
    """Raise HoldfastError where a link on the way to the file leads out of the project (at ``root``, see
    ``leads_out``)."""
    if leads_out(path, root):
        raise HoldfastError(LEADS_OUT, name, "Replace it with a real file.")


def refuse_conflict(text: str, name: str) -> None:
    """Raise HoldfastError with ``file:line`` where git has left a merge conflict."""
    found = _CONFLICT.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise HoldfastError("Unresolved merge conflict", f"{name}:{line}", "Resolve it, then try again.")


def replace_text(path: str, text: str, name: str, mode: int) -> None:
    """Replace the file atomically, on the disk when this returns; ``mode`` is a new file's permission. Raises
    HoldfastError."""
    refuse_link(path, name)
    try:
        write_durably(path, text, mode)
    except OSError as error:
        raise HoldfastError(f"Cannot write the file ({error.strerror})", name) from None


@contextmanager
def sole_writer(lock_path: str, name: str, patience: float = _PATIENCE_MS / 1000, take: Take = Lock) -> Iterator[None]:
    """Keep other processes of Holdfast from writing what ``name`` names during a ``with`` block.

    Raises HoldfastError where one does for longer than ``patience`` seconds, or the lock's file cannot be written.
    """
    with take(lock_path, patience) as held:
        if not held and leads_out(lock_path):
            what = f"{LEADS_OUT} ({os.path.dirname(lock_path)}), so this cannot be locked"
            raise HoldfastError(what, name, "Remove the link.")
        if not held:
            raise Unwritten(f"Cannot lock ({lock_path}: {why_not_locked(lock_path)})", name, "Try again.")
        yield


def why_not_locked(lock_path: str) -> str:
    """Return what the system says against the lock's file; where it says nothing, another process holds the lock."""
    try:
        os.close(open_append(lock_path))
    except OSError as error:
        return error.strerror or str(error)
    return "in use by another process"
