"""What a project's rules need of a host beside prompts: to be told of files, and of the end of a turn."""

from __future__ import annotations

from holdfast.ground.trust.consent import find_consent
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.rules.format.domain import read_domain
from holdfast.rules.plan.compiler import UNASKED
from holdfast.rules.plan.sources import read_sources


class Needs(Value):
    """The active domains that files call, and those with a rule that is checked, by name."""

    paths: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


def needs_of_rules(workspace: Workspace) -> Needs:
    """Return what the rules need; nothing of a project that the user does not trust."""
    if not find_consent(workspace):
        return Needs()
    said = [(unit.domain, read_domain(unit.plain, unit.read() or "")) for unit in read_sources(workspace).units]
    active = [(domain, text) for domain, text in said if domain.active]
    return Needs(
        paths=tuple(one.name for one, text in active if one.kind not in UNASKED and (one.paths or text.paths)),
        checks=tuple(domain.name for domain, text in active if text.checks),
    )
