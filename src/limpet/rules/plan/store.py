"""The plan on disk: opens it, compares it with the files it was made from, and compiles it anew when one changed."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.storage.files import read_bytes, read_text, remove_file, stamp, write_if_possible
from limpet.ground.trust.consent import inherited_root
from limpet.rules.plan.plan import RulePlan, heading, pack, plan_path, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.ground.storage.files import Stamp
    from limpet.ground.workspace import Workspace
    from limpet.rules.plan.plan import Record

    Stamps = list[tuple[str, Stamp | None]]


def open_plan(
    workspace: Workspace, way: str = "words", anew: bool = False, is_late: Callable[[], bool] = lambda: False
) -> RulePlan:
    """Compiled anew when a manifest, a folder or the constitution changed, or on demand. Files that are not read before
    ``is_late`` are read by the prompts that need them."""
    head = heading(way, inherited_root(workspace))
    kept = unpack(head, read_bytes(plan_path(workspace), CACHE_BYTES))
    if kept and not anew and are_current(workspace.root, kept.matcher["watched"]):
        return kept
    from limpet.rules.plan.making import make_plan

    plan = make_plan(workspace, way, kept, is_late)
    kept_now = write_if_possible(plan_path(workspace), pack(head, plan))
    if kept_now:
        _mark(_files_mark(workspace), "" if plan.matcher["paths"] else None)
        practices = dict.fromkeys(practice for _, practice in plan.matcher["practices"])
        _mark(deeds_mark(workspace), "\n".join(practices) or None)
    return plan.replace(kept=kept_now)


def open_all(workspace: Workspace, way: str) -> RulePlan:
    """With every file as it is now."""
    plan = open_plan(workspace, way)
    is_fresh = fresh_records(workspace, plan, [*range(len(plan.matcher["names"]))]) is not None
    return plan if is_fresh else open_plan(workspace, way, anew=True)


def names_files(workspace: Workspace) -> bool:
    """Whether the kept plan has domains that files call, without reading it; True where there is no plan."""
    return os.path.exists(_files_mark(workspace)) or not os.path.exists(plan_path(workspace))


def ruled_practices(workspace: Workspace) -> list[str]:
    """The practices of work at which rules of the kept plan are said again, without reading it."""
    return (read_text(deeds_mark(workspace)) or "").split()


def deeds_mark(workspace: Workspace) -> str:
    return workspace.cached("plan.deeds")


def drop_plan(workspace: Workspace) -> None:
    remove_file(plan_path(workspace))


def fresh_records(workspace: Workspace, plan: RulePlan, numbers: list[int]) -> list[Record] | None:
    """None when one of their files was edited since the plan was made: open it anew."""
    records = [plan.record(number) for number in numbers]
    return records if all(are_current(workspace.root, record["files"]) for record in records) else None


def plan_state(workspace: Workspace, way: str) -> tuple[int, bool]:
    """Return (bytes of the kept plan, 0 where there is none; whether the next prompt can use it as it is)."""
    raw = read_bytes(plan_path(workspace), CACHE_BYTES)
    kept = unpack(heading(way, inherited_root(workspace)), raw)
    if kept is None or not are_current(workspace.root, kept.matcher["watched"]):
        return len(raw or b""), False
    return len(raw or b""), all(are_current(workspace.root, record["files"]) for record in kept.records)


def are_current(root: str, stamps: Stamps) -> bool:
    return all(mark == stamp(f"{root}/{path}") for path, mark in stamps)


def _files_mark(workspace: Workspace) -> str:
    return workspace.cached("plan.files")


def _mark(path: str, text: str | None) -> None:
    """Tool calls ask for nothing else of the plan."""
    if text is None:
        remove_file(path)
    elif read_text(path) != text:
        write_if_possible(path, text.encode())
