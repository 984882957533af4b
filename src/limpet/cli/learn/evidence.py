"""``limpet learn observe``: writes an observation, or lists those of the story or the conversation."""

from __future__ import annotations

from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.completion import complete_story
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import emit, json_fields, json_option
from limpet.learning.model import RELATIONSHIPS, SEVERITIES, TYPES, Observation
from limpet.learning.observations import ref_of
from limpet.operations.learning.observe import apply, observed
from limpet.operations.learning.observe import observe as write_observation

NONE_YET = "No observations in {} yet."


@click.command("observe")
@click.argument("type", required=False, type=SuggestingChoice(TYPES), metavar="[TYPE]")
@click.argument("text", required=False)
@click.option("--tag", "tags", multiple=True, help="What it is about; may be repeated.")
@click.option(
    "--importance", type=click.IntRange(1, 10), default=5, show_default=True, help="7 and more: an entry of its own."
)
@click.option("--entry", "principle_id", default="", metavar="ID", help="The entry that a consistency-check is about.")
@click.option("--relationship", type=SuggestingChoice(RELATIONSHIPS), help="What it shows about the entry.")
@click.option("--severity", type=SuggestingChoice(SEVERITIES), help="Of a finding.")
@click.option("--resolved/--open", default=None, help="Whether a finding was mended, or a deviation justified.")
@click.option("--guidance", multiple=True, help="What to do the next time; may be repeated.")
@click.option("--story", default="", metavar="ID", help="Another story than the one in progress.")
@json_option
def observe_work(type: str | None, text: str | None, story: str, as_json: bool, **stated: Any) -> None:
    """Write down what the work showed.

    It goes to the story in progress, else to this conversation. Without arguments, list what is there. TYPE is one of
    discovery, quality-loop-finding, fix-rationale, deviation, observation and consistency-check; TEXT stands alone, in
    one to three sentences.

    \b
    Examples:
      limpet learn observe
      limpet learn observe discovery "The API sorts by name, not by date." --tag api --importance 7
      limpet learn observe consistency-check "The service checks it." --entry PR-001 --relationship reinforce
    """
    project = open_project()
    if type is None:
        source, found = observed(project, story)
        lines = [*map(_line, found)] or [NONE_YET.format(source)]
        emit({"source": source, "observations": [json_fields(one) for one in found]}, lines, as_json)
        return
    if not text:
        raise click.UsageError("Missing argument 'TEXT'.")
    given = {name: value for name, value in stated.items() if value is not None}
    made = write_observation(project, type, text, story, **given)
    emit(json_fields(made), [f"Observed as {ref_of(made.source, made.id)}"], as_json)


def _line(one: Observation) -> str:
    about = f" {one.relationship} {one.principle_id}" if one.principle_id else ""
    state = {True: " resolved", False: " open", None: ""}[one.resolved]
    return f"{one.id} {one.type}{about}{state} ({one.importance}): {one.text}"


@click.command()
@click.argument("entry_id", metavar="ID")
@click.option("--note", default="", metavar="TEXT", help="How, in a few words.")
@click.option(
    "--story", default="", metavar="ID", shell_complete=complete_story, help="Another story than the current."
)
@json_option
def applied(entry_id: str, note: str, story: str, as_json: bool) -> None:
    """Say that you applied an entry of the knowledge.

    It is an observation that bears the entry out, and a line in the record of the story in progress. An ID that stands
    in the code that a story wrote counts too, once the story is done.

    \b
    Examples:
      limpet learn applied PR-001
      limpet learn applied PR-001 --note "email validation in the service layer"
    """
    done, line = apply(open_project(), entry_id, note, story)
    known = {"entry": done.principle_id, "source": done.source, "observation": done.id}
    emit({**known, "log": line}, [f"{line} ({done.source})"], as_json)
