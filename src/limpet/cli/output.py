"""The output of commands: lines for people, ``--json`` for programs; and the project that they are about."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from limpet.cli.screen import Line, is_styled, is_terminal, render, width, wrapped
from limpet.ground.errors import LimpetError
from limpet.ground.text.escaping import visible
from limpet.ground.trust.giving import refuse_untrusted
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, find_workspace, no_project
from limpet.hosts.surroundings import project_around

json_option: Callable[[Any], Any] = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")

SHORT_ID = 8
"""Characters of a conversation's id that name it on a screen; every option takes them."""


def emit(data: object, lines: Iterable[Line], as_json: bool) -> None:
    """Print ``data`` as JSON when a program asked, else the lines for people."""
    if as_json:
        click.echo(visible(json.dumps(data, indent=2, ensure_ascii=False)))
    else:
        show(lines)


def show(lines: Iterable[object], err: bool = False) -> None:
    """Print lines for people, plain or styled, without control characters; a terminal gets them broken between words.

    A text of several lines is printed as it is.
    """
    seen = is_terminal(sys.stderr if err else sys.stdout)
    for line in map(visible_line, lines):
        parts = wrapped(str(line), width()) if seen else []
        for part in parts if len(parts) > 1 else [line]:
            click.echo(render(part), err=err, color=True)


def tell(*notices: object) -> None:
    """Print each notice that says something as a line on stderr."""
    show((f"limpet: {notice}" for notice in filter(None, map(str, notices))), err=True)


def shared_options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return one decorator that adds these options, in this order; several commands share it."""

    def add(command: Any) -> Any:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return add


def require_terminal() -> None:
    """Raise LimpetError where nobody can be asked."""
    if not sys.stdin.isatty():
        raise LimpetError("Cannot prompt: not a terminal", hint="re-run with --yes, or preview with --dry-run")


def json_fields(found: Value) -> dict[str, Any]:
    """Return the fields of a finding for ``--json``, where its hint goes by the older name that programs know."""
    return {"mend" if name == "hint" else name: value for name, value in found.__dict__.items()}


def visible_line(line: object) -> Line:
    """Return a line, or anything else as text, without control characters; a styled one keeps its styles."""
    if isinstance(line, str) or not is_styled(line):
        return visible(str(line))
    line.plain = visible(line.plain)
    return line


def require_workspace() -> Workspace:
    """Return the project that this command is about. Raises LimpetError where there is none that the user trusts."""
    workspace = find_project()
    refuse_untrusted(workspace)
    return workspace


def find_trusted() -> Workspace | None:
    """Return the project that this command is about, None for none. Raises LimpetError for an untrusted one."""
    workspace = project_around(os.getcwd(), os.environ)
    if workspace:
        refuse_untrusted(workspace)
    return workspace


def find_project(nearest: bool = False) -> Workspace:
    """Return the project that this command is about, or the nearest, trusted or not. Raises LimpetError for none."""
    workspace = find_workspace(os.getcwd()) if nearest else project_around(os.getcwd(), os.environ)
    if workspace is None:
        raise no_project(os.getcwd())
    return workspace
