"""Squads: rules that come with a team's folder, under names of their own, and their modes towards the global rules."""

from __future__ import annotations

from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from limpet.rules.plan.plan import Matcher

EXTEND, OVERRIDE, ALONE = "extend", "override", "none"
MODES = (EXTEND, OVERRIDE, ALONE)


class Squad(Value):
    """A squad in the plan.

    ``mode``: extend, override or none.
    ``numbers``: those of its domains.
    """

    id: str
    mode: str
    numbers: range


def squad_id(name: str) -> str:
    """Return the id of a squad from its folder's name, or from any spelling of it; it holds no white space."""
    return "_".join(name.upper().replace("-", "_").split())


def namespaced(squad: str, domain: str, taken: Container[str]) -> str:
    """Return the name of a squad's domain among all: prefixed by the id, unless it begins with it (less ``_SQUAD``)
    already; numbered where another domain has that name."""
    own = (f"{squad}_", f"{squad.removesuffix('_SQUAD')}_")
    if domain.startswith(own) and domain not in taken:
        return domain
    name, number = f"{squad}_{domain}", 1
    while name in taken:
        number += 1
        name = f"{squad}_{domain}_{number}"
    return name


def read_mode(text: str, extends: str) -> str:
    """Return the mode in the ``extends: <mode>`` line of ``squad.yaml``, else the manifest's; extend where neither
    names a known one. The line is found without a YAML reader, which the prompt hook does not import."""
    for line in text.splitlines():
        key, _, value = line.strip().partition(":")
        mode = value.partition("#")[0].strip(" '\"").lower()
        if key == "extends" and mode in MODES:
            return mode
    return extends if extends in MODES else EXTEND


def find_squad(matcher: Matcher, name: str) -> Squad | None:
    """Return the squad of this id in a plan."""
    wanted = squad_id(name)
    return next((_squad(*one) for one in matcher["squads"] if one[0] == wanted), None)


def squad_of(matcher: Matcher, number: int) -> Squad | None:
    """Return the squad that a domain belongs to, None for a global one."""
    return next((_squad(*one) for one in matcher["squads"] if one[2] <= number < one[3]), None)


def _squad(name: str, mode: str, start: int, stop: int) -> Squad:
    return Squad(id=name, mode=mode, numbers=range(start, stop))
