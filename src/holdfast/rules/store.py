"""The rules on disk: opens the plan, sees what was edited since, compiles and keeps it. No other rules file
reads or writes."""

from __future__ import annotations

import os
import time

from holdfast.ground.files import read_bytes, read_text, settled, stamp, write_atomic
from holdfast.rules.layout import CONSTITUTION_FILE, HOLDFAST, Layout
from holdfast.rules.plan import Plan, heading, pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.files import Stamp
    from holdfast.ground.workspace import Workspace
    from holdfast.rules.compiler import Source
    from holdfast.rules.constitution import Constitution
    from holdfast.rules.manifest import Manifest
    from holdfast.rules.plan import Record

FRAMEWORK = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "framework")
UNSETTLED = (0, 0, 0)


def open_plan(workspace: Workspace, way: str = "words", layout: Layout = HOLDFAST, anew: bool = False) -> Plan:
    """The plan of the project's rules, compiled anew when the manifest, the folder or the constitution changed,
    or on demand."""
    head = heading(way)
    kept = unpack(head, read_bytes(_plan_path(workspace)))
    if kept and not anew and kept.matcher["sources"] == _source_stamps(workspace, layout):
        return kept
    return _compile(workspace, way, layout, head, kept)


def fresh_records(
    workspace: Workspace, plan: Plan, numbers: list[int], layout: Layout = HOLDFAST
) -> list[Record] | None:
    """The records of these domains, or None when one of their files was edited since the plan was made: open it
    anew."""
    folder = os.path.join(workspace.root, layout.folder)
    records = [plan.record(number) for number in numbers]
    for record in records:
        if record["file"] and record["stamp"] != stamp(os.path.join(folder, record["file"])):
            return None
    return records


def read_sources(workspace: Workspace, layout: Layout = HOLDFAST) -> tuple[Manifest, dict[str, Source], Constitution]:
    """The manifest, the domain files by their plain names, and the constitution with the project's additions, as
    they stand now."""
    from holdfast.rules.constitution import merge
    from holdfast.rules.manifest import read_manifest

    folder = os.path.join(workspace.root, layout.folder)
    manifest = read_manifest(read_text(os.path.join(folder, layout.manifest)) or "")
    added = _constitution(workspace.path("constitution.md"))
    return manifest, _domain_files(folder, layout), merge(shipped_constitution(), added)


def shipped_constitution() -> Constitution:
    """The product's own constitution, to which a project's is added."""
    return _constitution(os.path.join(FRAMEWORK, "constitution.md"))


def read_files(workspace: Workspace, layout: Layout = HOLDFAST) -> dict[str, bytes | None]:
    """Path from the project's root -> bytes (None: unreadable) of manifest, domain files and project's constitution."""
    names = [f"{layout.folder}/{name}" for name in _names(os.path.join(workspace.root, layout.folder))]
    if os.path.lexists(workspace.path("constitution.md")):
        names.append(CONSTITUTION_FILE)
    return {name: read_bytes(os.path.join(workspace.root, name)) for name in names}


def plan_state(workspace: Workspace, way: str, layout: Layout = HOLDFAST) -> tuple[int, bool]:
    """(bytes of the kept plan, 0 where there is none; whether the next prompt can use it as it is)."""
    raw = read_bytes(_plan_path(workspace))
    kept = unpack(heading(way), raw)
    if kept is None or kept.matcher["sources"] != _source_stamps(workspace, layout):
        return len(raw or b""), False
    every = list(range(len(kept.matcher["names"])))
    return len(raw or b""), fresh_records(workspace, kept, every, layout) is not None


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
    sources = {
        name: mark if settled(mark, began) else UNSETTLED for name, mark in _source_stamps(workspace, layout).items()
    }
    manifest, files, constitution = read_sources(workspace, layout)
    charter = make_charter(constitution)
    known = {name: kept.record(number) for number, name in enumerate(kept.matcher["names"])} if kept else {}
    matcher, records = compile_plan(manifest, lambda name: files.get(plain_name(name)), charter, sources, way, known)
    for record in records:
        if not settled(record["stamp"], began):
            record["stamp"] = UNSETTLED
    raw = pack(head, matcher, records)
    _keep(_plan_path(workspace), raw)
    plan = unpack(head, raw)
    assert plan is not None
    return plan


def _keep(path: str, raw: bytes) -> None:
    """Write the plan; where that is not possible the next prompt compiles again."""
    try:
        write_atomic(path, raw)
    except OSError:
        return


def _plan_path(workspace: Workspace) -> str:
    return workspace.path("cache", "plan")


def _source_stamps(workspace: Workspace, layout: Layout) -> dict[str, Stamp | None]:
    folder = os.path.join(workspace.root, layout.folder)
    return {
        "folder": stamp(folder),
        "manifest": stamp(os.path.join(folder, layout.manifest)),
        "constitution": stamp(workspace.path("constitution.md")),
    }


def _domain_files(folder: str, layout: Layout) -> dict[str, Source]:

    found: dict[str, Source] = {}
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return found
    for entry in entries:
        if entry.name.startswith(".") or entry.name == layout.manifest or not entry.is_file():
            continue
        found.setdefault(plain_name(entry.name, layout), _source(entry.path, entry.name))
    return found


def _constitution(path: str) -> Constitution:
    from holdfast.rules.constitution import read_constitution

    return read_constitution(read_text(path) or "")


def _names(folder: str) -> list[str]:
    """The files in the rules folder, links that lead nowhere among them."""
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return []
    return sorted(entry.name for entry in entries if not entry.name.startswith(".") and not entry.is_dir())


def _source(path: str, name: str) -> Source:
    from holdfast.rules.compiler import Source

    return Source(name=name, stamp=stamp(path), read=lambda: read_text(path))
