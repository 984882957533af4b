"""What the rules are made of on disk: manifest, domain files, squads, constitution. Apart from ``store``, because the
prompt hook reads them only when something changed."""

from __future__ import annotations

import os

from holdfast.ground.storage.confinement import leads_out
from holdfast.ground.storage.files import UNRELIABLE, read_bytes, read_text, stamp
from holdfast.ground.values import Value
from holdfast.rules.format.constitution import Constitution, merge, read_constitution
from holdfast.rules.format.manifest import Domain, Manifest, read_manifest
from holdfast.rules.layout import CONSTITUTION_FILE, HOLDFAST, SQUAD_FILE, Layout
from holdfast.rules.plan.compiler import SQUAD, Unit
from holdfast.rules.plan.squads import Squad, namespaced, read_mode, squad_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.storage.files import Stamp
    from holdfast.ground.workspace import Workspace

FRAMEWORK = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "framework")


class Sources(Value):
    """What the rules are made of, as it stands on disk: manifest, domains with their files, squads, the constitution
    with the project's additions, the paths that tell of a change, and how many mistakes there are in manifests and
    constitution."""

    manifest: Manifest
    units: list[Unit]
    squads: list[Squad]
    constitution: Constitution
    watched: list[str]
    watched_squads: list[str]
    problems: int


def read_sources(workspace: Workspace, layout: Layout = HOLDFAST) -> Sources:
    """Return what the rules are made of now."""
    root, folder = workspace.root, layout.folder
    manifest = read_manifest(_read(root, folder, layout.manifest) or "")
    files = _domain_files(root, folder, layout)
    units = [_unit(root, domain, files, domain.name, domain.kind, ()) for domain in manifest.domains]
    squads, more, watched, problems = _squads(root, layout, units)
    constitution = merge(shipped_constitution(), read_constitution(_read(root, CONSTITUTION_FILE) or ""))
    return Sources(
        manifest=manifest,
        units=units + more,
        squads=squads,
        constitution=constitution,
        watched=[folder, f"{folder}/{layout.manifest}", CONSTITUTION_FILE, layout.squads],
        watched_squads=watched,
        problems=len(manifest.problems) + len(constitution.problems) + problems + _unsaid(root, layout),
    )


def shipped_constitution() -> Constitution:
    """Return the product's own constitution, to which a project's is added."""
    return read_constitution(read_text(os.path.join(FRAMEWORK, "constitution.md")) or "")


def read_files(workspace: Workspace, layout: Layout = HOLDFAST) -> dict[str, bytes | None]:
    """Path from the project's root -> bytes (None: unreadable) of manifests, domain files, squads' ``squad.yaml`` and
    the project's constitution."""
    root = workspace.root
    squads = [f"{layout.squads}/{name}" for name in _folders(root, layout.squads)]
    folders = [layout.folder, *(f"{squad}/{rules}" for squad in squads for rules in layout.squad_rules)]
    names = [f"{folder}/{name}" for folder in folders for name in _names(root, folder)]
    single = [CONSTITUTION_FILE, *(f"{squad}/{SQUAD_FILE}" for squad in squads)]
    names += [name for name in single if os.path.lexists(f"{root}/{name}")]
    names += [name for name in files_out(root, layout) if name not in names]
    return {name: None if leads_out(f"{root}/{name}", root) else read_bytes(os.path.join(root, name)) for name in names}


def files_out(root: str, layout: Layout = HOLDFAST) -> list[str]:
    """Return what of the rules is not read, because it is a link out of the project: paths from the root."""
    folder = layout.folder
    found = [folder, f"{folder}/{layout.manifest}", CONSTITUTION_FILE, layout.squads]
    found += [f"{folder}/{name}" for name in _names(root, folder) if name != layout.manifest]
    found += [f"{layout.squads}/{name}" for name in _folders(root, layout.squads)]
    return [path for path in found if leads_out(f"{root}/{path}", root)]


def _unsaid(root: str, layout: Layout) -> int:
    """Return how many links out of the project no other note tells of, as that a domain has no file does."""
    return sum(not path.startswith(layout.folder) for path in files_out(root, layout))


def squad_folders(workspace: Workspace, layout: Layout = HOLDFAST) -> dict[str, str]:
    """Return a squad's folder -> its rules folder, the one that is or would be read, both from the project's root."""
    found = {}
    for name in _folders(workspace.root, layout.squads):
        folder = f"{layout.squads}/{name}"
        rules = _rules_folders(workspace.root, folder, layout)
        found[folder] = rules[0] if rules else f"{folder}/{layout.squad_rules[0]}"
    return found


def plain_name(name: str, layout: Layout = HOLDFAST) -> str:
    """Return a domain's or file's name with case, hyphens, underscores and suffix set aside."""
    bare = name.lower().replace("_", "-")
    for suffix in layout.suffixes:
        if suffix and bare.endswith(suffix):
            return bare[: -len(suffix)]
    return bare


def mark_of(root: str, path: str) -> Stamp | None:
    """Return the stamp; one that never holds where nothing can be read, because the right to read changes no stamp."""
    found = stamp(f"{root}/{path}")
    return found if found is None or os.access(f"{root}/{path}", os.R_OK) else UNRELIABLE


def _squads(root: str, layout: Layout, units: list[Unit]) -> tuple[list[Squad], list[Unit], list[str], int]:
    """Return (the squads, their domains under names of their own, the paths that tell of a change in them, how many
    mistakes are in their manifests)."""
    squads: list[Squad] = []
    more: list[Unit] = []
    watched: list[str] = []
    problems = 0
    taken = {unit.domain.name for unit in units}
    for name in _folders(root, layout.squads):
        folder = f"{layout.squads}/{name}"
        found = _rules_folders(root, folder, layout)
        watched += _places(root, folder, layout)
        if found:
            manifest = read_manifest(_read(root, found[0], layout.manifest) or "")
            squad, domains = _read_squad(root, folder, found[0], manifest, layout, len(units) + len(more), taken)
            squads.append(squad)
            more += domains
            problems += len(manifest.problems)
    return squads, more, watched, problems


def _read_squad(
    root: str, folder: str, rules: str, manifest: Manifest, layout: Layout, start: int, taken: set[str]
) -> tuple[Squad, list[Unit]]:
    own = squad_id(os.path.basename(folder))
    files = _domain_files(root, rules, layout)
    mode = read_mode(_read(root, folder, SQUAD_FILE) or "", manifest.extends)
    beside = tuple((path, mark_of(root, path)) for path in (f"{folder}/{SQUAD_FILE}", rules))
    units = []
    for domain in manifest.domains:
        excluded = domain.exclude + manifest.global_exclude
        renamed = domain.replace(name=namespaced(own, domain.name, taken), exclude=excluded)
        taken.add(renamed.name)
        units.append(_unit(root, renamed, files, domain.name, SQUAD, beside))
    return Squad(id=own, mode=mode, numbers=range(start, start + len(units))), units


def _rules_folders(root: str, folder: str, layout: Layout) -> list[str]:
    """Return a squad's folders with a manifest; the first one is read."""
    rules = [f"{folder}/{each}" for each in layout.squad_rules]
    return [each for each in rules if _is_file(root, f"{each}/{layout.manifest}")]


def _places(root: str, folder: str, layout: Layout) -> list[str]:
    """Return what changes when a squad gets, loses or edits its manifest: the manifest, and for each rules folder
    that would come before it the deepest folder there is on the way to it."""
    places: list[str] = []
    for each in layout.squad_rules:
        path = f"{folder}/{each}"
        if _is_file(root, f"{path}/{layout.manifest}"):
            return [*places, f"{path}/{layout.manifest}"]
        while path != folder and not os.path.isdir(f"{root}/{path}"):
            path = path.rpartition("/")[0]
        places.append(path)
    return list(dict.fromkeys(places))


def _unit(
    root: str,
    domain: Domain,
    files: dict[str, str],
    plain: str,
    kind: str,
    beside: tuple[tuple[str, Stamp | None], ...],
) -> Unit:
    path = files.get(plain_name(plain), "")
    own = ((path, mark_of(root, path)),) if path else ()
    read = (lambda: _read(root, path)) if path else (lambda: None)
    return Unit(domain=domain, plain=plain, kind=kind, path=path, files=own + beside, read=read)


def _domain_files(root: str, folder: str, layout: Layout) -> dict[str, str]:
    """Plain name -> path from the root, of a rules folder's domain files."""
    found: dict[str, str] = {}
    for name in _names(root, folder):
        if name != layout.manifest and os.path.isfile(f"{root}/{folder}/{name}"):
            found.setdefault(plain_name(name, layout), f"{folder}/{name}")
    return found


def _read(root: str, *parts: str) -> str | None:
    """Return the text of a file of the project; None where there is none, or a link out of the project leads to it."""
    path = "/".join((root, *parts))
    return None if leads_out(path, root) else read_text(path)


def _is_file(root: str, path: str) -> bool:
    return os.path.isfile(f"{root}/{path}") and not leads_out(f"{root}/{path}", root)


def _names(root: str, folder: str) -> list[str]:
    """Return the files in a rules folder, links that lead nowhere among them."""
    entries = _entries(root, folder)
    return sorted(entry.name for entry in entries if not entry.name.startswith(".") and not _is_folder(entry))


def _folders(root: str, folder: str) -> list[str]:
    entries = _entries(root, folder)
    return sorted(entry.name for entry in entries if not entry.name.startswith(".") and _is_folder(entry))


def _entries(root: str, folder: str) -> list[os.DirEntry[str]]:
    """Return what lies in the folder, nothing where a link out of the project leads to it."""
    try:
        return [] if leads_out(f"{root}/{folder}", root) else list(os.scandir(f"{root}/{folder}"))
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False
