"""Finds the files of workflows by name, without reading any: the prompt hook asks too, which reads no YAML."""

from __future__ import annotations

import os

import limpet
from limpet.ground.storage.files import names_in
from limpet.ground.workspace import FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.ground.workspace import Workspace

WORKFLOWS, ENDING = "workflows", ".yaml"
# The workflow that is offered first.
FIRST = "solo"
# Other name of a shipped workflow -> its own; a file of that other name comes before it.
ALIASES = {"greenfield-fullstack": "greenfield", "brownfield-fullstack": "brownfield"}


def plain_name(name: str) -> str:
    """Return a workflow's name as names are compared: ``Story_Cycle`` is ``story-cycle``."""
    return name.strip().lower().replace("_", "-")


def find_workflow_file(workspace: Workspace, name: str) -> tuple[str, str] | None:
    """Return the file of the project's workflow of this name or alias, else of the shipped one, as (path, its name in
    messages); None where there is neither. However the name is spelled on disk, it is found."""
    plain = plain_name(name)
    found = _find(workspace, plain)
    return _find(workspace, ALIASES[plain]) if found is None and plain in ALIASES else found


def own_workflow_file(workspace: Workspace, name: str) -> str:
    """Return the path of the project's own file of this workflow, or where it would lie."""
    found = find_workflow_file(workspace, name)
    folder = workspace.path(WORKFLOWS)
    own = found is not None and os.path.dirname(found[0]) == folder
    return found[0] if found and own else os.path.join(folder, f"{plain_name(name)}{ENDING}")


def workflow_names(workspace: Workspace) -> list[str]:
    """Return the names of all workflows, the one to offer first before the others in their order."""
    return sorted({name_of(path) for path, _ in _files(workspace)}, key=lambda name: (name != FIRST, name))


def names_and_aliases(workspace: Workspace) -> list[str]:
    """Return all names that a workflow answers to."""
    return [*workflow_names(workspace), *ALIASES]


def name_of(path: str) -> str:
    """Return the plain name of a workflow's file, "" for what is none."""
    file = os.path.basename(path)
    name = plain_name(file[: -len(ENDING)]) if file.lower().endswith(ENDING) else ""
    sound = name[:1].isalnum() and name.replace("-", "").isalnum() and name.isascii()
    return name if sound else ""


def _find(workspace: Workspace, plain: str) -> tuple[str, str] | None:
    return next((found for found in _files(workspace) if name_of(found[0]) == plain), None)


def _files(workspace: Workspace) -> Iterator[tuple[str, str]]:
    """Yield (path, shown) of all files of workflows: the project's, then the shipped ones; of two spellings of a name
    the plain one comes first."""
    shipped = os.path.join(os.path.dirname(limpet.__file__), "framework", WORKFLOWS)
    for folder, shown in ((workspace.path(WORKFLOWS), f"{FOLDER}/{WORKFLOWS}"), (shipped, f"framework/{WORKFLOWS}")):
        for file in sorted(names_in(folder), key=lambda each: each != plain_name(each)):
            path = os.path.join(folder, file)
            if name_of(path):
                yield path, f"{shown}/{file}"
