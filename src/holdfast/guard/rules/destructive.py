"""Acts that destroy what cannot be made again (Article IV): a person confirms them."""

from __future__ import annotations

import os

from holdfast.guard.places import is_scratch, lies_in
from holdfast.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.guard.acts import Act
    from holdfast.guard.case import Case

RULE = "destructive"


def judge(case: Case) -> Iterator[Verdict]:
    """Ask while an agent is active or a person set a permission mode; deny where everything would go."""
    scene = case.scene
    if not (scene.agent or scene.permission):
        return
    for act in case.kinds("destructive"):
        places = [place for place in case.written if place.act == act.text]
        if any(_is_everything(place.path) for place in places):
            yield Verdict(
                "deny", RULE, f"This would destroy {places[0].path}, all of it.", act=act.text, target=act.target
            )
        elif not _is_mild(act, case) and (not places or not all(is_scratch(place, case.table) for place in places)):
            yield Verdict("ask", RULE, _reason(act), act=act.text, target=act.target)


def _reason(act: Act) -> str:
    return f"{act.text[:80]} destroys what cannot be brought back. Ask the user first, and say what would be lost."


def _is_mild(act: Act, case: Case) -> bool:
    """Return whether a command deletes single files by their names, as it would without its option."""
    return any(
        act.text.startswith(known + " ") and not any(sign in act.text[len(known) :] for sign in (" -", "*", "?", "["))
        for known in case.table["mild"]
    )


def _is_everything(path: str) -> bool:
    """Return whether the path is the root of a disk or the user's home, or a folder around that."""
    path = path.rstrip("*").rstrip("/") or "/"
    return lies_in(os.path.realpath(os.path.expanduser("~")), path)
