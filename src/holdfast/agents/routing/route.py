"""Routes a request: how much ceremony is due, and whose work it is.

Small work stays small: most requests are done by the coding agent itself. Ceremony is due only where the weights are
sure of it, since a plan that nobody needed costs more than one that somebody has to ask for.
"""

from __future__ import annotations

from holdfast.agents.routing.answers import only_answers
from holdfast.agents.routing.features import LAID_OUT, find_features
from holdfast.agents.routing.weights import read_weights, totals_of, units_at
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NONE, QUICK_FLOW, WORKFLOW, DEVIATION = CEREMONIES = ("none", "quick-flow", "workflow", "deviation")
NEW, SCREENS, SERVICES, SYSTEM = "greenfield", "brownfield-ui", "brownfield-service", "brownfield"
UNDERSTAND = "brownfield-discovery"

# How sure it must be that work under way is left; few requests look as if, and then they do.
LEAVING = 0.5
# What the features of a request share among them, however many they are.
REACH = 6.0

_E = 2.718281828459045
_WHY = 4
# What speaks of something that is there already.
_STANDING = frozenset(("c:overhaul", "w:our", "w:existing", "w:nosso", "w:nuestr", "w:notre", "w:current"))
# Kind of deviation -> stems that tell it; the first that fits counts.
_KINDS = {
    "rollback": ("revert", "rollback", "undo", "back", "desfaz", "deshaz", "annul", "restor"),
    "skip": ("skip", "pula", "salta", "saltat", "saut"),
    "restart": ("restart", "again", "recomeca", "empec", "recommenc", "zero", "zer"),
    "priority_change": ("prioriti", "priorit", "urgent", "first", "hold", "befor", "pause", "pausa"),
}


class Route(Value):
    """What a request calls for.

    ``ceremony``: one of ``CEREMONIES``.
    ``workflow``: the workflow that fits, "" where the ceremony is another.
    ``kind``: the kind of deviation, as ``holdfast work deviate`` takes it, "" where there is none.
    ``agent``: whose work it is, "" for nobody's.
    ``confidence``: how sure the ceremony is where one is due, else the agent, 0 to 1.
    ``why``: the words that decided.
    """

    ceremony: str = NONE
    workflow: str = ""
    kind: str = ""
    agent: str = ""
    confidence: float = 1.0
    why: tuple[str, ...] = ()


def route(prompt: str, at_work: bool = False) -> Route:
    """Return what the request calls for.

    ``at_work``: whether something is under way that the request may leave; else nothing is a deviation.
    """
    found = {} if only_answers(prompt) else find_features(prompt)
    model = read_weights()
    if not found or not model:
        return Route()
    known = {feature: model["weights"][feature] for feature in found if feature in model["weights"]}
    count = len(CEREMONIES)
    gains = totals_of(known.values(), count + len(model["agent"]["names"]))
    reach = REACH / max(1, len(known)) ** 0.5
    ceremonies = _shares(model["ceremony"], gains[:count], reach, () if at_work else (DEVIATION,))
    agents = _shares(model["agent"], gains[count:], reach)
    agent = max(agents, key=agents.__getitem__)
    due = 1 - ceremonies.pop(NONE)
    is_due = due >= model["threshold"] or ceremonies.get(DEVIATION, 0) >= LEAVING
    if not is_due or LAID_OUT in found:
        place = count + model["agent"]["names"].index(agent)
        return Route(agent=agent, confidence=agents[agent], why=_why(found, known, place))
    ceremony = max(ceremonies, key=ceremonies.__getitem__)
    return Route(
        ceremony=ceremony,
        workflow=_workflow(found, agent) if ceremony == WORKFLOW else "",
        kind=_kind(found) if ceremony == DEVIATION else "",
        agent=agent,
        confidence=due,
        why=_why(found, known, model["ceremony"]["names"].index(ceremony)),
    )


def command(found: Route) -> str:
    """Return the command that begins what a route calls for, "" where nobody has to be called."""
    if found.ceremony == WORKFLOW:
        return f"holdfast work start {found.workflow}"
    if found.ceremony == QUICK_FLOW:
        return f"holdfast work start {QUICK_FLOW}"
    if found.ceremony == DEVIATION:
        return f'holdfast work deviate {found.kind} "WHAT"'
    return f"holdfast agent activate {found.agent}" if found.agent else ""


def _shares(model: dict[str, Any], gains: list[int], reach: float, without: tuple[str, ...] = ()) -> dict[str, float]:
    """Return the probability of each name, by the units that the request gains for each."""
    kept = {
        name: bias + gain * model["unit"] * reach
        for name, bias, gain in zip(model["names"], model["bias"], gains, strict=True)
        if name not in without
    }
    most = max(kept.values())
    powers = {name: _E ** (score - most) for name, score in kept.items()}
    total = sum(powers.values())
    return {name: power / total for name, power in powers.items()}


def _why(found: dict[str, str], known: dict[str, str], place: int) -> tuple[str, ...]:
    """Return the words that spoke most for a name, in the order of their weight, but those that say nothing."""
    gained: dict[str, int] = {}
    for feature, letters in known.items():
        units = units_at(letters, place)
        if units > 0:
            gained[found[feature]] = gained.get(found[feature], 0) + units
    told: dict[str, None] = {}
    for words in sorted(gained, key=lambda words: -gained[words]):
        told.update(dict.fromkeys(word for word in words.split() if word not in STOP_WORDS))
    return tuple(told)[:_WHY]


def _workflow(found: dict[str, str], agent: str) -> str:
    """Return the workflow for what is asked; which of the two full ones, by whether something stands already."""
    if agent == "brownfield-wu":
        return UNDERSTAND
    if "c:product" in found and ("c:fresh" in found or "fc:make" in found) and _STANDING.isdisjoint(found):
        return NEW
    if agent == "ux":
        return SCREENS
    services = any(f"w:{each}" in found for each in ("api", "backend", "database", "service", "schema", "queue"))
    return SERVICES if services and "c:look" not in found else SYSTEM


def _kind(found: dict[str, str]) -> str:
    return next((kind for kind, stems in _KINDS.items() if any(f"w:{each}" in found for each in stems)), "scope_change")
