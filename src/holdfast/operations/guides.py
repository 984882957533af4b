"""The texts that agents work by: templates, quality gates and the definitions of the engines; the project's own file
takes the packaged one's place."""

from __future__ import annotations

import os

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.schema import nearest
from holdfast.ground.storage.text_file import read_strictly
from holdfast.ground.values import Value
from holdfast.ground.workspace import FOLDER, Workspace
from holdfast.rules.plan.sources import FRAMEWORK

FOLDERS = ("templates", "quality-gates", "intelligence")
ENDING = ".md"


class Guide(Value):
    """A text to work by.

    ``folder``: the one of ``FOLDERS`` that it stands in.
    ``source``: its file, as messages name it.
    ``problem``: why the project's own file is not used, "" where nothing is wrong.
    """

    name: str
    folder: str
    title: str
    text: str
    source: str
    problem: str = ""


def list_guides(workspace: Workspace | None) -> list[Guide]:
    """Return all guides, by folder and name; the project's own in place of packaged ones."""
    names = [(folder, name) for folder in FOLDERS for name in sorted(_names(workspace, folder))]
    return [_find(workspace, folder, name) for folder, name in names]


def read_guide(workspace: Workspace | None, name: str) -> Guide:
    """Return the guide of this name. Raise HoldfastError for an unknown one, and for the project's own that cannot be
    read and replaces no packaged one."""
    plain = name.strip().lower().removesuffix(ENDING)
    folder = next((folder for folder in FOLDERS if plain in _names(workspace, folder)), "")
    if not folder:
        names = [one for folder in FOLDERS for one in sorted(_names(workspace, folder))]
        raise HoldfastError("Unknown guide", name, f"Guides: {', '.join(names)}{nearest(plain, names)}")
    return _read(workspace, folder, plain)


def _names(workspace: Workspace | None, folder: str) -> set[str]:
    found: set[str] = set()
    for place in (os.path.join(FRAMEWORK, folder), *([workspace.path(folder)] if workspace else [])):
        if os.path.isdir(place):
            found |= {name.removesuffix(ENDING) for name in os.listdir(place) if name.endswith(ENDING)}
    return found


def _find(workspace: Workspace | None, folder: str, name: str) -> Guide:
    try:
        return _read(workspace, folder, name)
    except HoldfastError as error:
        source = f"{FOLDER}/{folder}/{name}{ENDING}"
        return Guide(name=name, folder=folder, title=name, text="", source=source, problem=str(error))


def _read(workspace: Workspace | None, folder: str, name: str) -> Guide:
    file, problem = f"{name}{ENDING}", ""
    own, shown = workspace.path(folder, file) if workspace else "", f"{FOLDER}/{folder}/{file}"
    packaged = os.path.join(FRAMEWORK, folder, file)
    if own and os.path.lexists(own):
        try:
            return _guide(folder, name, read_strictly(own, shown), shown)
        except HoldfastError as error:
            if not os.path.exists(packaged):
                raise
            problem = f"{error} The packaged text is used."
    shown = f"framework/{folder}/{file}"
    return _guide(folder, name, read_strictly(packaged, shown), shown).replace(problem=problem)


def _guide(folder: str, name: str, text: str, source: str) -> Guide:
    heading = next((line[2:] for line in text.splitlines() if line.startswith("# ")), name)
    return Guide(name=name, folder=folder, title=heading, text=text, source=source)
