"""The launcher that hook lines start, and the command beside it that agents are told to run: their texts, the Python
that they may name, which is one that stays, and how paths are quoted in them. Separate from ``lines``, whose lines name
no Python."""

from __future__ import annotations

import os
import re
import sys

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.own_name import WINDOWS, command_path
from limpet.ground.storage.confinement import lies_in
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import cache_folder, state_folder
from limpet.ground.values import Value

PACKAGE_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(limpet.__file__)))

SHORT_LIVED_FOLDERS = re.compile(
    r"/(?:\.cache|library/caches|appdata/local/.*/cache|(?:archive|builds|environments)-v\d+)/", re.IGNORECASE
)
LASTING_CACHE = re.compile(r"/pypoetry/", re.IGNORECASE)

_LASTING = "install Limpet permanently (`uv tool install`, `pipx install`, a venv), then run `limpet init` there"
# Its file's name, and that in a state folder whose path does not name the product, as every hook line has to.
NAMES = ("hook", "limpet-hook")
# What the name of the mark beside it ends with that a status line leaves which finds no Limpet: made then, and not
# touched again.
MISSING = ".missing"
# Linux before 5.1 takes no more of a ``#!`` line.
LONGEST_FIRST_LINE = 120
EXECUTABLE = 0o700

# Words in quotes, as ``double_quoted``, ``single_quoted`` and ``powershell_quoted`` write them.
DOUBLE = r'"((?:[^"\\]|\\.)*)"'
SINGLE = r"'((?:[^']|'\\'')*)'"
POWERSHELL = r"'((?:[^']|'')*)'"

HEAD = """\
# Limpet's {what}: starts the installation that is named here. Any `limpet` command mends it.
import os, sys
sys.path.append({root})
os.environ["LIMPET_STATE"] = {state}
os.environ["LIMPET_CACHE"] = {cache}
"""
HOOK = """\
try:
    from limpet.hook import main
except BaseException:
    os._exit(1)
main(sys.argv[1:])
"""
# What is installed comes after the standard library and our package, as in ``ground.processes``.
COMMAND = """\
import site
site.main()
from limpet.cli import run
run()
"""
ROOT = re.compile(r"^sys\.path\.append\((.+)\)$", re.MULTILINE)
BY_KERNEL = re.compile(r"#!(/.+) -IS\n")
BY_SHELL = re.compile(rf'#!/bin/sh\n"exec" {DOUBLE} "-IS" ')


def refuse_throwaway(python: str = sys.executable, beside: str = "") -> None:
    """Raise LimpetError for an interpreter of ``uvx``, ``pipx run``, a cache, a temporary folder; the file ``beside``,
    which will name the interpreter, may name its neighbours there."""
    if not python:
        raise LimpetError("This Python does not know its own path", hint=_LASTING)
    folder = slashed(os.path.dirname(os.path.abspath(python))) + "/"
    cached = SHORT_LIVED_FOLDERS.search(folder) and not LASTING_CACHE.search(folder)
    temporary = _is_temporary(python) and not (beside and _is_temporary(beside))
    if cached or temporary:
        raise LimpetError("This Python is temporary, and the hook would stop working with it", python, _LASTING)


def refuse_throwaway_installation(beside: str) -> None:
    refuse_throwaway(sys.executable, beside)
    refuse_throwaway(os.path.join(PACKAGE_ROOT, "limpet"), beside)


def slashed(path: str) -> str:
    return path.replace("\\", "/") if sys.platform == "win32" else path


def _is_temporary(path: str) -> bool:
    import tempfile

    folders = {tempfile.gettempdir(), *(("/tmp", "/var/tmp") if os.name == "posix" else ())}
    here = os.path.normcase(os.path.realpath(os.path.dirname(os.path.abspath(path))))
    return any(lies_in(os.path.normcase(os.path.realpath(folder)), here) for folder in folders)


def double_quoted(text: str) -> str:
    """Return a word for POSIX shells, Git Bash and, for a path of Windows, cmd.exe."""
    return '"' + re.sub(r'([$`"\\])', r"\\\1", text) + '"'


def out_of_double(inside: str) -> str:
    return re.sub(r"\\(.)", r"\1", inside, flags=re.DOTALL)


def single_quoted(text: str) -> str:
    return "'" + text.replace("'", r"'\''") + "'"


def out_of_single(inside: str) -> str:
    return inside.replace(r"'\''", "'")


def powershell_quoted(text: str) -> str:
    """PowerShell takes four more characters for a single quote."""
    return "'" + re.sub(r"(['\u2018\u2019\u201a\u201b])", r"\1\1", text) + "'"


def out_of_powershell(inside: str) -> str:
    return re.sub(r"(['\u2018\u2019\u201a\u201b])\1", r"\1", inside)


class Target(Value):
    python: str
    root: str

    def is_alive(self) -> bool:
        hook = os.path.join(self.root, "limpet", "hook.py")
        return os.access(self.python, os.X_OK) and os.path.isfile(hook)


def launcher_path() -> str:
    folder = state_folder()
    return os.path.join(folder, NAMES["limpet" not in folder])


def windows_launcher() -> str:
    """Return the path of the batch file that starts it where there is no Git Bash."""
    return launcher_path() + WINDOWS


def here() -> Target:
    return Target(sys.executable, PACKAGE_ROOT)


def launcher_files(target: Target) -> dict[str, bytes]:
    return _with_batch(target, launcher_path(), render_launcher(target, launcher_path())) | command_files(target)


def command_files(target: Target) -> dict[str, bytes]:
    """The command ends as it will and says what it has to say; both only for the hook are silent."""
    path = command_path()
    return _with_batch(target, path, _render(target, path, "command", COMMAND))


def render_launcher(target: Target, path: str) -> bytes:
    return _render(target, path, "hook", HOOK)


def render_batch(target: Target, path: str) -> bytes:
    """cmd.exe reads it in the machine's old code page."""
    quiet = "" if path == command_path() else " 2>nul"
    python = target.python.replace("%", "%%")
    page = "" if python.isascii() else "chcp 65001 >nul\r\n"
    name = re.split(r"[/\\]", path)[-1]
    return f'@echo off\r\n{page}"{python}" -IS "%~dp0{name}" %*{quiet}\r\n'.encode("utf-8", "surrogateescape")


def read_launcher(path: str) -> Target | None:
    """Return None for no launcher of ours."""
    text = read_text(path, 16_384) or ""
    root = ROOT.search(text)
    kernel, shell = BY_KERNEL.match(text), BY_SHELL.match(text)
    python = out_of_double(shell[1]) if shell else ""
    if kernel:
        python = kernel[1]
    if not root or not python:
        return None
    from ast import literal_eval

    try:
        return Target(python, str(literal_eval(root[1])))
    except (SyntaxError, ValueError):
        return None


def command_works(target: Target) -> bool:
    """Whether the command beside the launcher can be run, and starts this installation."""
    path = command_path()
    return read_launcher(path) == target and os.access(path, os.X_OK)


def _with_batch(target: Target, path: str, raw: bytes) -> dict[str, bytes]:
    return {path: raw} | ({path + WINDOWS: render_batch(target, path)} if sys.platform == "win32" else {})


def _render(target: Target, path: str, what: str, ending: str) -> bytes:
    paths = {"root": target.root, "state": state_folder(), "cache": cache_folder()}
    head = HEAD.format(what=what, **{name: ascii(value) for name, value in paths.items()})
    return os.fsencode(_opening(target.python, path) + head + ending)


def _opening(python: str, path: str) -> str:
    line = f"#!{python} -IS\n"
    if sys.platform != "win32" and len(os.fsencode(line)) <= LONGEST_FIRST_LINE and not re.search(r"\s", python):
        return line
    return f'#!/bin/sh\n"exec" {double_quoted(slashed(python))} "-IS" {double_quoted(slashed(path))} "$@"\n'
