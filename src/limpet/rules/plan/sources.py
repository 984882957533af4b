"""Reads the sources of the rules: manifest, domain files, squads and constitution from disk, and what is shipped, which
lies beneath the project's own by name. Separate from ``store``, because the prompt hook needs them only when one of
them changed."""

from __future__ import annotations

import os
from functools import partial

from limpet.ground.config.defaults import ALL_RULES_BYTES, CACHE_BYTES, MOST_DOMAINS, RULES_BYTES
from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.files import names_in, read_bytes, read_text, stamp
from limpet.ground.storage.scaffold import JAVASCRIPT_RULES, JAVASCRIPT_SIGNS, shipped_rules
from limpet.ground.trust.consent import inherited_root
from limpet.ground.trust.in_place import CARL_2, agreed_in_place
from limpet.ground.values import Value
from limpet.roles.roster import resolve_id
from limpet.rules.format.constitution import Constitution, merge, read_constitution
from limpet.rules.format.manifest import Domain, RulesManifest, read_manifest
from limpet.rules.layout import CONSTITUTION_FILE, LIMPET, MANIFEST, SQUAD_FILE, most_bytes
from limpet.rules.matching import WAYS
from limpet.rules.plan.compiler import IN_PLACE, INHERITED, PROJECT, SHIPPED, SQUAD, Unit
from limpet.rules.plan.places import (
    domain_files,
    files_out,
    find_squad_rules,
    folders_in,
    mark_of,
    personal_rules,
    plain_rule_name,
)
from limpet.rules.plan.plan import Squad, heading, namespaced, plan_path, read_mode, squad_id, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from limpet.ground.storage.files import Stamp
    from limpet.ground.workspace import Workspace
    from limpet.rules.plan.in_place import Files, Read
    from limpet.rules.plan.plan import RulePlan

FRAMEWORK = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "framework")


class Sources(Value):
    """``units``: the project's, those that it inherits, those that are shipped, the squads'.
    ``constitution``: the shipped one with the additions of the project, else of the one that it inherits from.
    ``watched``: paths whose change makes a plan stale.
    ``problems``: the number of mistakes in manifests and constitution.
    ``in_place``: the folder of another tool that is read with them, "" for none.
    """

    manifest: RulesManifest
    units: list[Unit]
    squads: list[Squad]
    constitution: Constitution
    watched: list[str]
    problems: int
    in_place: str


def read_sources(workspace: Workspace, kept: RulePlan | None = None) -> Sources:
    """``kept``: the plan in which squads' domains have names already, which they keep, whatever other squad comes with
    a like one; None for the one on the disk."""
    root, room = workspace.root, _Room()
    text = room.read(root, MANIFEST)
    unread = text is None and os.path.lexists(f"{root}/{MANIFEST}") and not room.refused
    other, personal = agreed_in_place(workspace), personal_rules(workspace)
    beside, more_files = list[tuple[str, str]](), list["Files"]()
    if other or personal:
        text, beside, more_files = _beside(root, text, other, personal)
        other = other if (root, other) in beside else ""
    manifest = read_manifest(text or "")
    shipped = {} if workspace.stranger else shipped_units(root)
    units = _units(room, root, manifest, shipped)
    for files in more_files:
        units = _with_texts(root, units, files)
    outer = inherited_root(workspace)
    units += _inherited(room, root, outer, shipped, {unit.domain.name for unit in units}) if outer else []
    taken, agents = {unit.domain.name for unit in units}, set[str]()
    for agent in {unit.domain.agent for unit in units}:
        agents |= {resolve_id(agent, wu) or agent for wu in (False, True)} - {agent}
    units += [unit for name, unit in shipped.items() if name not in taken and unit.domain.agent not in agents]
    squads, more, watched, problems = _squads(room, root, units, _kept_names(workspace, kept))
    added = room.read(root, CONSTITUTION_FILE)
    if added is None and outer:
        added = _Room().read(outer, CONSTITUTION_FILE)
    constitution = merge(shipped_constitution(), read_constitution(added or ""))
    # Links out of the project of which no other note tells, as that a domain has no file does.
    unsaid = sum(not path.startswith(LIMPET.folder) for path in files_out(root))
    here = [LIMPET.folder, MANIFEST, CONSTITUTION_FILE]
    around = [f"{_up(root, outer)}/{path}" for path in here if outer]
    for base, folder in beside:
        around += [f"{_up(root, base)}/{folder}{path}" for path in ("", f"/{LIMPET.manifest}", f"/{CARL_2}")]
    return Sources(
        manifest=manifest,
        units=units + more,
        squads=squads,
        constitution=constitution,
        watched=[*here, LIMPET.squads, *around, *watched],
        problems=len(manifest.problems) + len(constitution.problems) + problems + room.refused + unsaid + unread,
        in_place=other,
    )


def shipped_constitution() -> Constitution:
    return read_constitution(read_text(os.path.join(FRAMEWORK, "constitution.md")) or "")


def shipped_units(root: str) -> dict[str, Unit]:
    texts = {plain_rule_name(name): raw.decode() for name, raw in shipped_rules(root).items()}
    signs = tuple((name, mark_of(root, name)) for name in JAVASCRIPT_SIGNS)
    found = {}
    for domain in read_manifest(texts[LIMPET.manifest]).domains:
        plain = plain_rule_name(domain.name)
        files = signs if JAVASCRIPT_RULES.startswith(f"{plain}.") else ()
        read = partial(texts.get, plain)
        found[domain.name] = Unit(domain, domain.name, domain.kind, "", files, read, SHIPPED)
    return found


class _Room:
    """No file is read that is too large, and no more of them, and of their domains, than all together may be."""

    def __init__(self) -> None:
        self.left = ALL_RULES_BYTES
        self.domains_left = MOST_DOMAINS
        self.refused = 0

    def read(self, root: str, path: str) -> str | None:
        return read_text(f"{root}/{path}", most_bytes(path)) if self.takes(root, path) else None

    def takes(self, root: str, path: str) -> bool:
        if leads_out(f"{root}/{path}", root):
            return False
        mark = stamp(f"{root}/{path}")
        size = mark[1] if mark else 0
        fits = size <= min(self.left, most_bytes(path))
        self.refused += not fits
        self.left -= size if fits else 0
        return fits

    def admit(self, domains: tuple[Domain, ...]) -> tuple[Domain, ...]:
        admitted = domains[: self.domains_left]
        self.refused += len(admitted) < len(domains)
        self.domains_left -= len(admitted)
        return admitted


def _units(
    room: _Room, root: str, manifest: RulesManifest, shipped: Mapping[str, Unit], taken: Container[str] = ()
) -> list[Unit]:
    """A shipped domain of which the manifest says nothing, or just the state, keeps the rest; one without a file here
    keeps its text."""
    files = domain_files(root, LIMPET.folder)
    domains = [domain for domain in manifest.domains if domain.name not in taken]
    named = {domain.name for domain in manifest.domains}
    filed = [name for name in shipped if plain_rule_name(name) in files and name not in named and name not in taken]
    domains += [shipped[name].domain for name in filed]
    found = []
    for domain in room.admit(tuple(domains)):
        base, is_switched = shipped.get(domain.name), domain.name in manifest.switched
        if base and is_switched:
            states = {name: getattr(domain, name) for name in ("active", "at_work", "on_demand")}
            domain = base.domain.replace(**states)
        if base and plain_rule_name(domain.name) not in files:
            found.append(base.replace(domain=domain, kind=domain.kind, origin=SHIPPED if is_switched else PROJECT))
        else:
            found.append(_unit(room, root, domain, files, domain.name, domain.kind, PROJECT))
    return found


def _inherited(room: _Room, root: str, outer: str, shipped: Mapping[str, Unit], taken: Container[str]) -> list[Unit]:
    up, manifest = _up(root, outer), read_manifest(room.read(outer, MANIFEST) or "")
    found = []
    for unit in _units(room, outer, manifest, shipped, taken):
        if unit.path:
            files = tuple((f"{up}/{path}", mark) for path, mark in unit.files)
            unit = unit.replace(path=f"{up}/{unit.path}", files=files)
        found.append(unit.replace(origin=INHERITED))
    return found


def _beside(root: str, text: str | None, other: str, personal: str) -> tuple[str, list[tuple[str, str]], list[Files]]:
    """(The manifest with theirs, project and folder of each that is read with ours, their files)."""
    from limpet.rules.plan.in_place import is_imported, join_manifests, left_off  # which few projects need

    found = [(root, other)] if other and not is_imported(text, other) else []
    found += [(personal, LIMPET.folder)] if personal else []
    joined, more_files = text or "", []
    for base, folder in found:
        given, files = folder_in_place(root, folder, base)
        off = set(map(plain_rule_name, left_off(joined, given)))
        joined = join_manifests(joined, given, folder)
        more_files.append({name: one for name, one in files.items() if name not in off})
    return joined, found, more_files


def folder_in_place(root: str, folder: str, base: str = "") -> tuple[str, Files]:
    """As ``read_folder`` has it, with paths from ``root``; ``base``: of another project than that, where it lies."""
    from limpet.rules.plan.in_place import read_folder

    base = base or root
    given, files = read_folder(folder, names_in(f"{base}/{folder}"), partial(_Room().read, base))
    up = "" if base == root else f"{_up(root, base)}/"
    return given, {name: (f"{up}{path}", read) for name, (path, read) in files.items()}


def _with_texts(root: str, units: list[Unit], others: Files) -> list[Unit]:
    found = []
    for unit in units:
        path, read = others.get(plain_rule_name(unit.plain), ("", None))
        if read is not None:
            own = unit.read if unit.path else (lambda: None)
            origin = unit.origin if unit.path else IN_PLACE
            text = partial(_join_texts, unit.plain, own, read)
            files = (*(unit.files if unit.path else ()), (path, mark_of(root, path)))
            unit = unit.replace(path=unit.path or path, files=files, origin=origin, read=text)
        found.append(unit)
    return found


def _join_texts(name: str, own: Read, other: Read) -> str | None:
    from limpet.rules.plan.in_place import join_rules

    ours, theirs = own(), other()
    return ours if theirs is None else join_rules(name, ours, theirs)


def _up(root: str, outer: str) -> str:
    return os.path.relpath(outer, root).replace(os.sep, "/")


def _kept_names(workspace: Workspace, kept: RulePlan | None) -> dict[tuple[str, str], str]:
    """(Squad's folder, domain there) -> the name in a plan, that on the disk whatever its way of matching."""
    if kept is None:
        outer, raw = inherited_root(workspace), read_bytes(plan_path(workspace), CACHE_BYTES)
        kept = next(filter(None, (unpack(heading(way, outer), raw) for way in WAYS)), None)
    if kept is None:
        return {}
    found = {}
    for record in kept.records[kept.matcher["squads_from"] :]:
        path, _ = record["files"][0]
        folder = "/".join(path.split("/")[:2])
        found[folder, record["plain"]] = record["name"]
    return found


def _squads(
    room: _Room, root: str, units: list[Unit], named: Mapping[tuple[str, str], str]
) -> tuple[list[Squad], list[Unit], list[str], int]:
    """(The squads, their domains under names of their own, the paths that tell of a change in them, how many mistakes
    are in their manifests)."""
    squads: list[Squad] = []
    more: list[Unit] = []
    watched: list[str] = []
    problems = 0
    taken, folders = {unit.domain.name for unit in units}, folders_in(root, LIMPET.squads)
    kept = {key: name for key, name in named.items() if os.path.basename(key[0]) in folders and name not in taken}
    taken.update(kept.values())
    for name in folders:
        folder, own = f"{LIMPET.squads}/{name}", squad_id(name)
        rules, places = find_squad_rules(root, folder)
        watched += places
        if not rules:
            continue
        manifest = read_manifest(room.read(root, f"{rules}/{LIMPET.manifest}") or "")
        mode = read_mode(room.read(root, f"{folder}/{SQUAD_FILE}") or "", manifest.extends)
        files, start = domain_files(root, rules), len(units) + len(more)
        beside = tuple((path, mark_of(root, path)) for path in (f"{folder}/{SQUAD_FILE}", rules))
        for domain in room.admit(manifest.domains):
            known = kept.get((folder, domain.name)) or namespaced(own, domain.name, taken)
            taken.add(known)
            renamed = domain.replace(name=known, exclude=domain.exclude + manifest.global_exclude)
            more.append(_unit(room, root, renamed, files, domain.name, SQUAD, SQUAD, beside))
        squads.append(Squad(id=own, mode=mode, numbers=range(start, len(units) + len(more))))
        problems += len(manifest.problems)
    return squads, more, watched, problems


def declares_agent(domain: Domain) -> bool:
    return bool(domain.declares) and resolve_id(domain.declares) is None


def declared_agents(workspace: Workspace) -> tuple[str, ...]:
    text = _Room().read(workspace.root, MANIFEST) or ""
    return tuple(domain.agent for domain in read_manifest(text).domains if declares_agent(domain))


def _unit(
    room: _Room,
    root: str,
    domain: Domain,
    files: dict[str, str],
    plain: str,
    kind: str,
    origin: str,
    beside: tuple[tuple[str, Stamp | None], ...] = (),
) -> Unit:
    path = files.get(plain_rule_name(plain), "")
    own = ((path, mark_of(root, path)),) if path else ()
    takes = bool(path) and room.takes(root, path)
    read = (lambda: read_text(f"{root}/{path}", RULES_BYTES)) if takes else (lambda: None)
    return Unit(domain=domain, plain=plain, kind=kind, origin=origin, path=path, files=own + beside, read=read)
