"""Finds who runs a command. No other module of the command line asks terminal, environment and clock for the caller."""

from __future__ import annotations

import os
import sys
import time

from holdfast.ground.errors import HoldfastError
from holdfast.ground.workspace import Workspace
from holdfast.hosts.surroundings import read_surroundings
from holdfast.operations.caller import Caller, find_reader
from holdfast.operations.surroundings import Surroundings


def surroundings() -> Surroundings:
    """Return the coding agent around this command."""
    return read_surroundings(os.environ)


def caller_of(workspace: Workspace, as_person: bool = False, by: str = "") -> Caller:
    """Return who runs this command; ``by`` names the command in the audit log. Raises HoldfastError."""
    around = surroundings()
    reader = find_reader(workspace, around, sys.stdin.isatty(), as_person)
    return Caller(reader=reader, now=time.time(), surroundings=around, by=by)


def require_person(what: str) -> None:
    """Raise HoldfastError where no person sits at a terminal of their own, or a coding agent runs the command."""
    if surroundings().host or not sys.stdin.isatty():
        raise HoldfastError(f"{what} needs a person at a terminal", hint="run it in your own terminal")
