"""Makes a project's plan: of its rules as they stand, or, where it has none of its own, of what is shipped, which is
compiled once per installation and user.

Separate from ``store``, because an event that finds the plan of its project needs none of it.
"""

from __future__ import annotations

import os
import tempfile
import time

from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.storage.files import UNRELIABLE, is_reliable, read_bytes, stamp, write_if_possible
from limpet.ground.storage.scaffold import JAVASCRIPT_SIGNS
from limpet.ground.storage.user_folders import cache_folder
from limpet.ground.trust.consent import inherited_root
from limpet.ground.trust.in_place import agreed_in_place
from limpet.ground.workspace import workspace_at
from limpet.rules.layout import CONSTITUTION_FILE, LIMPET, MANIFEST
from limpet.rules.plan.places import personal_rules
from limpet.rules.plan.plan import RulePlan, heading, make_rule_plan, pack, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from limpet.ground.storage.files import Stamp
    from limpet.ground.workspace import Workspace

    Stamps = list[tuple[str, Stamp | None]]

OWN = (LIMPET.folder, MANIFEST, CONSTITUTION_FILE, LIMPET.squads)


def make_plan(workspace: Workspace, way: str, kept: RulePlan | None, is_late: Callable[[], bool]) -> RulePlan:
    if _has_own_rules(workspace):
        from limpet.ground.safety.dotenv import read_secrets

        return _compile(workspace, way, kept, read_secrets(workspace.root), is_late)
    return _shipped_plan(workspace, way)


def compile_shipped(way: str = "words") -> None:
    for signs in ((), JAVASCRIPT_SIGNS[:1]):
        with tempfile.TemporaryDirectory() as root:
            for name in signs:
                write_if_possible(os.path.join(root, name), b"{}")
            _shipped_plan(workspace_at(root), way)


def _has_own_rules(workspace: Workspace) -> bool:
    if workspace.stranger or inherited_root(workspace) or agreed_in_place(workspace) or personal_rules(workspace):
        return True
    return any(os.path.lexists(f"{workspace.root}/{path}") for path in OWN)


def _shipped_plan(workspace: Workspace, way: str) -> RulePlan:
    """Its head says for which version, interpreter and shipped files it holds."""
    signs = {name: stamp(f"{workspace.root}/{name}") for name in JAVASCRIPT_SIGNS}
    kind, head = "javascript" if any(signs.values()) else "plain", heading(way)
    path = os.path.join(cache_folder(), f"shipped.{kind}.{way}.plan")
    plan = unpack(head, read_bytes(path, CACHE_BYTES))
    if plan is None:
        plan = _compile(workspace, way, None, (), lambda: False)
        write_if_possible(path, pack(head, plan))
    records = plan.records
    for record in records:
        record["files"] = _reliable([(name, signs[name]) for name, _ in record["files"]], time.time_ns())
    return make_rule_plan(plan.matcher, records)


def _compile(
    workspace: Workspace, way: str, kept: RulePlan | None, secrets: Collection[str], is_late: Callable[[], bool]
) -> RulePlan:
    from limpet.rules.plan.compiler import compile_plan, make_charter
    from limpet.rules.plan.places import mark_of
    from limpet.rules.plan.sources import read_sources

    began = time.time_ns()
    found = read_sources(workspace, kept)
    watched = _reliable([(path, mark_of(workspace.root, path)) for path in found.watched], began)
    known = {record["name"]: record for record in kept.records} if kept else {}
    charter = make_charter(found.constitution, secrets)
    matcher, records = compile_plan(
        found.manifest,
        found.units,
        found.squads,
        charter,
        watched,
        way,
        known,
        found.problems,
        found.in_place,
        secrets,
        is_late,
    )
    for record in records:
        record["files"] = _reliable(record["files"], began)
    return make_rule_plan(matcher, records)


def _reliable(stamps: Stamps, now: int) -> Stamps:
    """Stamps that a later edit might repeat become UNRELIABLE."""
    return [(path, mark if is_reliable(mark, now) else UNRELIABLE) for path, mark in stamps]
