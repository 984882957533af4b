"""The rules on disk: opens the plan, sees what was edited since, compiles and keeps it. No other rules file reads or
writes."""

from __future__ import annotations

import os
import time

from holdfast.ground.files import read_bytes, read_text, remove_file, settled, stamp, stamps, view_file, write_atomic
from holdfast.ground.values import Value
from holdfast.rules.layout import CONSTITUTION_FILE, HOLDFAST, SQUAD_FILE, Layout
from holdfast.rules.plan import Plan, heading, pack, pack_stamps, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.files import Stamp
    from holdfast.ground.workspace import Workspace
    from holdfast.rules.compiler import Unit
    from holdfast.rules.constitution import Constitution
    from holdfast.rules.manifest import Domain, Manifest
    from holdfast.rules.plan import Record
    from holdfast.rules.squads import Squad

    Stamps = list[tuple[str, Stamp | None]]

FRAMEWORK = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "framework")
UNSETTLED = (0, 0, 0)
# What marshal raises over bytes that it did not write.
SPOILT = (ValueError, EOFError, TypeError)


class Sources(Value):
    """What the rules are made of, as it stands on disk: manifest, domains with their files, squads, the constitution
    with the project's additions, and the paths that tell of a change."""

    manifest: Manifest
    units: list[Unit]
    squads: list[Squad]
    constitution: Constitution
    watched: list[str]


def open_plan(workspace: Workspace, way: str = "words", layout: Layout = HOLDFAST, anew: bool = False) -> Plan:
    """The plan of the project's rules, compiled anew when a manifest, a folder or the constitution changed, or on
    demand."""
    head = heading(way)
    kept = unpack(head, view_file(_plan_path(workspace)))
    if kept and not anew and _is_current(workspace.root, kept):
        return kept
    return _compile(workspace, way, layout, head, kept)


def drop_plan(workspace: Workspace) -> None:
    """Forget the plan, so that the next prompt compiles it anew."""
    remove_file(_plan_path(workspace))


def fresh_records(workspace: Workspace, plan: Plan, numbers: list[int]) -> list[Record] | None:
    """The records of these domains, or None when one of their files was edited since the plan was made: open it
    anew."""
    try:
        records = [plan.record(number) for number in numbers]
    except SPOILT:
        return None
    unchanged = all(_is_unchanged(workspace.root, record["files"]) for record in records)
    return records if unchanged else None


def read_sources(workspace: Workspace, layout: Layout = HOLDFAST) -> Sources:
    """What the rules are made of now."""
    from holdfast.rules.constitution import merge
    from holdfast.rules.manifest import read_manifest

    folder = layout.folder
    manifest = read_manifest(_read(workspace.root, folder, layout.manifest) or "")
    files = _domain_files(workspace.root, folder, layout)
    units = [_unit(workspace.root, domain, files, domain.name, domain.kind, ()) for domain in manifest.domains]
    squads, more, watched = _squads(workspace.root, layout, units)
    added = _constitution(workspace.path("constitution.md"))
    return Sources(
        manifest=manifest,
        units=units + more,
        squads=squads,
        constitution=merge(shipped_constitution(), added),
        watched=[folder, f"{folder}/{layout.manifest}", CONSTITUTION_FILE, layout.squads, *watched],
    )


def shipped_constitution() -> Constitution:
    """The product's own constitution, to which a project's is added."""
    return _constitution(os.path.join(FRAMEWORK, "constitution.md"))


def read_files(workspace: Workspace, layout: Layout = HOLDFAST) -> dict[str, bytes | None]:
    """Path from the project's root -> bytes (None: unreadable) of manifests, domain files, squads' ``squad.yaml`` and
    the project's constitution."""
    root = workspace.root
    squads = [f"{layout.squads}/{name}" for name in _folders(f"{root}/{layout.squads}")]
    folders = [layout.folder, *(f"{squad}/{rules}" for squad in squads for rules in layout.squad_rules)]
    names = [f"{folder}/{name}" for folder in folders for name in _names(f"{root}/{folder}")]
    single = [CONSTITUTION_FILE, *(f"{squad}/{SQUAD_FILE}" for squad in squads)]
    names += [name for name in single if os.path.lexists(f"{root}/{name}")]
    return {name: read_bytes(os.path.join(root, name)) for name in names}


def squad_folders(workspace: Workspace, layout: Layout = HOLDFAST) -> dict[str, str]:
    """A squad's folder -> its rules folder, the one that is or would be read, both from the project's root."""
    found = {}
    for name in _folders(os.path.join(workspace.root, layout.squads)):
        folder = f"{layout.squads}/{name}"
        rules = _rules_folders(workspace.root, folder, layout)
        found[folder] = rules[0] if rules else f"{folder}/{layout.squad_rules[0]}"
    return found


def plan_state(workspace: Workspace, way: str) -> tuple[int, bool]:
    """(bytes of the kept plan, 0 where there is none; whether the next prompt can use it as it is)."""
    raw = read_bytes(_plan_path(workspace))
    kept = unpack(heading(way), raw)
    if kept is None or not _is_current(workspace.root, kept):
        return len(raw or b""), False
    every = list(range(len(kept.matcher["names"])))
    return len(raw or b""), fresh_records(workspace, kept, every) is not None


def plain_name(name: str, layout: Layout = HOLDFAST) -> str:
    """A domain's or file's name with case, hyphens, underscores and suffix set aside."""
    bare = name.lower().replace("_", "-")
    for suffix in layout.suffixes:
        if suffix and bare.endswith(suffix):
            return bare[: -len(suffix)]
    return bare


def _compile(workspace: Workspace, way: str, layout: Layout, head: bytes, kept: Plan | None) -> Plan:
    from holdfast.rules.compiler import compile_plan, make_charter

    began = time.time_ns()
    found = read_sources(workspace, layout)
    watched = _settled([(path, _mark(workspace.root, path)) for path in found.watched], began)
    known = _known(kept)
    charter = make_charter(found.constitution)
    matcher, records = compile_plan(found.manifest, found.units, found.squads, charter, watched, way, known)
    for record in records:
        record["files"] = _settled(record["files"], began)
    raw = pack(head, matcher, records)
    _keep(_plan_path(workspace), raw)
    plan = unpack(head, raw)
    assert plan is not None
    return plan


def _mark(root: str, path: str) -> Stamp | None:
    """The stamp; one that never holds where nothing can be read, because the right to read changes no stamp."""
    found = stamp(f"{root}/{path}")
    return found if found is None or os.access(f"{root}/{path}", os.R_OK) else UNSETTLED


def _is_current(root: str, plan: Plan) -> bool:
    """Whether nothing that the plan watches has changed."""
    return pack_stamps(stamps(root, plan.matcher["watched"].split("\0"))) == plan.matcher["marks"]


def _is_unchanged(root: str, stamps: Stamps) -> bool:
    return all(mark == stamp(f"{root}/{path}") for path, mark in stamps)


def _known(kept: Plan | None) -> dict[str, Record]:
    """The records of an older plan by name, none of one that was spoilt."""
    if kept is None:
        return {}
    try:
        return {name: kept.record(number) for number, name in enumerate(kept.matcher["names"])}
    except SPOILT:
        return {}


def _settled(stamps: Stamps, now: int) -> Stamps:
    """The stamps, those aside that a later edit might repeat."""
    return [(path, mark if settled(mark, now) else UNSETTLED) for path, mark in stamps]


def _keep(path: str, raw: bytes) -> None:
    """Write the plan; where that is not possible the next prompt compiles again."""
    try:
        write_atomic(path, raw, follow=False)
    except OSError:
        return


def _plan_path(workspace: Workspace) -> str:
    return workspace.path("cache", "plan")


def _squads(root: str, layout: Layout, units: list[Unit]) -> tuple[list[Squad], list[Unit], list[str]]:
    """(the squads, their domains under names of their own, the paths that tell of a change in them)."""
    squads: list[Squad] = []
    more: list[Unit] = []
    watched: list[str] = []
    taken = {unit.domain.name for unit in units}
    for name in _folders(os.path.join(root, layout.squads)):
        folder = f"{layout.squads}/{name}"
        found = _rules_folders(root, folder, layout)
        watched += _places(root, folder, layout)
        if found:
            squad, domains = _read_squad(root, folder, found[0], layout, len(units) + len(more), taken)
            squads.append(squad)
            more += domains
    return squads, more, watched


def _read_squad(
    root: str, folder: str, rules: str, layout: Layout, start: int, taken: set[str]
) -> tuple[Squad, list[Unit]]:
    from holdfast.rules.compiler import SQUAD
    from holdfast.rules.manifest import read_manifest
    from holdfast.rules.squads import Squad, namespaced, read_mode, squad_id

    own = squad_id(os.path.basename(folder))
    manifest = read_manifest(_read(root, rules, layout.manifest) or "")
    files = _domain_files(root, rules, layout)
    mode = read_mode(_read(root, folder, SQUAD_FILE) or "", manifest.extends)
    beside = tuple((path, _mark(root, path)) for path in (f"{folder}/{SQUAD_FILE}", rules))
    units = []
    for domain in manifest.domains:
        excluded = domain.exclude + manifest.global_exclude
        renamed = domain.replace(name=namespaced(own, domain.name, taken), exclude=excluded)
        taken.add(renamed.name)
        units.append(_unit(root, renamed, files, domain.name, SQUAD, beside))
    return Squad(id=own, mode=mode, numbers=range(start, start + len(units))), units


def _rules_folders(root: str, folder: str, layout: Layout) -> list[str]:
    """A squad's folders with a manifest; the first one is read."""
    rules = [f"{folder}/{each}" for each in layout.squad_rules]
    return [each for each in rules if os.path.isfile(f"{root}/{each}/{layout.manifest}")]


def _places(root: str, folder: str, layout: Layout) -> list[str]:
    """What changes when a squad gets, loses or edits its manifest: the manifest, and for each rules folder that would
    come before it the deepest folder there is on the way to it."""
    places: list[str] = []
    for each in layout.squad_rules:
        path = f"{folder}/{each}"
        if os.path.isfile(f"{root}/{path}/{layout.manifest}"):
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
    from holdfast.rules.compiler import Unit

    path = files.get(plain_name(plain), "")
    own = ((path, _mark(root, path)),) if path else ()
    read = (lambda: read_text(f"{root}/{path}")) if path else (lambda: None)
    return Unit(domain=domain, plain=plain, kind=kind, path=path, files=own + beside, read=read)


def _domain_files(root: str, folder: str, layout: Layout) -> dict[str, str]:
    """Plain name -> path from the root, of a rules folder's domain files."""
    found: dict[str, str] = {}
    for name in _names(os.path.join(root, folder)):
        if name != layout.manifest and os.path.isfile(f"{root}/{folder}/{name}"):
            found.setdefault(plain_name(name, layout), f"{folder}/{name}")
    return found


def _constitution(path: str) -> Constitution:
    from holdfast.rules.constitution import read_constitution

    return read_constitution(read_text(path) or "")


def _read(root: str, folder: str, name: str) -> str | None:
    return read_text(f"{root}/{folder}/{name}")


def _names(folder: str) -> list[str]:
    """The files in a rules folder, links that lead nowhere among them."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return []
    return sorted(entry.name for entry in entries if not entry.name.startswith(".") and not _is_folder(entry))


def _folders(folder: str) -> list[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return []
    return sorted(entry.name for entry in entries if not entry.name.startswith(".") and _is_folder(entry))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False
