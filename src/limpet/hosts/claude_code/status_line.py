"""The status line: keeps the exact figures that Claude Code gives nowhere else, then prints the user's line with our
part beside it, or our part alone."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress

from limpet.context.usage import bracket_of
from limpet.ground.clock import lasting
from limpet.ground.config.mirror import read_mirror
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import write_if_possible
from limpet.hosts.claude_code.settings import agreed_status_line
from limpet.hosts.commands.launcher import MISSING, launcher_path
from limpet.hosts.records import USER, known_entries, project_record, read_record
from limpet.work.conversation import find_project, read_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.ground.workspace import Workspace

    Figures = dict[str, object]

# Seconds that the user's own line may take, and reading changed settings.
DEADLINE, READING = 5.0, 0.5
UNTRUSTED, PAUSED, READY = "limpet: not trusted, run limpet trust", "limpet paused", "limpet ready"
BETWEEN = " | "
# Columns that both parts may take in one line where the client does not tell the terminal's, and those that it keeps
# for its margins.
COLUMNS, MARGIN = 60, 4
# What a terminal obeys and does not show: colours, links.
UNSEEN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\].*?(?:\x07|\x1b\\))")


def main(raw: bytes) -> None:
    payload = read_object(raw)
    cwd = _text(payload.get("cwd"))
    session, project = _text(payload.get("session_id")), _text(_object(payload.get("workspace")).get("project_dir"))
    workspace = find_project(session, project, cwd) if project or cwd else None
    figures = read_status_figures(payload, int(time.time()), _size(payload.get("transcript_path")))
    private = read_private(session)
    is_paused = private is not None and private.paused
    if workspace and figures and not is_paused:
        _store(workspace, session, figures)
    theirs = _run_wrapped(raw, project or (workspace.root if workspace else cwd), workspace)
    line = theirs
    with suppress(Exception):  # the user's own is worth more
        line = beside(theirs, _our_part(workspace, figures, is_paused), _columns())
        if os.path.lexists(launcher_path() + MISSING):
            from limpet.hosts.commands.upkeep import note_return

            note_return()
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def read_status_figures(payload: dict[str, Any], now: int, transcript_size: int) -> Figures | None:
    """Return None for a payload without a window. ``remaining``, in percent, and ``used``, in tokens, are None before
    the first answer and after a compaction; ``at`` is in seconds since 1970, ``transcript_size`` in bytes."""
    context = _object(payload.get("context_window"))
    window = _number(context.get("context_window_size"))
    if not window:
        return None
    return {
        "window": int(window),
        "used": _used(context, window),
        "remaining": _number(context.get("remaining_percentage")),
        "model": str(_object(payload.get("model")).get("id") or ""),
        "at": now,
        "transcript_size": transcript_size,
    }


def own_line(figures: Figures | None, settings: dict[str, Any]) -> str:
    remaining = figures and figures["remaining"]
    if not isinstance(remaining, (int, float)):
        return READY
    return f"limpet {bracket_of(remaining, settings)} {remaining:.0f}%"


def beside(theirs: bytes, ours: str, columns: int) -> bytes:
    """Return the user's output with our part behind the first line that has room for it in so many columns, below
    where none has: a client cuts what is longer, and may drop what follows."""
    if not (theirs.strip() and ours):
        return theirs if not ours else ours.encode()
    shown = theirs.rstrip(b"\r\n")
    lines, reset = shown.split(b"\n"), b"\x1b[0m" if b"\x1b" in shown else b""
    room = columns - len(BETWEEN + ours)
    place = next((at for at, line in enumerate(lines) if 0 < _width(line) <= room), None)
    if place is None:
        lines.append(reset + ours.encode())
    else:
        lines[place] = lines[place].rstrip() + reset + (BETWEEN + ours).encode()
    return b"\n".join(lines) + theirs[len(shown) :]


def _width(line: bytes) -> int:
    from unicodedata import combining, east_asian_width

    text = UNSEEN.sub("", line.decode("utf-8", "replace")).rstrip()
    return sum(0 if combining(sign) else 1 + (east_asian_width(sign) in "WF") for sign in text)


def _columns() -> int:
    told = os.environ.get("COLUMNS", "")
    return max(int(told) - MARGIN, 1) if told.isdecimal() else COLUMNS


def _our_part(workspace: Workspace | None, figures: Figures | None, is_paused: bool) -> str:
    settings = read_mirror(workspace, lasting(READING)).settings if workspace else {}
    if not (workspace and settings["hosts"]["status_line"]):
        return ""
    if workspace.stranger:
        return UNTRUSTED
    return PAUSED if is_paused else own_line(figures, settings["context"])


def _used(context: dict[str, Any], window: float) -> int | None:
    usage = _object(context.get("current_usage"))
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
    parts = [_number(usage.get(key)) for key in keys]
    if any(part is not None for part in parts):
        return int(sum(part or 0 for part in parts))
    percent = _number(context.get("used_percentage"))
    return None if percent is None else round(percent * window / 100)


def _store(workspace: Workspace, session: str, figures: Figures) -> None:
    """Keep the figures for the next prompt; where nothing can be written the user still gets their line."""
    from limpet.ground.digest import safe_name

    if session:
        write_if_possible(workspace.cached("status", f"{safe_name(session)}.json"), dumps(figures))


def _run_wrapped(raw: bytes, project: str, workspace: Workspace | None) -> bytes:
    record = known_entries("", USER) | (read_record(project_record(workspace.home)) if workspace else {})
    line = agreed_status_line(project, record)
    if line is None:
        return b""
    from limpet.hosts.commands.lines import run_line

    return run_line(str(line["command"]), raw, DEADLINE).out


def _size(path: object) -> int:
    try:
        return os.stat(path).st_size if isinstance(path, str) else 0
    except (OSError, ValueError):
        return 0


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> float | int | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
