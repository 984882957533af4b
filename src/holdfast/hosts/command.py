"""The command lines that a host runs on its events; separate from the installers, because doctor reads them back.

A line must never block the user, whatever vanishes: Python exits 2 for a missing script, and Claude Code takes 2 for
"block the prompt". So the code stands in the line itself and goes quiet when the package has gone.
"""

from __future__ import annotations

import os
import re
import sys

import holdfast
from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value

PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(holdfast.__file__)))

BOOTSTRAP = (
    r"exec('import sys\nsys.path.append(sys.argv[1])\n"
    r"try:\n from holdfast.hook import main\nexcept Exception:\n pass\nelse:\n main(sys.argv[2:])')"
)

QUOTED = r'"((?:[^"\\]|\\.)*)"'
DIRECT_LINE = re.compile(rf"{QUOTED} -I -S -c {QUOTED} {QUOTED} ([\w-]+) (\w+)", re.DOTALL)
SHARED_LINE = re.compile(r"command -v holdfast >/dev/null 2>&1 .*\bholdfast hook ([\w-]+) (\w+)\b.*")

SHORT_LIVED_FOLDERS = re.compile(
    r"/(?:\.cache|library/caches|appdata/local/.*/cache|(?:archive|builds|environments)-v\d+)/", re.IGNORECASE
)
LASTING_CACHE = re.compile(r"/pypoetry/", re.IGNORECASE)


class HookLine(Value):
    """A command line of ours, read back; ``python`` and ``root`` are empty where it calls ``holdfast`` from PATH."""

    host: str
    event: str
    python: str = ""
    root: str = ""
    bootstrap: str = ""


def hook_command(host: str, event: str, python: str = sys.executable, root: str = PACKAGE_ROOT) -> str:
    """Return the line for this machine: ``python`` started bare, ``root``, the package's folder, last on its path.

    One text for POSIX shells, Git Bash and cmd.exe.
    """
    return f'{_quote(python)} -I -S -c "{BOOTSTRAP}" {_quote(root)} {host} {event}'


def shared_command(host: str, event: str) -> str:
    """Return the line for committed files: silent, and exit 0, on a machine without Holdfast."""
    return f"command -v holdfast >/dev/null 2>&1 && holdfast hook {host} {event} 2>/dev/null || exit 0"


def read_command(command: object) -> HookLine | None:
    """Return the parts of a line that this or another version of the product wrote; None for anybody else's command."""
    if not isinstance(command, str):
        return None
    direct = DIRECT_LINE.fullmatch(command)
    if direct and "holdfast.hook" in direct[2]:
        python, bootstrap, root, host, event = direct.groups()
        return HookLine(host, event, _unquote(python), _unquote(root), bootstrap)
    shared = SHARED_LINE.fullmatch(command)
    return HookLine(shared[1], shared[2]) if shared else None


def refuse_throwaway(python: str = sys.executable, beside: str = "") -> None:
    """Raise HoldfastError for an interpreter that will not stay: of ``uvx``, ``pipx run``, a cache, a temporary folder.

    ``beside``: the file that will name the interpreter; one in the temporary folder may name its neighbours.
    """
    if not python:
        raise HoldfastError("this Python does not know its own path", hint=_LASTING)
    folder = _slashed(os.path.dirname(os.path.abspath(python))) + "/"
    cached = SHORT_LIVED_FOLDERS.search(folder) and not LASTING_CACHE.search(folder)
    temporary = _is_temporary(python) and not (beside and _is_temporary(beside))
    if cached or temporary:
        raise HoldfastError("a throw-away interpreter: the hook would name a file that goes away", python, _LASTING)


_LASTING = "install Holdfast to stay (`uv tool install`, `pipx install` or a venv) and run `holdfast init` from there"


def _is_temporary(path: str) -> bool:
    import tempfile

    folders = {tempfile.gettempdir(), *(("/tmp", "/var/tmp") if os.name == "posix" else ())}
    here = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    return any(_lies_in(here, os.path.realpath(folder)) for folder in folders)


def _lies_in(path: str, folder: str) -> bool:
    path, folder = os.path.normcase(path), os.path.normcase(folder)
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _quote(path: str) -> str:
    """Return a path in double quotes: nothing in it speaks to a POSIX shell."""
    return '"' + re.sub(r'([$`"\\])', r"\\\1", _slashed(path)) + '"'


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _slashed(path: str) -> str:
    return path.replace("\\", "/") if sys.platform == "win32" else path
