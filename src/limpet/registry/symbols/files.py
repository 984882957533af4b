"""The source files of a project: what git lists, elsewhere what lies in its folders."""

from __future__ import annotations

import os
import stat

from limpet.ground.clock import Patience
from limpet.ground.git import listed_files
from limpet.ground.safety.dotenv import FOREIGN
from limpet.ground.storage.walking import files_below
from limpet.registry.symbols.written import language_of

# Bytes beyond which a file was made by a program, or holds data.
LARGEST = 512 * 1024
_PATIENCE = Patience(60)


def source_files(root: str) -> list[str]:
    """Below ``root``, with ``/``, in order; neither what git ignores nor a name that no line can hold."""
    listed = listed_files(root, _PATIENCE)
    names = files_below(root, enters=_is_looked_into) if listed is None else listed
    return sorted(name for name in names if language_of(name) and name.isprintable())


def look_at(root: str, path: str) -> os.stat_result | None:
    """None for what is no regular file of its own in the project."""
    full = os.path.join(root, path)
    try:
        found = os.lstat(full)
        is_own = os.path.realpath(os.path.dirname(full)).startswith(os.path.realpath(root))
    except (OSError, ValueError):
        return None
    return found if stat.S_ISREG(found.st_mode) and is_own else None


def _is_looked_into(folder: str) -> bool:
    return not folder.startswith(".") and folder not in FOREIGN
