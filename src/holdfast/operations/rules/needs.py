"""What a project's rules need of a host beside prompts and tool calls: to be told of the end of a turn."""

from __future__ import annotations

from holdfast.ground.trust.consent import find_consent
from holdfast.ground.workspace import Workspace
from holdfast.rules.format.domain import read_domain
from holdfast.rules.plan.sources import read_sources


def checked_domains(workspace: Workspace) -> tuple[str, ...]:
    """Return the names of the active domains with a rule that is checked; none of a project that nobody trusts."""
    if not find_consent(workspace):
        return ()
    units = (unit for unit in read_sources(workspace).units if unit.domain.active)
    return tuple(unit.domain.name for unit in units if read_domain(unit.plain, unit.read() or "").checks)
