"""Who may do what: the acts that one agent alone may do, while an agent is active (Article I)."""

from __future__ import annotations

from limpet.guard.places import CODE, is_scratch
from limpet.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.case import Case
    from limpet.guard.places import Place


def judge(case: Case) -> Iterator[Verdict]:
    """Deny what belongs to another agent, and say so of what is the agent's own."""
    if not case.scene.agent:
        return
    for act in case.acts:
        owners = case.owners(act.kind) if act.kind != CODE else ()
        if owners:
            yield _verdict(case, act.kind, owners, act.text, act.target)
        barred = case.table["barred"].get(act.kind)
        if barred and case.scene.agent in barred["agents"]:
            yield _denial(case, act.kind, barred["says"], barred["to"], act.text, act.target)
    for place in case.written:
        kinds = _kinds_of(place, case)
        owners = tuple(owner for kind in kinds for owner in case.owners(kind))
        if owners and case.scene.agent not in owners and not (CODE in kinds and _is_of_the_project(case)):
            yield _verdict(case, kinds[0], owners, place.act, place.inside)


def _verdict(case: Case, kind: str, owners: tuple[str, ...], act: str, target: str) -> Verdict:
    agent, rule = case.scene.agent, f"authority.{kind}"
    says = case.table["authority"][kind]["says"].format(target=target[-60:])
    if agent in owners:
        return Verdict("allow", rule, f"{agent} may {says}.", act=act, target=target)
    return _denial(case, kind, says, owners[0], act, target)


def _denial(case: Case, kind: str, says: str, to: str, act: str, target: str) -> Verdict:
    way = ": limpet work finish -" if case.scene.workflow else ""
    reason = f"{case.scene.agent} may not {says}. Hand it to @{to}{way}, or have the user do it."
    return Verdict("deny", f"authority.{kind}", reason, agent=to, act=act, target=target)


def _kinds_of(place: Place, case: Case) -> tuple[str, ...]:
    """Return the kinds one of which the agent must be allowed to write a file of the project; none for what every agent
    may write.

    What no tool was given to write is code by what a command does or by its name: folders, archives and reports come
    from programs.
    """
    if not place.inside or not place.named or is_scratch(place, case.table):
        return ()
    places, written = case.table["places"], case.table["written"]
    kinds = next((tuple(written[name]) for name in written if place.is_one_of(places[name])), (CODE,))
    is_code = case.call.kind == "write" or place.is_code or place.is_one_of(places["source"])
    return kinds if is_code or CODE not in kinds else ()


def _is_of_the_project(case: Case) -> bool:
    """Return whether the agent is the project's own, which writes code unless the settings name who does."""
    return case.scene.agent not in case.table["agents"] and CODE not in case.scene.settings.get("authority", {})
