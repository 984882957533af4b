"""Reads the sources of the rules from disk: manifest, domain files, squads, constitution.

Separate from ``store``, because the prompt hook needs them only when one of them changed.
"""

from __future__ import annotations

import os

from holdfast.ground.config.defaults import ALL_RULES_BYTES, MOST_DOMAINS, RULES_BYTES
from holdfast.ground.storage.confinement import leads_out
from holdfast.ground.storage.files import UNRELIABLE, open_regular, read_text, stamp
from holdfast.ground.trust.consent import inherited_root
from holdfast.ground.values import Value
from holdfast.roles.roster import resolve
from holdfast.rules.format.constitution import Constitution, merge, read_constitution
from holdfast.rules.format.manifest import Domain, Manifest, read_manifest
from holdfast.rules.layout import CONSTITUTION_FILE, HOLDFAST, SQUAD_FILE, Layout, most_bytes
from holdfast.rules.plan.compiler import SQUAD, Unit
from holdfast.rules.plan.squads import Squad, namespaced, read_mode, squad_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.ground.storage.files import Stamp
    from holdfast.ground.workspace import Workspace

FRAMEWORK = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "framework")


class Sources(Value):
    """The rules as they are on disk.

    ``units``: the domains with their files: the project's, those that it inherits, the squads'.
    ``inherited``: the numbers of those that it inherits from the project around it.
    ``constitution``: the shipped one with the additions of the project, else of the one that it inherits from.
    ``watched``, ``watched_squads``: paths whose change makes a plan stale.
    ``problems``: the number of mistakes in manifests and constitution.
    """

    manifest: Manifest
    units: list[Unit]
    inherited: range
    squads: list[Squad]
    constitution: Constitution
    watched: list[str]
    watched_squads: list[str]
    problems: int


def read_sources(
    workspace: Workspace, layout: Layout = HOLDFAST, named: Mapping[tuple[str, str], str] | None = None
) -> Sources:
    """Return what the rules are made of now.

    ``named``: (squad's folder, domain there) -> the name that it has already and keeps, whatever other squad comes with
    a like one; as the kept plan has them where it is None.
    """
    if named is None:
        from holdfast.rules.plan.names import kept_names

        named = kept_names(workspace)
    root, folder, room = workspace.root, layout.folder, _Room(workspace.root, layout)
    manifest = read_manifest(room.read(f"{folder}/{layout.manifest}") or "")
    files = _domain_files(root, folder, layout)
    units = [_unit(room, domain, files, domain.name, domain.kind) for domain in room.admit(manifest.domains)]
    outer = inherited_root(workspace)
    above = _inherited(room, outer, [unit.domain.name for unit in units]) if outer else []
    inherited = range(len(units), len(units) + len(above))
    units += above
    squads, more, watched, problems = _squads(room, layout, units, named)
    added = room.read(CONSTITUTION_FILE)
    if added is None and outer:
        added = _Room(outer, layout).read(CONSTITUTION_FILE)
    constitution = merge(shipped_constitution(), read_constitution(added or ""))
    unread = room.refused + _unsaid(root, layout)
    watched_here = (folder, f"{folder}/{layout.manifest}", CONSTITUTION_FILE)
    return Sources(
        manifest=manifest,
        units=units + more,
        inherited=inherited,
        squads=squads,
        constitution=constitution,
        watched=[*watched_here, layout.squads, *(f"{_up(root, outer)}/{path}" for path in watched_here if outer)],
        watched_squads=watched,
        problems=len(manifest.problems) + len(constitution.problems) + problems + unread,
    )


def shipped_constitution() -> Constitution:
    """Return the product's own constitution, to which a project's is added."""
    return read_constitution(read_text(os.path.join(FRAMEWORK, "constitution.md")) or "")


def read_files(workspace: Workspace, layout: Layout = HOLDFAST) -> dict[str, bytes | None]:
    """Path from the project's root -> bytes (None: unreadable) of manifests, domain files, squads' ``squad.yaml`` and
    the project's constitution. One that is too large is cut where that shows."""
    root = workspace.root
    squads = [f"{layout.squads}/{name}" for name in _folders(root, layout.squads)]
    folders = [layout.folder, *(f"{squad}/{rules}" for squad in squads for rules in layout.squad_rules)]
    names = [f"{folder}/{name}" for folder in folders for name in _names(root, folder)]
    single = [CONSTITUTION_FILE, *(f"{squad}/{SQUAD_FILE}" for squad in squads)]
    names += [name for name in single if os.path.lexists(f"{root}/{name}")]
    names += [name for name in files_out(root, layout) if name not in names]
    return {name: _read_start(root, name, most_bytes(name, layout) + 1) for name in names}


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
    """Return the rules folder of each squad, the one that is or would be read, by the squad's folder; both from the
    project's root."""
    found = {}
    for name in _folders(workspace.root, layout.squads):
        folder = f"{layout.squads}/{name}"
        rules = _rules_folders(workspace.root, folder, layout)
        found[folder] = rules[0] if rules else f"{folder}/{layout.squad_rules[0]}"
    return found


def plain_name(name: str, layout: Layout = HOLDFAST) -> str:
    """Return a domain's or file's name without regard to case, hyphens, underscores and suffix."""
    bare = name.lower().replace("_", "-")
    for suffix in layout.suffixes:
        if suffix and bare.endswith(suffix):
            return bare[: -len(suffix)]
    return bare


def mark_of(root: str, path: str) -> Stamp | None:
    """Return the path's stamp; UNRELIABLE for a file that cannot be read, because gaining the right to read changes no
    stamp."""
    found = stamp(f"{root}/{path}")
    return found if found is None or os.access(f"{root}/{path}", os.R_OK) else UNRELIABLE


class _Room:
    """Reads files of the project's rules, none that is too large, and no more of them than all together may hold; and
    counts their domains."""

    def __init__(self, root: str, layout: Layout) -> None:
        self.root = root
        self.layout = layout
        self.left = ALL_RULES_BYTES
        self.domains_left = MOST_DOMAINS
        self.refused = 0

    def read(self, path: str) -> str | None:
        """Return the file's text, None where there is no readable file or no room for it."""
        return read_text(f"{self.root}/{path}", most_bytes(path, self.layout)) if self.takes(path) else None

    def takes(self, path: str) -> bool:
        """Return whether there is room for the file, which is then taken; no link out of the project is."""
        if leads_out(f"{self.root}/{path}", self.root):
            return False
        mark = stamp(f"{self.root}/{path}")
        size = mark[1] if mark else 0
        fits = size <= min(self.left, most_bytes(path, self.layout))
        self.refused += not fits
        self.left -= size if fits else 0
        return fits

    def admit(self, domains: tuple[Domain, ...]) -> tuple[Domain, ...]:
        """Return as many of a manifest's domains as there is room for."""
        admitted = domains[: self.domains_left]
        self.refused += len(admitted) < len(domains)
        self.domains_left -= len(admitted)
        return admitted


def _inherited(room: _Room, outer: str, taken: list[str]) -> list[Unit]:
    """Return the domains of the project at ``outer`` whose names the project around ``room`` has not taken."""
    layout = room.layout
    theirs = _Room(outer, layout)
    theirs.left, theirs.domains_left = room.left, room.domains_left
    manifest = read_manifest(theirs.read(f"{layout.folder}/{layout.manifest}") or "")
    files = _domain_files(outer, layout.folder, layout)
    domains = tuple(domain for domain in manifest.domains if domain.name not in taken)
    units = [_unit(theirs, domain, files, domain.name, domain.kind) for domain in theirs.admit(domains)]
    room.left, room.domains_left = theirs.left, theirs.domains_left
    room.refused += theirs.refused
    return [_seen_from(unit, _up(room.root, outer)) for unit in units]


def _seen_from(unit: Unit, up: str) -> Unit:
    """Return a unit of an outer project with its paths from the inner one's root."""
    files = tuple((f"{up}/{path}", mark) for path, mark in unit.files)
    return unit.replace(path=unit.path and f"{up}/{unit.path}", files=files)


def _up(root: str, outer: str) -> str:
    """Return the way from one project to the one around it: ``../..``."""
    return os.path.relpath(outer, root).replace(os.sep, "/")


def _squads(
    room: _Room, layout: Layout, units: list[Unit], named: Mapping[tuple[str, str], str]
) -> tuple[list[Squad], list[Unit], list[str], int]:
    """Return (the squads, their domains under names of their own, the paths that tell of a change in them, how many
    mistakes are in their manifests)."""
    squads: list[Squad] = []
    more: list[Unit] = []
    watched: list[str] = []
    problems = 0
    taken = {unit.domain.name for unit in units}
    root, folders = room.root, _folders(room.root, layout.squads)
    kept = {key: name for key, name in named.items() if os.path.basename(key[0]) in folders and name not in taken}
    taken.update(kept.values())
    for name in folders:
        folder = f"{layout.squads}/{name}"
        found = _rules_folders(root, folder, layout)
        watched += _places(root, folder, layout)
        if found:
            manifest = read_manifest(room.read(f"{found[0]}/{layout.manifest}") or "")
            squad, domains = _read_squad(room, folder, found[0], manifest, layout, len(units) + len(more), taken, kept)
            squads.append(squad)
            more += domains
            problems += len(manifest.problems)
    return squads, more, watched, problems


def _read_squad(
    room: _Room,
    folder: str,
    rules: str,
    manifest: Manifest,
    layout: Layout,
    start: int,
    taken: set[str],
    named: Mapping[tuple[str, str], str],
) -> tuple[Squad, list[Unit]]:
    own = squad_id(os.path.basename(folder))
    files = _domain_files(room.root, rules, layout)
    mode = read_mode(room.read(f"{folder}/{SQUAD_FILE}") or "", manifest.extends)
    beside = tuple((path, mark_of(room.root, path)) for path in (f"{folder}/{SQUAD_FILE}", rules))
    units = []
    for domain in room.admit(manifest.domains):
        excluded = domain.exclude + manifest.global_exclude
        name = named.get((folder, domain.name)) or namespaced(own, domain.name, taken)
        renamed = domain.replace(name=name, exclude=excluded)
        taken.add(renamed.name)
        units.append(_unit(room, renamed, files, domain.name, SQUAD, beside))
    return Squad(id=own, mode=mode, numbers=range(start, start + len(units))), units


def declares_agent(domain: Domain) -> bool:
    """Return whether the domain declares an agent beside the shipped ones."""
    return bool(domain.declares) and resolve(domain.declares) is None


def declared_agents(workspace: Workspace, layout: Layout = HOLDFAST) -> tuple[str, ...]:
    """Return the ids of the agents that the project's manifest declares beside the shipped ones."""
    text = _Room(workspace.root, layout).read(f"{layout.folder}/{layout.manifest}") or ""
    return tuple(domain.agent for domain in read_manifest(text).domains if declares_agent(domain))


def _rules_folders(root: str, folder: str, layout: Layout) -> list[str]:
    """Return a squad's folders with a manifest; the first one is read."""
    rules = [f"{folder}/{each}" for each in layout.squad_rules]
    return [each for each in rules if _is_file(root, f"{each}/{layout.manifest}")]


def _places(root: str, folder: str, layout: Layout) -> list[str]:
    """Return the paths that change when a squad gets, loses or edits its manifest: the manifest, and for each rules
    folder that would come before it the deepest folder that exists on the way to it."""
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
    room: _Room,
    domain: Domain,
    files: dict[str, str],
    plain: str,
    kind: str,
    beside: tuple[tuple[str, Stamp | None], ...] = (),
) -> Unit:
    path = files.get(plain_name(plain), "")
    own = ((path, mark_of(room.root, path)),) if path else ()
    takes = bool(path) and room.takes(path)
    read = (lambda: read_text(f"{room.root}/{path}", RULES_BYTES)) if takes else (lambda: None)
    return Unit(domain=domain, plain=plain, kind=kind, path=path, files=own + beside, read=read)


def _domain_files(root: str, folder: str, layout: Layout) -> dict[str, str]:
    """Return the paths from the root of a rules folder's domain files, by plain name."""
    found: dict[str, str] = {}
    for name in _names(root, folder):
        if name != layout.manifest and os.path.isfile(f"{root}/{folder}/{name}"):
            found.setdefault(plain_name(name, layout), f"{folder}/{name}")
    return found


def _read_start(root: str, name: str, most: int) -> bytes | None:
    """Return the file's first bytes, None where it cannot be read, or a link out of the project leads to it."""
    path = os.path.join(root, name)
    handle = None if leads_out(f"{root}/{name}", root) else open_regular(path)
    if handle is None:
        return None
    try:
        with open(handle, "rb") as file:
            return file.read(most)
    except OSError:
        return None


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
