"""``limpet eval``: a person's own questions against their own rules and memories."""

from __future__ import annotations

from collections.abc import Iterator

import click

from limpet.cli.caller import open_project
from limpet.cli.output import emit, json_option, plain_data, table
from limpet.cli.screen import Line
from limpet.engine.evaluation import MISSING, EvalResult, read_eval_file, run_eval
from limpet.ground.storage.files import read_text


@click.command("eval")
@click.argument("file", type=click.Path())
@json_option
def evaluate_questions(file: str, as_json: bool) -> None:
    """Count what your own questions bring.

    FILE is YAML or JSON: a list of questions, each with the memory (its id, or words that stand in it) or the rules'
    domain that should come; with neither, nothing should. Each question is asked as the first prompt of a conversation.
    Nothing is sent.

    \b
    Examples:
      limpet eval questions.yaml
      limpet eval questions.yaml --json
    """
    found = run_eval(open_project(), read_eval_file(read_text(file), file))
    emit(plain_data(found), _lines(found), as_json)


def _lines(found: EvalResult) -> Iterator[Line]:
    rows: list[tuple[object, ...]] = [("tokens", "ms", "came", "question")]
    for one in found.answers:
        ways = [way for _, way in one.found]
        came = "; ".join(dict.fromkeys(ways)) or "nothing wanted"
        beside = f"\nbeside: {', '.join(one.beside)}" if one.beside else ""
        missing = [wanted for wanted, way in one.found if way == MISSING]
        lacks = f"\nmissing: {', '.join(missing)}" if missing else ""
        rows.append((one.tokens, f"{one.milliseconds:.0f}", came, f"{one.question}{lacks}{beside}"))
    yield from table(rows, heading=True, spare=("ms",))
    yield ""
    shares = {"recall": found.recall, "or by title": found.in_sight, "or by a search": found.searched}
    figures = {**shares, "precision": found.precision}
    result = [(name, "-" if share is None else f"{100 * share:.0f}%") for name, share in figures.items()]
    result.append(("tokens", f"{found.tokens['median']:g} (median), {found.tokens['max']:g} at most"))
    result.append(("latency", f"{found.milliseconds['median']:g} ms (median), {found.milliseconds['max']:g} at most"))
    yield from table(result, styles=("bold",))
