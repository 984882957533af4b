"""``limpet why --for``: what a prompt would get, of which nothing is sent or recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from limpet.cli.output import emit, require_workspace, table
from limpet.cli.screen import Line
from limpet.engine.explanation import explain_domains, preview
from limpet.ground.clock import Clock
from limpet.operations.why import describe_block

SOURCES = {
    "host": "the host's status line",
    "payload": "the host's payload",
    "transcript": "the transcript",
    "start": "the conversation's start",
    "estimate": "an estimate from the number of prompts",
    "assumed": "--bracket",
}


def preview_prompt(prompt: str, starting: bool, as_text: bool, as_json: bool, **assumed: str) -> None:
    """``starting``: the block of a conversation's start. ``assumed``: bracket, agent and session, "" for none."""
    seen = preview(require_workspace(), prompt, starting=starting, clock=Clock(), **assumed)
    domains = [one.__dict__ for one in explain_domains(seen)]
    data = {**describe_block(seen.request, seen.result), "domains": domains}
    block = seen.result.block or "(no block: nothing new to send)"
    emit(data, [block] if as_text else _explain(data), as_json)


def _explain(data: dict[str, Any]) -> Iterator[Line]:
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
