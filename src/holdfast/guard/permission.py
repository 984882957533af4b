"""The permission mode that a person set: explore, ask or auto (Article XI)."""

from __future__ import annotations

from holdfast.guard.places import is_scratch
from holdfast.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from holdfast.guard.acts import Act
    from holdfast.guard.case import Case


def judge(case: Case) -> Iterator[Verdict]:
    """Ask about what the mode asks: in ``explore`` all that is not known as reading, in ``ask`` all that changes."""
    mode = case.table["permissions"].get(case.scene.permission)
    if mode is None:
        return
    rule, says = f"permission.{case.scene.permission}", mode["says"]
    if case.call.kind == "write":
        for place in case.written:
            yield Verdict(
                "ask", rule, says.format(act=f"write {(place.inside or place.path)[-80:]}"), target=place.inside
            )
    for act in case.acts:
        if act.kind in mode["asks"] and not _is_nothing(act, case, mode):
            yield Verdict("ask", rule, says.format(act=act.text[:80]), act=act.text, target=act.target)


def _is_nothing(act: Act, case: Case, mode: Mapping[str, Any]) -> bool:
    """Return whether a mode has nothing against an act of a kind that it asks about: a program that only reads, a write
    to what takes any text, or outside the project to the folder for temporary files."""
    if act.kind == "run":
        return any(_begins(act.text, known) for known in mode.get("reading", ()))
    if act.kind == "write":
        places = [place for place in case.written if place.act == act.text]
        return bool(places) and all(not place.inside and is_scratch(place, case.table) for place in places)
    return False


def _begins(text: str, known: str) -> bool:
    """Return whether a command is a known one: with any words behind it, or none where the known one ends in ``$``."""
    plain = known.removesuffix("$")
    return text == plain or (plain == known and text.startswith(plain + " "))
