"""The launcher: a small executable file in the user's state folder that every hook line on this machine names, and
that leads to a living interpreter with Limpet. The lines stay the same for good; what moves is said here.

It is Python, started by the kernel (``#!``), or by ``sh`` where that line cannot carry the interpreter; the second form
reads as one string to Python and as a command to ``sh``. Git Bash takes the second, and PowerShell a batch file beside
it. Where the package has gone it ends with 1, having taken nothing of its input and said nothing.
"""

from __future__ import annotations

import os
import re
import sys

from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import cache_folder, state_folder
from limpet.ground.values import Value
from limpet.hosts.commands.interpreter import PACKAGE_ROOT, slashed
from limpet.hosts.commands.quoting import DOUBLE, double_quoted, out_of_double

NAMES = ("hook", "limpet-hook")
"""Its file's name, and that in a state folder whose path does not name the product, as every hook line has to."""
WINDOWS = ".cmd"
"""What the name of the batch file beside it ends with."""
MISSING = ".missing"
"""What the name of the mark beside it ends with that a status line leaves which finds no Limpet: made then, and not
touched again."""

# Linux before 5.1 takes no more of a ``#!`` line.
LONGEST_FIRST_LINE = 120
LARGEST = 16_384
EXECUTABLE = 0o700

BODY = """\
# Limpet's hook: starts the installation that is named here. Any `limpet` command mends it.
import os, sys
sys.path.append({root})
os.environ["LIMPET_STATE"] = {state}
os.environ["LIMPET_CACHE"] = {cache}
try:
    from limpet.hook import main
except BaseException:
    os._exit(1)
main(sys.argv[1:])
"""
ROOT = re.compile(r"^sys\.path\.append\((.+)\)$", re.MULTILINE)
BY_KERNEL = re.compile(r"#!(/.+) -IS\n")
BY_SHELL = re.compile(rf'#!/bin/sh\n"exec" {DOUBLE} "-IS" ')


class Target(Value):
    """Where a launcher leads: an interpreter, and the folder with the package."""

    python: str
    root: str

    def is_alive(self) -> bool:
        """Return whether both are there."""
        hook = os.path.join(self.root, "limpet", "hook.py")
        return os.access(self.python, os.X_OK) and os.path.isfile(hook)


def launcher_path() -> str:
    """Return the launcher's path."""
    folder = state_folder()
    return os.path.join(folder, NAMES["limpet" not in folder])


def windows_launcher() -> str:
    """Return the path of the batch file that starts it where there is no Git Bash."""
    return launcher_path() + WINDOWS


def here() -> Target:
    """Return the installation that runs."""
    return Target(sys.executable, PACKAGE_ROOT)


def launcher_files(target: Target) -> dict[str, bytes]:
    """Return path -> bytes of the files that lead to ``target``."""
    path = launcher_path()
    files = {path: render_launcher(target, path)}
    return files | {windows_launcher(): render_batch(target, path)} if sys.platform == "win32" else files


def render_launcher(target: Target, path: str) -> bytes:
    """Return the launcher that is to lie at ``path``."""
    paths = {"root": target.root, "state": state_folder(), "cache": cache_folder()}
    body = BODY.format(**{name: ascii(value) for name, value in paths.items()})
    return os.fsencode(_opening(target.python, path) + body)


def render_batch(target: Target, path: str) -> bytes:
    """Return the batch file beside the launcher at ``path``; cmd.exe reads it in the machine's old code page."""
    python = target.python.replace("%", "%%")
    page = "" if python.isascii() else "chcp 65001 >nul\r\n"
    name = re.split(r"[/\\]", path)[-1]
    return f'@echo off\r\n{page}"{python}" -IS "%~dp0{name}" %* 2>nul\r\n'.encode("utf-8", "surrogateescape")


def read_launcher(path: str) -> Target | None:
    """Return where the launcher at ``path`` leads, None for no launcher of ours."""
    text = read_text(path, LARGEST) or ""
    root = ROOT.search(text)
    kernel, shell = BY_KERNEL.match(text), BY_SHELL.match(text)
    python = kernel[1] if kernel else out_of_double(shell[1]) if shell else ""
    if not root or not python:
        return None
    from ast import literal_eval

    try:
        return Target(python, str(literal_eval(root[1])))
    except (SyntaxError, ValueError):
        return None


def _opening(python: str, path: str) -> str:
    line = f"#!{python} -IS\n"
    if sys.platform != "win32" and len(os.fsencode(line)) <= LONGEST_FIRST_LINE and not re.search(r"\s", python):
        return line
    return f'#!/bin/sh\n"exec" {double_quoted(slashed(python))} "-IS" {double_quoted(slashed(path))} "$@"\n'
