"""Finds the program of a host that runs without a terminal."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping

from limpet.ground.errors import LimpetError


def find_program(program: str, variable: str, environment: Mapping[str, str]) -> str:
    """Return the absolute path of a program on PATH, or of the one that the environment's ``variable`` names.

    Raises LimpetError where there is none.
    """
    named = environment.get(variable) or program
    found = shutil.which(named, path=environment.get("PATH"))
    if found is None:
        hint = f"add `{program}` to PATH, or set {variable} to its path"
        raise LimpetError("Program not found", named, hint)
    return os.path.abspath(found)
