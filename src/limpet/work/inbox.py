"""What an agent whose sandbox may not write asked for: it lies in the project's inbox until the next event, and counts
as that agent's only where the hook saw the call (decision 64)."""

from __future__ import annotations

import os

from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import digest
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import names_in, read_text, remove_file, write_atomic
from limpet.ground.storage.json_lines import append_line
from limpet.ground.storage.scaffold import IGNORED, INBOX
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.ground.workspace import Workspace

CARRIED = frozenset(
    ("memory write", "memory add", "learn observe", "work agent activate", "work agent deactivate")
    + ("work start", "work deviate", "work back", "work set", "work stop", "work story start", "work story tick")
)
"""The commands that the hook carries out. All their words are text: none runs a program, or names a file to read."""
HANDED = "Limpet may not write from this sandbox. Its hook does that with the next event, and says what came of it."
ANNOUNCED, DONE, UNKNOWN = "announced", "carried-out", "unknown.jsonl"
ENDING = ".json"
# Seconds for which an announced call may be late, and letters that are read at once.
LATEST, MOST = 3600.0, 50


class Letter(Value):
    """``words``: those after ``limpet``. ``session``: the conversation in which the hook saw the call, "" where it saw
    none."""

    words: tuple[str, ...]
    session: str = ""


def is_carried(words: Sequence[str]) -> bool:
    return bool(name_of_carried(words)) and "-" not in words and "--as-person" not in words


def name_of_carried(words: Sequence[str]) -> str:
    """Of the command that the words call, "" for one that the hook does not carry out."""
    names = (" ".join(words[:count]) for count in (2, 3))
    return next((name for name in names if name in CARRIED), "")


def announce(workspace: Workspace, session: str, words: Sequence[str], now: float) -> None:
    """Note that the hook saw this call. Raises OSError."""
    append_line(workspace.kept(ANNOUNCED), f"{now:.0f} {_mark(words)} {session}", STATE_BYTES)


def leave_letter(workspace: Workspace, words: Sequence[str], now: float) -> None:
    """Raise OSError, also where the inbox leads out of the project."""
    folder = workspace.path(INBOX)
    ignored = os.path.join(folder, ".gitignore")
    if not os.path.lexists(ignored):
        write_atomic(ignored, IGNORED, 0o644, follow=False)
    name = f"{now:.6f}-{os.getpid()}{ENDING}"
    write_atomic(os.path.join(folder, name), dumps({"words": list(words), "at": iso(now)}), follow=False)


def take_letters(workspace: Workspace, now: float) -> tuple[Letter, ...]:
    """In the order in which they were left; they are gone then. What is no letter goes too."""
    folder, letters = workspace.path(INBOX), []
    announced = _read_announced(workspace, now)
    for name in [each for each in names_in(folder) if each.endswith(ENDING)][:MOST]:
        path = os.path.join(folder, name)
        words = read_object(read_text(path, STATE_BYTES)).get("words")
        remove_file(path)
        if isinstance(words, list) and all(isinstance(word, str) for word in words) and is_carried(words):
            letters.append(Letter(tuple(words), announced.get(_mark(words), "")))
    return tuple(letters)


def _read_announced(workspace: Workspace, now: float) -> dict[str, str]:
    found = {}
    for line in (read_text(workspace.kept(ANNOUNCED), STATE_BYTES) or "").splitlines():
        at, _, rest = line.partition(" ")
        mark, _, session = rest.partition(" ")
        if at.isdigit() and abs(now - int(at)) < LATEST:
            found[mark] = session
    return found


def _mark(words: Sequence[str]) -> str:
    return digest("\0".join(words), 16)
