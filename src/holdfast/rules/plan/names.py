"""The names that squads' domains were given: they keep them, whatever other squad comes with a like one. Separate from
``store``, so that ``sources`` can ask for them without the store that reads it."""

from __future__ import annotations

from holdfast.ground.config.defaults import CACHE_BYTES
from holdfast.ground.storage.files import read_bytes
from holdfast.ground.trust.consent import inherited_root
from holdfast.rules.plan.plan import heading, plan_path, unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.ground.workspace import Workspace
    from holdfast.rules.plan.plan import Plan, Record


def kept_names(workspace: Workspace) -> dict[tuple[str, str], str]:
    """Return the names that squads' domains have in the kept plan, whatever its way of matching: (squad's folder,
    domain there) -> name."""
    outer = inherited_root(workspace)
    raw = read_bytes(plan_path(workspace), CACHE_BYTES)
    return squad_names(
        next(filter(None, (unpack(heading(way, outer), raw) for way in ("words", "word", "substring"))), None)
    )


def squad_names(plan: Plan | None) -> dict[tuple[str, str], str]:
    """Return the same of a plan; nothing for none, or a damaged one."""
    if plan is None:
        return {}
    numbers = range(plan.matcher["squads_from"], len(plan.matcher["names"]))
    try:
        records = [plan.record(number) for number in numbers]
    except ValueError:
        return {}
    return {(_squad_folder(record), record["plain"]): record["name"] for record in records}


def _squad_folder(record: Record) -> str:
    """Return the folder of the squad to which the domain belongs, "" for one without a file."""
    path = record["files"][0][0] if record["files"] else ""
    return "/".join(path.split("/")[:2])
