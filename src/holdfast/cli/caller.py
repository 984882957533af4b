"""Finds who runs a command. No other module of the command line asks terminal, environment and clock for the caller."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import click

from holdfast.cli.output import require_workspace, show
from holdfast.ground.processes import read_ancestors
from holdfast.ground.text.escaping import visible
from holdfast.ground.workspace import Workspace
from holdfast.hosts.surroundings import find_surroundings, read_surroundings, shell_of_client, ways_in
from holdfast.memory.model.access import PERSON
from holdfast.operations.approval import Obtain, Presence, Word, obtain_word
from holdfast.operations.caller import Caller, find_reader
from holdfast.operations.project import Project
from holdfast.operations.surroundings import Surroundings

yes_option: Callable[[Any], Any] = click.option(
    "--yes", "agreed", is_flag=True, help="Do not ask, where no coding agent runs the command (CI)."
)


def caller_of(workspace: Workspace, as_person: bool = False, by: str = "") -> Caller:
    """Return who runs this command; ``by`` names the command in the audit log. Raises HoldfastError.

    ``as_person``: whether it is to be a person, which takes their word where they sit at no terminal of their own.
    """
    around = surroundings()
    if as_person and (around.host or not sys.stdin.isatty()):
        obtain_for(workspace)("Run with your rights over all memories: holdfast " + " ".join(sys.argv[1:]))
    reader = PERSON if as_person else find_reader(workspace, around, sys.stdin.isatty())
    return Caller(reader=reader, now=time.time(), surroundings=around, by=by)


def open_project(by: str = "") -> Project:
    """Return the project that this command is about, opened for who runs it; ``by`` names the command in the audit log.
    Raises HoldfastError where there is none that the user trusts."""
    around, is_interactive, now = surroundings(), sys.stdin.isatty(), time.time()

    def find_caller(project: Project) -> Caller:
        reader = find_reader(project.workspace, around, is_interactive)
        return Caller(reader=reader, now=now, surroundings=around, by=by)

    return Project(require_workspace(), find_caller)


def obtain_for(workspace: Workspace | None, agreed: bool = False, shown: Sequence[str] | None = None) -> Obtain:
    """Return what gets a person's word for this command, about a project or, for None, the user's own settings.

    ``agreed``: whether the command was given ``--yes``.
    ``shown``: lines to be read before, None where the question says it all.
    """

    def obtain(says: str, shown: Sequence[str] | None = shown) -> Word:
        return obtain_word(workspace, find_presence(agreed), says, time.time(), shown)

    return obtain


def find_presence(agreed: bool = False) -> Presence:
    """Return who is there where this command runs."""
    ancestors = read_ancestors()
    around = find_surroundings(os.environ, ancestors)
    return Presence(
        surroundings=around,
        ways=ways_in(around.host),
        shell=shell_of_client(ancestors),
        words=tuple(sys.argv[1:]),
        agreed=agreed,
        ask=_ask if sys.stdin.isatty() else None,
    )


def surroundings() -> Surroundings:
    """Return the coding agent around this command, by its marks or among its ancestors."""
    return read_surroundings(os.environ)


def _ask(question: str) -> str:
    *lines, last = question.splitlines()
    show(lines, err=True)
    return str(click.prompt(visible(last), default="", show_default=False, err=True))
