"""The one git that may reach other machines. Apart from ``git``, whose questions stay on this one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.git import HARMLESS, VARIABLES
from limpet.ground.programs import program_on_path

_REACHED = ("https", "ssh", "file")


def network_git(folder: str, settings: Iterable[str] = ()) -> tuple[list[str], dict[str, str]]:
    """(How a command begins, its environment) of a git that may reach other machines, for the bare repository
    ``folder``, and asks nothing: passwords come from the user's own helpers and agents. Raise LimpetError."""
    program = program_on_path("git.exe" if sys.platform == "win32" else "git", "")
    if not program:
        raise LimpetError("git is not installed")
    command = [program, "--no-pager"]
    for setting in (*HARMLESS, *(f"protocol.{each}.allow=always" for each in _REACHED), "core.askPass=", *settings):
        command += ["-c", setting]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SSH_ASKPASS"))}
    unasked = {"SSH_ASKPASS_REQUIRE": "never", "GCM_INTERACTIVE": "never", "GIT_ALLOW_PROTOCOL": ":".join(_REACHED)}
    return command, own | VARIABLES | unasked | {"GIT_DIR": folder}
