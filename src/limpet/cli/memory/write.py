"""``limpet memory write``: answers to candidates, and what somebody found."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.output import emit, json_option
from limpet.memory.model.ids import short_id
from limpet.operations.memory.write import Written, left_open
from limpet.operations.memory.write import write as write_answers

SHOWN = 6
OPEN = "Said, not yet written down:"
HOW = 'Answer: limpet memory write "ID: SENTENCE" "ID: drop"'
SPEAKERS = {"assistant": "agent"}
NONE_OPEN = "Nothing waits to be written down."


@click.command()
@click.argument("answers", nargs=-1, metavar='"ID: SENTENCE"...')
@json_option
def write(answers: tuple[str, ...], as_json: bool) -> None:
    """Write down what was said, a sentence for each.

    Without arguments, list the candidates. A sentence stands alone, in at most 20 words. Each argument is one of:

    \b
      "ID: SENTENCE"                   write it
      "ID: drop"                       it is not worth a memory
      "ID: repeats MEMORY"             that memory says it already
      "ID: replaces MEMORY: SENTENCE"  that memory held until now
      "ID: ends MEMORY"                that memory no longer holds
      "TYPE: SENTENCE"                 your own finding: decision, gotcha, lesson, ...

    \b
    Examples:
      limpet memory write
      limpet memory write "k7q2m9: The import uses four workers." "9c1d4f: drop"
      limpet memory write "gotcha: The linter reads its settings from the parent folder."
    """
    project = open_project()
    results = write_answers(project, answers) if answers else []
    waiting = left_open(project, SHOWN)
    lines = [*map(_line, results), *_open_lines(waiting, bool(results))]
    emit({"answers": [result.__dict__ for result in results], "open": waiting}, lines, as_json)
    if any(result.problem for result in results):
        sys.exit(1)


def _line(result: Written) -> str:
    if result.problem:
        return f"{result.name}  {result.problem}"
    about = f" {short_id(result.about)} by" if result.did == "replaced" else ""
    about = f" {short_id(result.about)}, which only a person changes:" if result.did == "beside" else about
    entry = f'{about} {short_id(result.id)} "{result.title}"' if result.id else ""
    notice = f" ({result.notice})" if result.notice else ""
    return f"{result.name}  {result.did}{entry}{notice}"


def _open_lines(waiting: Sequence[Mapping[str, Any]], answered: bool) -> Iterator[str]:
    if waiting:
        yield from (OPEN, *map(_open_line, waiting), HOW)
    elif not answered:
        yield NONE_OPEN


def _open_line(one: Mapping[str, Any]) -> str:
    before = f' (after: "{one["before"]}")' if one.get("before") else ""
    near = "".join(f' near: {key} "{title}"' for key, title in one.get("near") or ())
    return f'{one["id"]} {SPEAKERS.get(str(one.get("role")), "person")}: "{one.get("quote")}"{before}{near}'
