"""Acts that destroy what cannot be made again (Article IV): a person confirms them."""

from __future__ import annotations

import os

from limpet.guard.places import is_scratch, lies_in
from limpet.guard.shell.command import program_in
from limpet.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.acts import Act
    from limpet.guard.case import Case

RULE, ALL = "destructive", "destructive.all"


def judge(case: Case) -> Iterator[Verdict]:
    """Ask while an agent is active or a person set a permission mode; deny where everything would go. Of a few things
    ask always: what nobody wants unasked."""
    scene = case.scene
    for text, what in _total(case):
        reason = f"{text[:60]} would destroy {what[-60:]}, all of it. Ask the user first."
        yield Verdict("ask", ALL, reason, act=text, target=what)
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


def _total(case: Case) -> Iterator[tuple[str, str]]:
    """Yield (act, what goes) where a disk, the home folder, the project or its repository goes, or all history."""
    for act in case.kinds("wipe"):
        yield act.text, "a device or all history"
    texts, takes_away = {act.text for act in case.kinds("destructive")}, case.table["registration"]["removes"]
    for place in case.written:
        if place.path.startswith("/dev/") and place.is_one_of(case.table["places"]["devices"]):
            yield place.act, place.path
        elif place.act in texts and program_in(place.act) in (*takes_away, "find"):
            path = place.path.rstrip("*").rstrip("/") or "/"
            around = path.removesuffix("/.git")
            if place.named and (_is_everything(path) or lies_in(os.path.realpath(case.scene.root), around)):
                yield place.act, path


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
