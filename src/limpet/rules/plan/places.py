"""Where a project's rules lie: the files and folders that are read, those that are not, and their names. Separate from
``sources``, because what checks, reviews and completes asks for files and reads no rule."""

from __future__ import annotations

import os

from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.files import UNRELIABLE, names_in, stamp, view_file
from limpet.ground.storage.user_folders import data_folder
from limpet.ground.trust.in_place import agreed_in_place
from limpet.rules.layout import CONSTITUTION_FILE, LIMPET, MANIFEST, SQUAD_FILE, most_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.storage.files import Stamp
    from limpet.ground.workspace import Workspace


def read_rule_files(workspace: Workspace) -> dict[str, bytes | None]:
    """Path from the project's root -> bytes (None: unreadable) of manifests, domain files, those of a folder that is
    read in place, squads' ``squad.yaml`` and the project's constitution. One that is too large is cut where that
    shows."""
    root = workspace.root
    squads = [f"{LIMPET.squads}/{name}" for name in folders_in(root, LIMPET.squads)]
    folders = [LIMPET.folder]
    if other := agreed_in_place(workspace):
        folders.append(other)
    for squad in squads:
        folders += [f"{squad}/{rules}" for rules in LIMPET.squad_rules]
    names: list[str] = []
    for folder in folders:
        names += [f"{folder}/{name}" for name in _names(root, folder)]
    single = [MANIFEST, CONSTITUTION_FILE, *(f"{squad}/{SQUAD_FILE}" for squad in squads)]
    names += [name for name in single if name not in names and os.path.lexists(f"{root}/{name}")]
    names += [name for name in files_out(root) if name not in names]
    return {name: _read_start(root, name) for name in names}


def personal_rules(workspace: Workspace) -> str:
    """The folder whose rules are the user's own and hold in every project, as that of a project; "" without any."""
    found = os.path.join(data_folder(), "personal")
    return found if not workspace.stranger and os.path.isfile(f"{found}/{MANIFEST}") else ""


def files_out(root: str) -> list[str]:
    """What of the rules is not read, because it is a link out of the project."""
    folder = LIMPET.folder
    found = [folder, MANIFEST, CONSTITUTION_FILE, LIMPET.squads]
    found += [f"{folder}/{name}" for name in _names(root, folder) if name != LIMPET.manifest]
    found += [f"{LIMPET.squads}/{name}" for name in folders_in(root, LIMPET.squads)]
    return [path for path in found if leads_out(f"{root}/{path}", root)]


def squad_folders(workspace: Workspace) -> dict[str, str]:
    """Squad's folder -> its rules folder, the one that is or would be read; both from the project's root."""
    found = {}
    for name in folders_in(workspace.root, LIMPET.squads):
        folder = f"{LIMPET.squads}/{name}"
        found[folder] = find_squad_rules(workspace.root, folder)[0] or f"{folder}/{LIMPET.squad_rules[0]}"
    return found


def find_squad_rules(root: str, folder: str) -> tuple[str, list[str]]:
    """(A squad's rules folder, the first with a manifest, "" for none; the paths that change when the squad gets, loses
    or edits its manifest: the manifest, and for each rules folder that would come before it the deepest folder that
    exists on the way to it)."""
    places: list[str] = []
    for each in LIMPET.squad_rules:
        path = rules = f"{folder}/{each}"
        manifest = f"{rules}/{LIMPET.manifest}"
        if os.path.isfile(f"{root}/{manifest}") and not leads_out(f"{root}/{manifest}", root):
            return rules, [*places, manifest]
        while path != folder and not os.path.isdir(f"{root}/{path}"):
            path = path.rpartition("/")[0]
        places.append(path)
    return "", list(dict.fromkeys(places))


def domain_files(root: str, folder: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _entries(root, folder):
        if name != LIMPET.manifest and os.path.isfile(f"{root}/{folder}/{name}"):
            found.setdefault(plain_rule_name(name), f"{folder}/{name}")
    return found


def plain_rule_name(name: str) -> str:
    bare = name.lower().replace("_", "-")
    for suffix in LIMPET.suffixes:
        if suffix and bare.endswith(suffix):
            return bare[: -len(suffix)]
    return bare


def mark_of(root: str, path: str) -> Stamp | None:
    """UNRELIABLE for a file that cannot be read, because gaining the right to read changes no stamp."""
    found = stamp(f"{root}/{path}")
    return found if found is None or os.access(f"{root}/{path}", os.R_OK) else UNRELIABLE


def folders_in(root: str, folder: str) -> list[str]:
    return [name for name in _entries(root, folder) if os.path.isdir(f"{root}/{folder}/{name}")]


def _read_start(root: str, name: str) -> bytes | None:
    path = f"{root}/{name}"
    try:
        view = None if leads_out(path, root) else view_file(path)
        return None if view is None else view[: most_bytes(name) + 1]
    except OSError:
        return None


def _names(root: str, folder: str) -> list[str]:
    return [name for name in _entries(root, folder) if not os.path.isdir(f"{root}/{folder}/{name}")]


def _entries(root: str, folder: str) -> list[str]:
    found = [] if leads_out(f"{root}/{folder}", root) else names_in(f"{root}/{folder}")
    return [name for name in found if not name.startswith(".")]
