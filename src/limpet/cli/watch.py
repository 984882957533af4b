"""``limpet status --watch``: the newest conversation on one screen, drawn again when anything changes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from limpet.cli.caller import open_project
from limpet.cli.output import SHORT_ID, home_as_tilde, require_workspace, show, table
from limpet.cli.screen import BRACKET_COLOURS, Line, is_terminal, live_screen, styled, width
from limpet.cli.status_rows import memories_in_words, work_rows
from limpet.ground.clock import Clock, local_minute, seconds_of
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data
from limpet.ground.text.escaping import clip
from limpet.ground.trust.allowance import DECIDED
from limpet.hosts.project_status import project_status
from limpet.operations.project import Project
from limpet.operations.receipts import FRAME, ReplayedTurn, replay
from limpet.operations.timeline import list_conversations, read_timeline
from limpet.operations.watching import look_at_stamps

Row = tuple[str, Line]
# Prompts, memories and refusals that are shown, entries of the log among which they are looked for, and characters of
# a text.
PROMPTS, MEMORIES, REFUSALS, LOOKED_AT, LONGEST = 5, 4, 3, 80, 60
BARS = "▁▂▃▄▅▆▇█"
HEARD = ("memory.added", "memory.changed", "memory.superseded", "memory.withdrawn", "memory.strengthened")
ENDING = ("q", "\x04")
# Seconds between two looks at the files' stamps.
PAUSE = 1.0


def watch_project() -> None:
    """Until a person types q or Ctrl-C; elsewhere than in a terminal once."""
    if not (is_terminal() and sys.stdin.isatty()):
        show(_screen(open_project()))
        return
    workspace = require_workspace()
    with live_screen() as (draw, next_key):
        seen: object = None
        key = ""
        while key not in ENDING:
            found = (look_at_stamps(workspace), width())
            if found != seen:
                draw([*_screen(open_project()), "", styled(("q ends", "dim"))])
                seen = found
            key = next_key(PAUSE)


def _screen(project: Project) -> Iterator[Line]:
    workspace = project.workspace
    state = project_status(workspace, Clock(), os.getcwd())
    newest = next(iter(list_conversations(workspace)), None)
    rows: list[Row] = [("project", home_as_tilde(workspace.root))]
    if newest is None:
        rows.append(("now", "no conversation yet. Run your coding agent here."))
    else:
        title = f' "{clip(newest["title"], LONGEST)}"' if newest["title"] else ""
        rows.append(("now", f"{newest['id'][:SHORT_ID]}, {newest['host']}{title}"))
        rows += _conversation_rows(project, newest["id"])
    rows += [("", ""), ("memories", memories_in_words(state["memories"]))]
    entries = read_timeline(workspace, project.caller, LOOKED_AT, newest["id"]) if newest else []
    rows += [("", entry.text) for entry in entries if entry.kind in HEARD][-MEMORIES:]
    own = (state["conversation"] or {}).get("own", {})
    under_way = [*work_rows(state), *((name.removeprefix("active_"), f"{value}, here") for name, value in own.items())]
    rows += [("", ""), *(under_way or [("work", "none under way")]), ("", "")]
    refused = [entry for entry in entries if entry.kind == DECIDED and event_data(entry.data).get("answer") == "deny"]
    rows += [("guard", entry.text.removeprefix("guard ")) for entry in refused[-REFUSALS:]]
    if not refused:
        rows.append(("guard", "refused nothing in this conversation"))
    yield from table(rows, styles=("bold",))


def _conversation_rows(project: Project, conversation: str) -> Iterator[Row]:
    try:
        turns = replay(project, conversation)
    except LimpetError as error:
        yield "", str(error)
        return
    told = [turn for turn in turns if turn.event in ("prompt", "session_start")]
    measured = [turn for turn in told if turn.remaining is not None]
    if measured:
        room = max(width() - 40, 10)
        bars = [(_bar(turn), BRACKET_COLOURS.get(turn.bracket, "")) for turn in measured[-room:]]
        newest, colour = measured[-1], bars[-1][1]
        yield "window", styled(*bars, f" {newest.remaining:g}% left, ", (newest.bracket, colour))
    prompts = [turn for turn in told if turn.event == "prompt"][-PROMPTS:]
    for turn in prompts:
        yield f"prompt {turn.prompt}", _prompt_in_words(turn)
    if not prompts:
        yield "", "no prompt yet"


def _bar(turn: ReplayedTurn) -> str:
    return BARS[min(int((turn.remaining or 0.0) / 100 * len(BARS)), len(BARS) - 1)]


def _prompt_in_words(turn: ReplayedTurn) -> str:
    words = f' "{clip(" ".join(turn.text.split()), LONGEST)}"' if turn.text else ""
    names = ", ".join(piece.said for piece in turn.pieces if piece.name != FRAME)
    tokens = sum(piece.tokens for piece in turn.pieces)
    came = f"{tokens} tokens: {names or 'notes'}" if tokens else "nothing new"
    return f"{local_minute(seconds_of(turn.at))[-5:]}{words}\n{came}"
