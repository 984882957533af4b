"""The output of commands: lines for people, ``--json`` for programs; and the project that they are about."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import click

from limpet.cli.screen import Line, fit_width, is_styled, is_terminal, render_lines, width, wrapped
from limpet.ground.clock import local_minute, seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.own_name import command_path, path_name, with_name
from limpet.ground.text.escaping import visible
from limpet.ground.trust.giving import refuse_untrusted
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, find_workspace, no_project
from limpet.hosts.surroundings import project_around

json_option: Callable[[Any], Any] = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")

# Characters of a conversation's id that name it on a screen; every option takes them.
SHORT_ID = 8


def emit(data: object, lines: Iterable[Line], as_json: bool) -> None:
    if as_json:
        click.echo(visible(json.dumps(data, indent=2, ensure_ascii=False)))
    else:
        show(lines)


def show(lines: Iterable[object], err: bool = False) -> None:
    """Control characters are left out; a terminal gets lines broken between words, but a text of several as it is."""
    seen = is_terminal(sys.stderr if err else sys.stdout)
    for line in map(runnable, map(visible_line, lines)):
        parts = wrapped(str(line), width()) if seen else []
        for part in parts if len(parts) > 1 else [line]:
            click.echo(render_lines(part), err=err, color=True)


def runnable(line: Line) -> Line:
    """Who called the command beside the launcher may have no other: it is named as it was called."""
    is_by_path = isinstance(line, str) and sys.argv[0] == command_path()
    return with_name(str(line), path_name()) if is_by_path else line


def tell(*notices: object) -> None:
    show((f"limpet: {notice}" for notice in filter(None, map(str, notices))), err=True)


def shared_options(*decorators: Callable[[Any], Any]) -> Callable[[Any], Any]:
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


def plain_data(found: object) -> Any:
    """Return values, also those within values and tuples, as JSON has them."""
    if isinstance(found, Value):
        return {name: plain_data(each) for name, each in found.__dict__.items()}
    return [plain_data(each) for each in found] if isinstance(found, tuple) else found


def visible_line(line: object) -> Line:
    """Return a line, or anything else as text, without control characters; a styled one keeps its styles."""
    if isinstance(line, str) or not is_styled(line):
        return visible(str(line))
    line.plain = visible(line.plain)
    return line


def require_workspace() -> Workspace:
    """Return the project that this command is about. Raises LimpetError where there is none that the user trusts."""
    workspace = find_any_project()
    refuse_untrusted(workspace)
    return workspace


def find_trusted() -> Workspace | None:
    """Return the project that this command is about, None for none. Raises LimpetError for an untrusted one."""
    workspace = project_around(os.getcwd(), os.environ)
    if workspace:
        refuse_untrusted(workspace)
    return workspace


def find_any_project(nearest: bool = False) -> Workspace:
    """Return the project that this command is about, or the nearest, trusted or not. Raises LimpetError for none."""
    workspace = find_workspace(os.getcwd()) if nearest else project_around(os.getcwd(), os.environ)
    if workspace is None:
        raise no_project(os.getcwd())
    return workspace


def table(
    rows: Sequence[Sequence[object]],
    indent: str = "",
    *,
    heading: bool = False,
    styles: Sequence[str] = (),
    spare: Sequence[str] = (),
) -> Iterator[Line]:
    """Yield the rows as aligned columns, with the first row as ``heading``; ``styles`` has rich's style of each column.
    In a terminal they fit its width: of the columns with the headings ``spare`` as many are left out as do not fit, the
    first named first; then the first column stays whole, the last wraps, the others are cut, and a line of its own
    within a cell stays one. Elsewhere every row is one uncut line."""
    cells = [list(map(visible_line, row)) for row in rows]
    if not cells:
        return
    if is_terminal():
        yield from fit_width(cells, len(indent), styles, heading, spare)
        return
    texts = []
    for line in cells:
        texts.append([str(cell).replace("\n", " ") for cell in line])
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)][:-1]
    for row in texts:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield (indent + "  ".join([*padded, row[-1]])).rstrip()


def paragraph(text: str) -> Iterator[str]:
    """Yield a text as the lines that a terminal gets of it, for whoever counts them; elsewhere it stays one line."""
    yield from wrapped(visible(text), width()) if is_terminal() else [visible(text)]


def home_as_tilde(path: str) -> str:
    home = os.path.expanduser("~")
    return f"~{path[len(home) :]}" if path.startswith(home + os.sep) else path


def counted(number: int, noun: str) -> str:
    several = f"{noun[:-1]}ies" if noun in ("memory", "story") else f"{noun}s"
    return f"{number} {noun if number == 1 else several}"


def minute(stamp: str) -> str:
    """In the time zone of who reads it; what is no time stays as it is."""
    seconds = seconds_of(stamp)
    return local_minute(seconds) if seconds else stamp


def timestamp(text: str) -> float:
    """Return the seconds since 1970 of ``2026-11-21``, ``2026-11-21T12:00`` (local time where no zone is said), or
    ``12h``, ``7d``, ``2w`` ago. Raise click.BadParameter."""
    if ago := re.fullmatch(r"([0-9]{1,5})\s*([hdw])", text.strip()):
        hours = {"h": 1, "d": 24, "w": 24 * 7}[ago[2]]
        return time.time() - int(ago[1]) * hours * 3600
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError, OSError):
        known = "2026-11-21, 2026-11-21T12:00, 12h, 7d or 2w"
        raise click.BadParameter(f"{text.strip()!r} is not a date or time. Use {known}") from None


def end_timestamp(text: str) -> float:
    """Return the same as ``timestamp``, but for a day its last second."""
    is_day = len(text.strip()) == len("2026-11-21")
    return timestamp(text) + (86_399 if is_day else 0)
