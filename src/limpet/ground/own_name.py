"""The command that agents are told to run: the bare name where their client's shells are known to find this very
installation by it, else the path of the one beside the launcher. Apart from what writes and probes both, because the
hook reads it, and the guard takes either for the same."""

from __future__ import annotations

import os
import sys

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import NAME, state_folder

WINDOWS = ".cmd"
# What a name's next word has to be, so that the name is a command and no word of a sentence.
COMMANDS = frozenset(
    (
        "completion config dashboard decide demo doctor eval guard health help hosts import init learn log mcp memory "
        "package pause registry replay report resume review rules serve sessions status sync team trust uninstall why "
        "work"
    ).split()
)
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:@%")
# Clients are started from few places.
KEPT = 16
# What shells say of a command that they did not run, behind its name or before it.
_BEHIND = (
    *(": command not found", ": not found", ": No such file or directory", ": Permission denied"),
    *(": bad interpreter", ": cannot execute", "' is not recognized"),
)
_BEFORE = ("command not found: ", "no such file or directory: ", "permission denied: ")
# Before the name these make it a part of something else: a path, a star-command, a longer word.
_WITHIN = _PLAIN - {":"} | {"*", "\\", "$"}


def command_path() -> str:
    return os.path.join(state_folder(), "bin", NAME)


def shells_path() -> str:
    """Of what clients' shells found: client and PATH of its process -> what ``last_found`` returns."""
    return os.path.join(state_folder(), "shells.json")


def last_found(host: str) -> tuple[bool, float, bool]:
    """Whether the bare name is us in the shells of a client with the PATH of this process, since when that is known, 0
    for never, and whether a command in such a shell saw it."""
    found = read_object(read_text(shells_path(), STATE_BYTES)).get(_place(host))
    known = found if isinstance(found, list) and len(found) > 1 else [False, 0.0]
    return known[0] is True, known[1], len(known) > 2


def note_found(host: str, is_found: bool, now: float, seen: bool = False) -> None:
    """Raise OSError."""
    from limpet.ground.formats.json_text import dumps
    from limpet.ground.storage.durable import write_durably

    known = read_object(read_text(shells_path(), STATE_BYTES))
    known.pop(_place(host), None)
    known[_place(host)] = [is_found, now, True] if seen else [is_found, now]
    write_durably(shells_path(), dumps(dict([*known.items()][-KEPT:])))


def find_name(host: str) -> str:
    """For agents of the client around this process. Where no command lies beside the launcher, the name is all that
    there is."""
    if not os.path.isfile(command_path()) or last_found(host)[0]:
        return NAME
    return path_name()


def path_name() -> str:
    """The path as a word of a shell."""
    path = command_path()
    if sys.platform == "win32":
        path = path.replace("\\", "/") + WINDOWS
    return path if _PLAIN.issuperset(path) else "'" + path.replace("'", r"'\''") + "'"


def is_own_name(word: str) -> bool:
    """Whether a command's first word, without quotes, calls this installation as agents are told to."""
    path = command_path()
    return word in (NAME, path, path.replace("\\", "/"), path.replace("\\", "/") + WINDOWS)


def name_not_run(text: str) -> str:
    """By which name a shell's output says that it could not start us, "" where it does not say so."""
    for name in (command_path(), NAME):
        before, *parts = text.split(name)
        for behind in parts:
            is_behind = behind.startswith(_BEHIND) and before[-1:] not in _WITHIN
            if is_behind or (before.endswith(_BEFORE) and behind[:1] not in _WITHIN):
                return name
            before = behind
    return ""


def with_name(text: str, name: str) -> str:
    """Put ``name`` wherever the text names a command of ours to run."""
    first, *rest = text.split(f"{NAME} ") if name != NAME else [text]
    made = first
    for part in rest:
        word = part[: len(part) - len(part.lstrip("abcdefghijklmnopqrstuvwxyz"))]
        is_call = word in COMMANDS and made[-1:] not in _WITHIN
        made += f"{name if is_call else NAME} {part}"
    return made


def _place(host: str) -> str:
    return f"{host} {os.environ.get('PATH', '')}"
