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
from limpet.cli.screen import BRACKET_COLOURS, Line, styled, width
from limpet.context.usage import NAMES, is_guessed
from limpet.engine.absence import explain_absence
from limpet.engine.explanation import explain_domains, preview
from limpet.ground.clock import Clock
from limpet.ground.text.escaping import clip
from limpet.operations.timeline import name_in_words
from limpet.operations.why import describe_block, explain_prompt, sent_block

SOURCES = {
    "host": "the host's status line",
    "payload": "the host's payload",
    "transcript": "the transcript",
    "start": "the conversation's start",
    "estimate": "an estimate from the number of prompts",
    "assumed": "--bracket",
}
GUESSED = " of a window whose size nobody told (limpet doctor)"
SILENT = {
    "private": "Private: Limpet sends nothing in this conversation and keeps nothing of it.",
    "failed": "The hook failed at this prompt. Run: limpet log --hook",
    "nothing": "Nothing was sent: nothing applies that the conversation does not hold already.",
}


@click.command("why")
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option("--start", "starting", is_flag=True, help="Of the conversation's start, before its first prompt.")
@click.option("--not", "absent", metavar="WORDS", help="Why a memory or rule with these words did not come.")
@click.option("--text", "as_text", is_flag=True, help="Print the text as it was sent, or with --for would be.")
@click.option("--session", metavar="ID", default="", help="Of this conversation, not of the newest.")
@click.option(
    "--for", "prompt", is_flag=False, flag_value="", metavar="[PROMPT]", help="What PROMPT would get. Nothing is sent."
)
@click.option("--agent", metavar="ID", default="", shell_complete=complete_agent, help="With --for: as this agent.")
@click.option(
    "--bracket",
    type=SuggestingChoice(NAMES, case_sensitive=False),
    help="With --for: as if this much context window were left.",
)
@json_option
def explain_last(
    number: int | None,
    starting: bool,
    absent: str | None,
    as_text: bool,
    session: str,
    prompt: str | None,
    agent: str,
    bracket: str | None,
    as_json: bool,
) -> None:
    """Explain what the last prompt, or prompt NUMBER, got.

    \b
    Examples:
      limpet why
      limpet why 3
      limpet why --start
      limpet why --text
      limpet why --not "undici"
      limpet why --for "add a failing test"
      limpet why --for --start --text
    """
    if prompt is not None:
        if number or absent or (starting and prompt):
            raise click.UsageError("--for cannot be combined with NUMBER or --not, nor PROMPT with --start")
        assumed = {"bracket": bracket or "", "agent": agent, "session": session}
        _preview_prompt(prompt, starting, as_text, as_json, **assumed)
        return
    if agent or bracket:
        raise click.UsageError("--agent and --bracket need --for")
    if starting and (number or absent):
        raise click.UsageError("--start cannot be combined with NUMBER or --not")
    if as_text and absent:
        raise click.UsageError("--text and --not cannot be combined")
    project = open_project()
    if as_text:
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
    yield styled(
        (bracket, BRACKET_COLOURS.get(bracket, "")), f"{left}. Sent about {data['tokens'] or 0:,}{budget} tokens."
    )


def _came_lines(came: Iterable[dict[str, Any]], sent: int = 0) -> Iterator[Line]:
    rows: list[tuple[object, ...]] = []
    for piece in came:
        rows.append((f"{piece['tokens']}", _about(piece)))
        rows.extend(("", f'"{memory["title"]}" ({memory["id"]})') for memory in piece.get("memories", ()))
        rows.extend(("", words) for words in piece.get("asked", ()))
        sent -= piece["tokens"]
    if sent > 0:
        rows.append((f"{sent}", "the frame and notes around these"))
    yield from table([("tokens", ""), *rows], indent="  ", heading=True, styles=("cyan",))


def _about(piece: dict[str, Any]) -> str:
    called = f", called by: {', '.join(piece['matched'])}" if piece["matched"] else ""
    rules = "rules " if piece["group"] == "rules" and piece["said"] == piece["name"] else ""
    return f"{rules}{piece['said']}{called}"


def _preview_prompt(prompt: str, starting: bool, as_text: bool, as_json: bool, **assumed: str) -> None:
    """``starting``: the block of a conversation's start. ``assumed``: bracket, agent and session, "" for none."""
    seen = preview(require_workspace(), prompt, starting=starting, clock=Clock(), **assumed)
    domains = [one.__dict__ for one in explain_domains(seen)]
    data = {**describe_block(seen.request, seen.result), "domains": domains}
    block = seen.result.block or "(no block: nothing new to send)"
    emit(data, [block] if as_text else _preview_lines(data), as_json)


def _preview_lines(data: dict[str, Any]) -> Iterator[Line]:
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
