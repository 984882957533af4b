"""The layout of a rules folder as data: folder and file names."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import RULES_BYTES, STATE_BYTES
from limpet.ground.text.globs import ANY
from limpet.ground.values import Value
from limpet.ground.workspace import in_main_worktree


class Layout(Value):
    """``folder``, ``squads``: relative to the project's root.
    ``suffixes``, ``squad_rules``: the first one found counts.
    ``command``: the star-command that governs it; ``aliases``: what it was called elsewhere, by the folder there.
    """

    folder: str
    manifest: str
    suffixes: tuple[str, ...]
    command: str
    aliases: dict[str, str]
    squads: str
    squad_rules: tuple[str, ...]


CONSTITUTION_FILE = ".limpet/constitution.md"
SQUAD_FILE = "squad.yaml"
LIMPET = Layout(
    folder=".limpet/rules",
    manifest="manifest",
    suffixes=("", ".env"),
    command="limpet",
    aliases={"synapse": ".synapse", "carl": ".carl"},
    squads="squads",
    squad_rules=(".limpet/rules", ".synapse"),
)
# The project's manifest, from its root.
MANIFEST = f"{LIMPET.folder}/{LIMPET.manifest}"


def most_bytes(path: str) -> int:
    return STATE_BYTES if path.rpartition("/")[2] == LIMPET.manifest else RULES_BYTES


def fault_of(glob: str) -> str:
    parts = glob.split("/")
    if "\\" in glob:
        return "has a backslash; folders are divided by /"
    if glob.startswith(("~", "!")) or ".." in parts or glob[1:2] == ":":
        return "must name files from the project's root, without ~, !, .. or a drive"
    if "{" in glob or "}" in glob:
        return "has braces, which have no meaning; write a glob for each"
    if any(ANY in part and part != ANY for part in parts):
        return "has ** beside other characters; write it between two /"
    return "" if glob.strip("/") else "names no file"


def path_from(root: str, folder: str, given: str) -> str:
    """With ``/``, in a linked worktree from that one's root; "" for one elsewhere. ``folder`` is the absolute one from
    which ``given`` counts, where it is not absolute itself."""
    path = os.path.normpath(os.path.join(folder, given))
    for file in filter(None, (in_main_worktree(path), path)):
        for top, found in ((root, file), (os.path.realpath(root), os.path.realpath(file))):
            start = top.rstrip(os.sep) + os.sep
            if os.path.normcase(found).startswith(os.path.normcase(start)):
                return found[len(start) :].replace(os.sep, "/")
    return ""
