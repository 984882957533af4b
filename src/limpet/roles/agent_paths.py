"""Finds the files of agents by name, without reading any: what runs without a YAML reader asks too."""

from __future__ import annotations

import os

import limpet
from limpet.ground.storage.files import names_in
from limpet.roles.roster import plain_id

AGENTS_FOLDER, ENDING = "agents", ".md"
PACKAGED = os.path.join(os.path.dirname(limpet.__file__), "framework", AGENTS_FOLDER)
TEXTS = os.path.join(PACKAGED, "texts")


def own_files(folder: str) -> dict[str, str]:
    """Return id -> path of the files of agents in a project's folder, in the ids' order; of two spellings of an id the
    plain one counts. "" is no folder."""
    found: dict[str, str] = {}
    for name in sorted(names_in(folder) if folder else (), key=lambda each: each != plain_id(each)):
        stem, ending = os.path.splitext(name)
        if ending.lower() == ENDING and is_id(plain_id(stem)):
            found.setdefault(plain_id(stem), os.path.join(folder, name))
    return dict(sorted(found.items()))


def agent_sources(folder: str) -> tuple[str, ...]:
    """Return the files and folders whose change tells of another agent, or of another text of one."""
    return (PACKAGED, TEXTS, *((folder, *own_files(folder).values()) if folder else ()))


def is_id(name: str) -> bool:
    """Return whether the name is one of letters, digits and dashes; ``README.md`` is no agent's file."""
    sound = name[:1].isalnum() and name.replace("-", "").isalnum() and name.isascii()
    return sound and name != "readme"
