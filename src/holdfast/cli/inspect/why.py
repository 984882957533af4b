"""``holdfast why``: the last prompt of a conversation on one screen, as the hook recorded it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from holdfast.cli.caller import caller_of
from holdfast.cli.output import SHORT_ID, emit, json_option, require_workspace
from holdfast.cli.screen import Line, styled
from holdfast.cli.table import counted, minute, table
from holdfast.operations.why import explain_last

HEADINGS = {
    "always": "always",
    "rules": "rules",
    "command": "command",
    "memory": "memory",
    "work": "work",
    "next": "next",
}
COLOURS = {"FRESH": "green", "MODERATE": "green", "DEPLETED": "yellow", "CRITICAL": "red"}
SILENT = {
    "private": "Private: Holdfast sends nothing in this conversation and keeps nothing of it.",
    "failed": "The hook failed at this prompt. Run: holdfast debug",
    "nothing": "Nothing was sent: all that applies is in the conversation already.",
}


@click.command()
@click.option("--session", metavar="ID", default="", help="Of this conversation, not of the newest.")
@json_option
def why(session: str, as_json: bool) -> None:
    """Explain what the last prompt brought, and why.

    \b
    Examples:
      holdfast why
      holdfast why --session 5f0c2a
    """
    workspace = require_workspace()
    data = explain_last(workspace, caller_of(workspace), session)
    emit(data, _lines(data), as_json)


def _lines(data: dict[str, Any]) -> Iterator[Line]:
    yield styled((data["session"][:SHORT_ID], "bold"))
    if data["title"]:
        yield data["title"]
    if data["state"] == "private":
        yield SILENT["private"]
        return
    yield from _prompt_lines(data)
    if data["state"] != "sent":
        yield SILENT[data["state"]]
    else:
        yield ""
        yield styled(("Came", "bold green"))
        yield from _came_lines(data["came"])
    if data["files"]:
        yield ""
        yield styled(("Came with files since", "bold green"))
        yield from _came_lines(data["files"])
    if data["left_out"]:
        yield ""
        yield styled(("Left out", "bold yellow"))
        rows = [(one["name"], one["why"]) for one in data["left_out"]]
        yield from table(rows, indent="  ")
    if data["standing"]:
        yield ""
        yield styled(("In the conversation already", "bold"))
        yield f"  {', '.join(dict.fromkeys(data['standing']))}"
    if data["not_called"]:
        yield ""
        yield styled(("No keyword in the prompt", "bold"))
        yield f"  {', '.join(data['not_called'])}"
    for note in data["notes"]:
        yield styled(("Note ", "yellow"), note)
    yield ""
    yield styled(('The words that call rules: holdfast rules match "PROMPT" --all', "dim"))


def _prompt_lines(data: dict[str, Any]) -> Iterator[Line]:
    what = "Start" if data["event"] == "session_start" else f"Prompt {data['prompt'] or ''}".rstrip()
    when = minute(str(data["time"] or ""))
    bracket = str(data["bracket"] or "")
    left = "" if data["remaining"] is None else f", {data['remaining']:g}% of the window left"
    budget = f" of at most {data['budget']:,}" if data["budget"] else ""
    yield styled((f"{what} at {when} UTC", "dim"))
    yield styled((bracket, COLOURS.get(bracket, "")), f"{left}. Sent {data['tokens'] or 0:,}{budget} tokens.")


def _came_lines(came: Iterable[dict[str, Any]]) -> Iterator[Line]:
    rows: list[tuple[object, ...]] = []
    for piece in came:
        rows.append((HEADINGS[piece["group"]], f"{piece['tokens']}", _about(piece)))
        rows.extend(("", "", f'"{memory["title"]}" ({memory["id"]})') for memory in piece.get("memories", ()))
    yield from table([("", "tokens", ""), *rows], indent="  ", heading=True, styles=("cyan",))


def _about(piece: dict[str, Any]) -> str:
    if "memories" in piece:
        return counted(len(piece["memories"]), "memory").replace("memorys", "memories")
    called = f", called by: {', '.join(piece['matched'])}" if piece["matched"] else ""
    return f"{piece['name']}{called}"
