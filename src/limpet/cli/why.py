"""``limpet why``: a prompt of a conversation on one screen, as the hook recorded it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.completion import complete_agent
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import SHORT_ID, counted, emit, json_option, minute, paragraph, require_workspace, table
from limpet.cli.screen import Line, styled, width
from limpet.context.usage import NAMES, is_guessed
from limpet.engine.absence import explain_absence
from limpet.engine.explanation import explain_domains, preview
from limpet.ground.clock import Clock
from limpet.ground.text.escaping import clip
from limpet.operations.timeline import name_in_words
from limpet.operations.why import describe_block, explain_prompt, sent_block

GUESSED = " of a window whose size nobody told (limpet doctor)"
SOURCES = {
    "host": "the host's status line",
    "payload": "the host's payload",
    "transcript": "the transcript",
    "start": "the conversation's start",
    "estimate": "an estimate from the number of prompts",
    "assumed": "--bracket",
}
SILENT = {
    "private": "Private: Limpet sends nothing in this conversation and keeps nothing of it.",
    "failed": "The hook failed at this prompt. Run: limpet debug",
    "nothing": "Nothing was sent: nothing applies that the conversation does not hold already.",
}


@click.command("why")
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option("--start", "starting", is_flag=True, help="Of the conversation's start, before its first prompt.")
@click.option("--not", "absent", metavar="WORDS", help="Why a memory or rule with these words did not come.")
@click.option("--text", "as_sent", is_flag=True, help="Print the text as it was sent.")
@click.option("--session", metavar="ID", default="", help="Of this conversation, not of the newest.")
@json_option
def explain_last(
    number: int | None, starting: bool, absent: str | None, as_sent: bool, session: str, as_json: bool
) -> None:
    """Explain what the last prompt, or prompt NUMBER, got.

    \b
    Examples:
      limpet why
      limpet why 3
      limpet why --start
      limpet why --text
      limpet why --not "undici"
      limpet why --session 5f0c2a
    """
    if starting and (number or absent):
        raise click.UsageError("--start cannot be combined with NUMBER or --not")
    if as_sent and absent:
        raise click.UsageError("--text and --not cannot be combined")
    project = open_project()
    if as_sent:
        text = sent_block(project.workspace, project.caller, session, number or 0, starting)
        emit({"text": text}, [text], as_json)
        return
    if absent:
        found = explain_absence(project, absent, session, number or 0)
        emit(found, _absence_lines(found), as_json)
        return
    data = explain_prompt(project.workspace, project.caller, session, number or 0, starting)
    emit(data, _lines(data), as_json)


def _lines(data: dict[str, Any]) -> Iterator[Line]:
    if data["state"] == "private":
        yield from (styled((f"Conversation {data['session'][:SHORT_ID]}", "bold")), SILENT["private"])
        return
    yield from _prompt_lines(data)
    if data["state"] != "sent":
        yield from paragraph(SILENT[data["state"]])
    else:
        yield from _section("Came", "bold green", _came_lines(data["came"], data["tokens"] or 0))
    start = data["start"]
    if start["came"] and start["first"]:
        at = "after the compaction" if start["source"] == "compact" else "at the start"
        yield from _section(f"Came {at} before it", "bold green", _came_lines(start["came"]))
    if data["files"]:
        yield from _section("Came with files since", "bold green", _came_lines(data["files"]))
    if data["left_out"]:
        rows = [(name_in_words(one["name"]), one["why"]) for one in data["left_out"]]
        yield from _section("Left out", "bold yellow", table(rows, indent="  "))
    if data["standing"]:
        names = ", ".join(dict.fromkeys(map(name_in_words, data["standing"])))
        yield from _section("In the conversation already", "bold", paragraph(f"  {names}"))
    if data["not_called"]:
        yield from _section("No keyword in the prompt", "bold", paragraph(f"  {', '.join(data['not_called'])}"))
    for note in data["notes"]:
        yield from paragraph(f"Note: {note}")
    yield ""
    if start["came"] and not start["first"]:
        yield from paragraph(f"At the start came {', '.join(map(_about, start['came']))}:")
        yield "  limpet why --start"
    if data["prompts"] > 1:
        yield styled((f"Prompts so far: {data['prompts']}. An earlier one: limpet why NUMBER", "dim"))
    if data["state"] == "sent":
        place = "" if data["prompt"] == data["prompts"] else f" {data['prompt']}"
        place = " --start" if data["event"] == "session_start" else place
        yield styled((f"The text as it was sent: limpet why{place} --text", "dim"))
    yield styled(('Why something did not come: limpet why --not "WORDS"', "dim"))


def _section(title: str, style: str, lines: Iterable[Line]) -> Iterator[Line]:
    yield ""
    yield styled((title, style))
    yield from lines


def _absence_lines(data: dict[str, Any]) -> Iterator[Line]:
    yield from _prompt_lines(data)
    waiting = [one for one in data["found"] if one.get("waits")]
    shown = [one for one in data["found"] if one not in waiting]
    if not shown and len(waiting) <= 2:
        shown = waiting
    for why, several in groupby(shown, lambda one: str(one["why"])):
        yield ""
        for one in several:
            yield from paragraph(one["id"] if one["kind"] == "rules" else f'"{one["title"]}" ({one["id"]})')
        yield from paragraph(f"  {why}")
    if waiting and shown != waiting:
        yield from ("", f"and {counted(len(waiting), 'shipped domain')} that nothing called: limpet rules list")


def _prompt_lines(data: dict[str, Any]) -> Iterator[Line]:
    if text := " ".join(data["text"].split()):
        yield styled((f'"{clip(text, width() - 2)}"', "bold"))
    what = "Start" if data["event"] == "session_start" else f"Prompt {data['prompt'] or ''}".rstrip()
    when = minute(str(data["time"] or ""))
    bracket = str(data["bracket"] or "")
    left = (
        "" if data["remaining"] is None else f", {data['remaining']:g}% left{GUESSED * is_guessed(data.get('usage'))}"
    )
    budget = f" of at most {data['budget']:,}" if data["budget"] else ""
    yield styled((f"{what} at {when}, conversation {data['session'][:SHORT_ID]}", "dim"))
    colours = {"FRESH": "green", "MODERATE": "green", "DEPLETED": "yellow", "CRITICAL": "red"}
    yield styled((bracket, colours.get(bracket, "")), f"{left}. Sent about {data['tokens'] or 0:,}{budget} tokens.")


def _came_lines(came: Iterable[dict[str, Any]], sent: int = 0) -> Iterator[Line]:
    rows: list[tuple[object, ...]] = []
    for piece in came:
        rows.append((f"{piece['tokens']}", _about(piece)))
        rows.extend(("", f'"{memory["title"]}" ({memory["id"]})') for memory in piece.get("memories", ()))
        rows.extend(("", words) for words in piece.get("asked", ()))
        sent -= piece["tokens"]
    if sent > 0:
        rows.append((f"{sent}", "what is around these: window, notes"))
    yield from table([("tokens", ""), *rows], indent="  ", heading=True, styles=("cyan",))


def _about(piece: dict[str, Any]) -> str:
    called = f", called by: {', '.join(piece['matched'])}" if piece["matched"] else ""
    rules = "rules " if piece["group"] == "rules" and piece["said"] == piece["name"] else ""
    return f"{rules}{piece['said']}{called}"


@click.command()
@click.argument("prompt", default="")
@click.option(
    "--bracket", type=SuggestingChoice(NAMES, case_sensitive=False), help="Assume this much context window is left."
)
@click.option("--agent", metavar="ID", shell_complete=complete_agent, help="Assume this agent is active.")
@click.option(
    "--session", "session_id", metavar="ID", help="Show only what is new for the next prompt of this conversation."
)
@click.option("--start", "starting", is_flag=True, help="Show the block of a session start, before any prompt.")
@click.option("--explain", is_flag=True, help="Explain each piece: in or out, why, and its tokens.")
@json_option
def context(
    prompt: str,
    bracket: str | None,
    agent: str | None,
    session_id: str | None,
    starting: bool,
    explain: bool,
    as_json: bool,
) -> None:
    """Print the context block that PROMPT would get.

    Nothing is sent or recorded.

    \b
    Examples:
      limpet context "add a failing test"
      limpet context "add a failing test" --explain
      limpet context "go on" --agent dev --bracket DEPLETED
      limpet context --start
    """
    if starting and prompt:
        raise click.UsageError("--start and PROMPT cannot be combined")
    assumed = {"bracket": bracket or "", "agent": agent or "", "session": session_id or ""}
    seen = preview(require_workspace(), prompt, starting=starting, clock=Clock(), **assumed)
    domains = [one.__dict__ for one in explain_domains(seen)]
    data = {**describe_block(seen.request, seen.result), "domains": domains}
    block = seen.result.block or "(no block: nothing new to send)"
    emit(data, [block, *(_explain(data) if explain else ())], as_json)


def _explain(data: dict[str, Any]) -> Iterator[Line]:
    yield ""
    rows = []
    for one in data["pieces"]:
        why = "" if one["state"] == "in" else one["why"]
        rows.append((one["layer"], one["name"], one["tokens"], one["state"], why))
    rows += [(layer, "-", 0, "out", why) for layer, why in data["silent"].items()]
    rows.sort(key=lambda row: row[0])
    yield from table([("layer", "piece", "tokens", "state", "why"), *rows], heading=True)
    yield ""
    yield f"tokens: {data['tokens']} of {data['budget']} ({data['bracket']})"
    yield f"characters: {data['characters']} of {data['character_limit']}"
    yield f"window: {data['remaining']:g}% left, according to {SOURCES.get(data['usage'], data['usage'])}"
    yield from (f"note: {note}" for note in data["notes"])
    yield ""
    yield from table([("fires" if one["fires"] else "-", one["name"], one["why"]) for one in data["domains"]])
