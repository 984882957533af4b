"""Finds the files of other tools' agents in a folder, and the ids that their names give."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from limpet.roles.agent import AGENTS_FOLDER, ENDING

# Copilot's files have one of these before their ending.
_MIDDLES = (".agent", ".chatmode")
_NO_AGENTS = ("readme", "skill", "changelog", "license", "contributing", "claude", "gemini", "agents", "index")
_NO_FOLDERS = (".git", ".limpet", "node_modules", ".venv", "skills")
# Folders below the one that is looked through, and files.
_DEEPEST, _MOST = 6, 500


def find_agent_files(folder: str, root: str = "") -> dict[str, str]:
    """Path -> id. Of a folder that is none of agents, only what lies in one of that name below it. ``folder`` is from
    ``root``, and so are the paths; "" for the process's own folder."""
    top = os.path.abspath(os.path.join(root, folder))
    is_agents = AGENTS_FOLDER in (*os.path.normpath(folder).split(os.sep), os.path.basename(top))
    found: dict[str, str] = {}
    for path in _walk(top):
        name = os.path.basename(path)
        within = os.path.relpath(path, top).split(os.sep)[:-1]
        is_named = any(name.endswith(f"{middle}{ENDING}") for middle in _MIDDLES)
        if (is_agents or is_named or AGENTS_FOLDER in within) and id_of_file(path) not in _NO_AGENTS:
            found[os.path.join(folder, os.path.relpath(path, top))] = id_of_file(path)
    return found


def id_of_file(path: str) -> str:
    stem = os.path.splitext(os.path.basename(path))[0].lower()
    for middle in _MIDDLES:
        stem = stem.removesuffix(middle)
    return re.sub(r"[^a-z0-9]+", "-", stem).strip("-") or "agent"


def _walk(top: str) -> Iterator[str]:
    count = 0
    for folder, inside, files in os.walk(top):
        depth = os.path.relpath(folder, top).count(os.sep)
        inside[:] = sorted(name for name in inside if name not in _NO_FOLDERS and depth < _DEEPEST)
        for name in sorted(files):
            path = os.path.join(folder, name)
            if name.lower().endswith(ENDING) and not os.path.islink(path):
                count += 1
                if count > _MOST:
                    return
                yield path
