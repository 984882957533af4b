"""The plan on disk: opens it, compares it with the files it was made from, and compiles it anew when one changed."""

from __future__ import annotations

import os
import time

from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.storage.files import (
    UNRELIABLE,
    is_reliable,
    read_bytes,
    remove_file,
    stamp,
    view_file,
    write_if_possible,
)
from limpet.ground.trust.consent import inherited_root
from limpet.rules.plan.plan import RulePlan, heading, pack, pack_stamps, plan_path, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.ground.storage.files import Stamp
    from limpet.ground.workspace import Workspace
    from limpet.rules.plan.plan import Record

    Stamps = list[tuple[str, Stamp | None]]

# So many paths of squads are compared on a prompt: with more, an edit is seen some prompts later, or at the next start.
COMPARED = 200


def open_plan(
    workspace: Workspace,
    way: str = "words",
    anew: bool = False,
    prompt_number: int | None = None,
    is_late: Callable[[], bool] = lambda: False,
) -> RulePlan:
    """Return the plan of the project's rules, compiled anew when a manifest, a folder or the constitution changed,
    or on demand. With a ``prompt_number`` only some of many squads are looked at, others the next time.
    Files that are not read before ``is_late`` are read by the prompts that need them."""
    head = heading(way, inherited_root(workspace))
    view = view_file(plan_path(workspace))
    kept = unpack(head, None if view is None or len(view) > CACHE_BYTES else view)
    if kept and not anew and _is_current(workspace.root, kept, prompt_number):
        return kept
    return _compile(workspace, way, head, kept, is_late)


def names_files(workspace: Workspace) -> bool:
    """Return whether the kept plan has domains that files call, without reading it; True where there is no plan."""
    return os.path.exists(_files_mark(workspace)) or not os.path.exists(plan_path(workspace))


def drop_plan(workspace: Workspace) -> None:
    """Delete the plan, so that the next prompt compiles it anew."""
    remove_file(plan_path(workspace))


def fresh_records(workspace: Workspace, plan: RulePlan, numbers: list[int]) -> list[Record] | None:
    """Return the records of these domains, or None when one of their files was edited since the plan was made: open
    it anew."""
    try:
        records = [plan.record(number) for number in numbers]
    except ValueError:
        return None
    files = (file for record in records for file in record["files"])
    return records if all(mark == stamp(f"{workspace.root}/{path}") for path, mark in files) else None


def plan_state(workspace: Workspace, way: str) -> tuple[int, bool]:
    """Return (bytes of the kept plan, 0 where there is none; whether the next prompt can use it as it is)."""
    raw = read_bytes(plan_path(workspace), CACHE_BYTES)
    kept = unpack(heading(way, inherited_root(workspace)), raw)
    if kept is None or not _is_current(workspace.root, kept):
        return len(raw or b""), False
    every = list(range(len(kept.matcher["names"])))
    return len(raw or b""), fresh_records(workspace, kept, every) is not None


def _compile(
    workspace: Workspace, way: str, head: bytes, kept: RulePlan | None, is_late: Callable[[], bool]
) -> RulePlan:

    from limpet.ground.safety.dotenv import read_secrets
    from limpet.rules.plan.compiler import compile_plan, make_charter
    from limpet.rules.plan.sources import mark_of, read_sources

    began = time.time_ns()
    found = read_sources(workspace, kept)
    squads = found.watched_squads
    groups = [found.watched, *(squads[start : start + COMPARED] for start in range(0, len(squads), COMPARED))]
    watched = [_reliable([(path, mark_of(workspace.root, path)) for path in paths], began) for paths in groups]
    known, secrets = _known(kept), read_secrets(workspace.root)
    charter = make_charter(found.constitution, secrets)
    matcher, records = compile_plan(
        found.manifest, found.units, found.squads, charter, watched, way, known, found.problems, secrets, is_late
    )
    for record in records:
        record["files"] = _reliable(record["files"], began)
    raw = pack(head, matcher, records)
    plan = unpack(head, raw)
    assert plan is not None
    kept_now = write_if_possible(plan_path(workspace), raw)
    if kept_now:
        _mark_files(workspace, "paths" in matcher)
    return plan.replace(kept=kept_now)


def _files_mark(workspace: Workspace) -> str:
    return workspace.cached("plan.files")


def _mark_files(workspace: Workspace, named: bool) -> None:
    """Keep beside the plan whether it has domains that files call: tool calls ask for nothing else."""
    mark = _files_mark(workspace)
    if named != os.path.exists(mark):
        if named:
            write_if_possible(mark, b"")
        else:
            remove_file(mark)


def _is_current(root: str, plan: RulePlan, prompt_number: int | None = None) -> bool:
    """Return whether nothing that the plan watches has changed; with a ``prompt_number``, of its first group and one
    of the others."""
    groups = list(zip(plan.matcher["watched"], plan.matcher["marks"], strict=True))
    if prompt_number is not None and len(groups) > 1:
        groups = [groups[0], groups[1 + prompt_number % (len(groups) - 1)]]
    return all(
        marks == pack_stamps([stamp(f"{root}/{path}") for path in watched.split("\0")]) for watched, marks in groups
    )


def _known(kept: RulePlan | None) -> dict[str, Record]:
    if kept is None:
        return {}
    try:
        return {name: kept.record(number) for number, name in enumerate(kept.matcher["names"])}
    except ValueError:
        return {}


def _reliable(stamps: Stamps, now: int) -> Stamps:
    """Return the stamps; those that a later edit might repeat become UNRELIABLE."""
    return [(path, mark if is_reliable(mark, now) else UNRELIABLE) for path, mark in stamps]
