"""The files that a handoff, a story or an evidence names: which path is meant, and whether it exists."""

from __future__ import annotations

import os
import re

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_QUOTED = re.compile(r"`([^`]+)`")
_END = re.compile(r"\s+(?:-{1,2}|\u2013|\u2014|=>|->|\()(?:\s|$|\w)|:\s|\s*$")
_GONE = re.compile(r"\((?:deleted?|removed?|excluido|excluir|removido)\)\s*$", re.IGNORECASE)
_PLACE = re.compile(r"(?:#[\w-]+|:\d+(?:[:-]\d+)?)$")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_FILE = re.compile(r"[^\s/\\]*[/\\]\S*|\S*\.[A-Za-z]\w*")


def path_of(output: str) -> str:
    """Quoted, in a link, or up to a dash, colon or bracket; "" for a URL."""
    found = _QUOTED.search(output) or _LINK.search(output)
    end = _END.search(output)
    assert end
    path = (found[1] if found else output[: end.start()]).strip().strip("*").strip()
    return "" if _URL.match(path) else _PLACE.sub("", path)


def is_gone(output: str) -> bool:
    return bool(_GONE.search(output))


def lies_inside(root: str, path: str) -> bool:
    """Links are followed."""
    if os.path.isabs(path) or "\0" in path or path.startswith(("~", "\\")) or re.match(r"[A-Za-z]:[\\/]", path):
        return False
    base = os.path.realpath(root)
    full = os.path.realpath(os.path.join(base, path))
    return full == base or full.startswith(base.rstrip(os.sep) + os.sep)


def absent_file(root: str, evidence: str) -> str:
    """Return the path that an evidence names and that is not in the project, "" for a command, or words."""
    path = path_of(evidence).partition("::")[0]
    is_there = lies_inside(root, path) and os.path.exists(os.path.join(root, path))
    return path if _FILE.fullmatch(path) and not is_there else ""
