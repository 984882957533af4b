"""``limpet guard log``: the guard's decisions, a line each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from limpet.cli.output import emit, json_option, require_workspace
from limpet.cli.screen import Line
from limpet.cli.table import table
from limpet.ground.text.escaping import clip, visible
from limpet.operations.guard.log import Decision, read_decisions

LONGEST = 80


@click.command()
@click.option("--last", type=click.IntRange(min=1), default=20, show_default=True, help="Number of entries.")
@click.option("--denied", is_flag=True, help="Only what was denied or asked about.")
@json_option
def log(last: int, denied: bool, as_json: bool) -> None:
    """Show what the guard decided, newest last.

    A tool call that no rule is concerned with leaves no entry, nor does a private conversation.

    \b
    Examples:
      limpet guard log
      limpet guard log --denied --last 50
    """
    decisions = read_decisions(require_workspace(), last, denied)
    emit([_describe(each) for each in decisions], _lines(decisions), as_json)


def _describe(decision: Decision) -> dict[str, object]:
    return {name: value or None for name, value in decision.__dict__.items() if name not in ("data", "place")}


def _lines(decisions: Sequence[Decision]) -> Iterator[Line]:
    if not decisions:
        return iter(["No decisions yet."])
    rows = [
        (one.time[:19].replace("T", " "), one.id or one.record, one.answer, one.agent or "-", one.rule, _said(one))
        for one in decisions
    ]
    heading = ("time (UTC)", "id", "answer", "agent", "rule", "act")
    return table([heading, *rows], heading=True, styles=("dim", "cyan"))


def _said(decision: Decision) -> str:
    act = decision.act or " ".join(filter(None, (decision.tool, decision.target)))
    because = ""
    if decision.answer == "once":
        because = f" (allowed once: {decision.reason})"
    elif decision.record:
        because = f" (allowed by {decision.record})"
    return clip(visible(" ".join(act.split())), LONGEST) + visible(because)
