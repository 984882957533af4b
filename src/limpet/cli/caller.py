"""Finds who runs a command. No other module of the command line asks terminal, environment and clock for the caller."""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import click

from limpet.cli.output import require_workspace, show
from limpet.ground.event import Surroundings
from limpet.ground.processes import read_ancestors
from limpet.ground.text.escaping import visible
from limpet.ground.workspace import Workspace
from limpet.hosts.surroundings import read_surroundings, shell_of_client, ways_in
from limpet.memory.model.layout import WHOLE_STORE
from limpet.operations.approval import Obtain, PersonWord, Presence, obtain_word
from limpet.operations.caller import Caller, find_reader
from limpet.operations.project import Project

yes_option: Callable[[Any], Any] = click.option(
    "--yes", "agreed", is_flag=True, help="Do not ask, where no coding agent runs the command (CI)."
)


def caller_of(workspace: Workspace, as_person: bool = False) -> Caller:
    """``as_person`` takes a person's word where they sit at no terminal of their own. Raises LimpetError."""
    around = surroundings()
    if as_person and (around.host or not sys.stdin.isatty()):
        obtain_for(workspace)(f"Run with your rights over all memories: {shlex.join(('limpet', *sys.argv[1:]))}")
    reader = WHOLE_STORE if as_person else find_reader(workspace, around, sys.stdin.isatty())
    return Caller(reader=reader, now=time.time(), surroundings=around)


def open_project(by: str = "") -> Project:
    """Raise LimpetError where there is no project that the user trusts. ``by`` names the command in the audit log."""
    around, is_interactive, now = surroundings(), sys.stdin.isatty(), time.time()
    if around.host:
        from limpet.hosts.commands.shells import note_own_shell  # which a person's commands do without

        note_own_shell(around.host, now)

    def find_caller(project: Project) -> Caller:
        reader = find_reader(project.workspace, around, is_interactive)
        return Caller(reader=reader, now=now, surroundings=around, by=by)

    return Project(require_workspace(), find_caller)


def obtain_for(
    workspace: Workspace | None, agreed: bool = False, shown: Sequence[str] | None = None, plain: bool = False
) -> Obtain:
    """``workspace``: None for the user's own settings. ``shown``: lines to be read before, None where nothing is.
    ``plain``: nothing is asked at a terminal."""

    def obtain(says: str, shown: Sequence[str] | None = shown) -> PersonWord:
        return obtain_word(workspace, find_presence(agreed).replace(plain=plain), says, time.time(), shown)

    return obtain


def find_presence(agreed: bool = False) -> Presence:
    from limpet.work.serving import read_served  # few commands ask for a person's word

    around = surroundings()
    return Presence(
        surroundings=around,
        ways=ways_in(around.host),
        shell=shell_of_client(read_ancestors(), read_served(around.conversation)),
        words=tuple(sys.argv[1:]),
        agreed=agreed,
        ask=_ask if sys.stdin.isatty() else None,
    )


def learn_later(project: Project) -> None:
    """Of the deeds that led here, by a process that nobody waits for: their log and the transcript may be large."""
    from limpet.engine.worker import start_job  # which few commands need

    start_job(project.workspace, "deeds", {"now": project.caller.now, "session": project.caller.conversation})


def refuse_in_private(words: Sequence[str]) -> None:
    """``words``: those after ``limpet``. Raise LimpetError where it would keep something that an agent gives it in a
    private conversation."""
    from limpet.guard.call import read_table
    from limpet.guard.rules.permission import keeps_words
    from limpet.operations.memory.conversations.conversation import refuse_keeping

    around = surroundings()
    if around.host and "--as-person" not in sys.argv and keeps_words(tuple(words), read_table()):
        refuse_keeping(around)


def surroundings() -> Surroundings:
    return read_surroundings(os.environ)


def _ask(question: str) -> str:
    *lines, last = question.splitlines()
    show(lines, err=True)
    return str(click.prompt(visible(last), default="", show_default=False, err=True))
