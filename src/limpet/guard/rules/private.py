"""Other agents' private memory, and the folders that Limpet alone reads and writes (Article XIII, decision 42)."""

from __future__ import annotations

import os

from limpet.guard.places import Place, lies_in
from limpet.guard.shell.command import UNKNOWN, join, program, program_in
from limpet.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.case import Case

MEMORY, STATE = "private.memory", "kept.state"
SESSION, MEMORIES = ".limpet/session.yaml", "memories"
_CUTS = dict.fromkeys(map(ord, "=:,@"), "\n")


def judge(case: Case) -> Iterator[Verdict]:
    """Deny reading and writing there, and searching a folder of Limpet that holds such a place."""
    home = os.path.realpath(case.scene.home)
    owners = {os.path.realpath(folder): owner for folder, owner in case.scene.owners.items()}
    kept = [os.path.realpath(folder) for folder in case.scene.kept]
    others = {folder: owner for folder, owner in owners.items() if owner != case.scene.agent}
    for place in (*case.read, *case.written, *_named(case, {os.path.dirname(folder) for folder in others})):
        around = lies_in(place.path, home) and not _is_shallow(place, case)
        owner = next((others[folder] for folder in others if _touches(place.path, folder, around)), "")
        if owner:
            reason = (
                f"The private memory of {owner} is {owner}'s alone. To see what is shared, run: limpet memory search"
            )
            yield Verdict("deny", MEMORY, reason, act=place.act, target=place.inside)
        elif any(lies_in(place.path, folder) for folder in kept):
            reason = "Limpet alone reads and writes its cache and events. To see what happened, run: limpet log"
            yield Verdict("deny", STATE, reason, act=place.act, target=place.inside)
    yield from _session(case)


def _named(case: Case, around: set[str]) -> Iterator[Place]:
    """Yield what a shell command names below these folders, by a word, a part of one or a glob, whatever its program
    does with it, unless it only prints it; links are not followed."""
    understood = case.understood
    if understood is None or not around:
        return
    folder = os.path.realpath(case.call.folder or case.scene.root)
    named = [(join(folder, each.folder), each.words) for each in understood.commands]
    for where, words in (*named, (folder, ("", *understood.texts))):
        if program("".join(words[:1])) in ("echo", "printf"):
            continue
        if program("".join(words[:1])) == "sed":  # a script of its own names files
            words = tuple(" ".join(words).split())
        for piece in dict.fromkeys(piece for word in words[1:] for piece in _pieces(word)):
            path = join(where, os.path.expanduser(piece))
            # A part that only the shell will know may be anything: then the rest has to name the place.
            is_named = UNKNOWN not in path or MEMORIES in path
            if is_named and any(lies_in(os.path.dirname(path).replace(UNKNOWN, "[]"), each) for each in around):
                yield Place(path.replace(UNKNOWN, "[]"), piece, " ".join(words).strip())


def _pieces(word: str) -> list[str]:
    """Return what of a word may be a path: itself, the value of an option, a part of ``file:``, ``host:`` or a list."""
    parts = word.removeprefix("file://").translate(_CUTS).split("\n")
    return [piece for piece in (word, *parts, word[2:] if word[:1] == "-" else "") if piece]


def _session(case: Case) -> Iterator[Verdict]:
    """Ask about the state of the work written by hand while there is work: gate, mode and permission stand in it."""
    if not (case.scene.agent or case.scene.workflow):
        return
    for place in case.written:
        if place.is_one_of((SESSION,)):
            reason = "The state of the work is kept by commands: limpet work, limpet agent, limpet guard mode."
            yield Verdict("ask", STATE, reason, act=place.act, target=place.inside)


def _touches(path: str, folder: str, around: bool) -> bool:
    """Return whether a path is in a folder, or, where that counts, is a folder around it."""
    return lies_in(path, folder) or (around and lies_in(folder, path))


def _is_shallow(place: Place, case: Case) -> bool:
    """Return whether a program is one that does nothing to what lies below the folder that it is given."""
    is_shallow = case.call.kind == "shell" and program_in(place.act) in case.table["shallow"]
    return is_shallow and "--no-index" not in place.act
