"""Which Python a hook may name: one that stays. Separate from ``lines``, whose lines name none."""

from __future__ import annotations

import os
import re
import sys

import limpet
from limpet.ground.errors import LimpetError

PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(limpet.__file__)))

SHORT_LIVED_FOLDERS = re.compile(
    r"/(?:\.cache|library/caches|appdata/local/.*/cache|(?:archive|builds|environments)-v\d+)/", re.IGNORECASE
)
LASTING_CACHE = re.compile(r"/pypoetry/", re.IGNORECASE)

_LASTING = "install Limpet permanently (`uv tool install`, `pipx install`, a venv), then run `limpet init` there"


def refuse_throwaway(python: str = sys.executable, beside: str = "") -> None:
    """Raise LimpetError for an interpreter that will not stay: of ``uvx``, ``pipx run``, a cache, a temporary folder.

    ``beside``: the file that will name the interpreter; one in the temporary folder may name its neighbours.
    """
    if not python:
        raise LimpetError("This Python does not know its own path", hint=_LASTING)
    folder = slashed(os.path.dirname(os.path.abspath(python))) + "/"
    cached = SHORT_LIVED_FOLDERS.search(folder) and not LASTING_CACHE.search(folder)
    temporary = _is_temporary(python) and not (beside and _is_temporary(beside))
    if cached or temporary:
        raise LimpetError("This Python is temporary, and the hook would stop working with it", python, _LASTING)


def refuse_throwaway_installation(beside: str) -> None:
    """Raise LimpetError where the interpreter that runs, or its Limpet, will not stay."""
    refuse_throwaway(sys.executable, beside)
    refuse_throwaway(os.path.join(PACKAGE_ROOT, "limpet"), beside)


def slashed(path: str) -> str:
    """Return the path with the separators that Git Bash leaves alone."""
    return path.replace("\\", "/") if sys.platform == "win32" else path


def _is_temporary(path: str) -> bool:
    import tempfile

    folders = {tempfile.gettempdir(), *(("/tmp", "/var/tmp") if os.name == "posix" else ())}
    here = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    return any(_lies_in(here, os.path.realpath(folder)) for folder in folders)


def _lies_in(path: str, folder: str) -> bool:
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)
