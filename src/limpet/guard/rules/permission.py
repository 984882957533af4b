"""The permission mode that a person set: explore, ask or auto (Article XI)."""

from __future__ import annotations

from limpet.guard.places import WRITING, is_scratch
from limpet.guard.shell.command import program
from limpet.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from limpet.guard.acts import Act
    from limpet.guard.case import Case


def judge(case: Case) -> Iterator[Verdict]:
    """Ask about what the mode asks: in ``explore`` all that is not known as reading, in ``ask`` all that changes."""
    mode = case.table["permissions"].get(case.scene.permission)
    if mode is None:
        return
    rule, says = f"permission.{case.scene.permission}", mode["says"]
    if case.call.kind == "write":
        for place in case.written:
            said = says.format(act=f"write {(place.inside or place.path)[-80:]}")
            yield Verdict("ask", rule, said, act=place.act, target=place.inside)
    for act in case.acts:
        if act.kind in mode["asks"] and not _is_nothing(act, case, mode):
            yield Verdict("ask", rule, says.format(act=act.text[:80]), act=act.text, target=act.target)


def _is_nothing(act: Act, case: Case, mode: Mapping[str, Any]) -> bool:
    """Return whether a write is none that a mode asks about: of a temporary file, in ``ask`` of a build's output, or by
    a command that works on its whole folder and only builds, or only shows."""
    if act.kind not in WRITING:
        return False
    places = [place for place in case.written if place.act == act.text]
    only_reads = case.scene.permission == "explore"
    if places and all(is_scratch(place, case.table) and not (only_reads and place.inside) for place in places):
        return True
    name, *words = act.text.split() or [""]
    plain = " ".join((program(name), *words))
    is_build = any(plain == known or plain.startswith(known + " ") for known in mode.get("building", ()))
    return act.target == "." and (is_build or any(word in mode.get("showing", ()) for word in words))
