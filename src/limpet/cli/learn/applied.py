"""``limpet learn applied``: says that an entry of the knowledge was applied."""

from __future__ import annotations

import click

from limpet.cli.caller import open_project
from limpet.cli.completion import complete_story
from limpet.cli.output import emit, json_option
from limpet.operations.learning.applied import apply


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
