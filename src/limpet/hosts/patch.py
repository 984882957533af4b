"""Reads a patch in the form of ``apply_patch``, which Codex CLI and Copilot CLI take: its files and its texts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

ADDED, MOVED = "*** Add File: ", "*** Move to: "
NAMING = (ADDED, "*** Update File: ", "*** Delete File: ", MOVED)


def files_in(patch: str) -> list[str]:
    """Return the files that are added, changed, removed and moved, as the patch names them."""
    return [line.partition(": ")[2].strip() for line in patch.splitlines() if line.startswith(NAMING)]


def is_one_new_file(patch: str) -> bool:
    """Return whether the patch does nothing but write one file from its beginning."""
    named = [line for line in patch.splitlines() if line.startswith(NAMING)]
    return len(named) == 1 and named[0].startswith(ADDED)


def edits_in(patch: str) -> tuple[tuple[str, str, bool], ...]:
    """Return (old text, new text, everywhere) of each part of a file, with the lines around it that stay; the old text
    of what is only added is empty."""
    texts = (("".join(map(_old, part)), "".join(map(_new, part)), False) for part in _parts(patch))
    return tuple(edit for edit in texts if edit[0] != edit[1])


def _parts(patch: str) -> Iterator[list[str]]:
    """Yield the lines of each part, which another one ends, or another file."""
    part: list[str] = []
    for line in (*patch.splitlines(), "@@"):
        if line.startswith(("*** ", "@@")):
            yield part
            part = []
        else:
            part.append(line)


def _old(line: str) -> str:
    return "" if line.startswith("+") else f"{line[1:]}\n"


def _new(line: str) -> str:
    return "" if line.startswith("-") else f"{line[1:]}\n"
