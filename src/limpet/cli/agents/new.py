"""``limpet agent new``: makes an agent of the project's own."""

from __future__ import annotations

import click

from limpet.cli.output import emit, json_fields, json_option, require_workspace, tell
from limpet.operations.agents.new import new_agent


@click.command()
@click.argument("agent_id", metavar="ID")
@click.option("--title", default="", help="Its name for people; the id if left out.")
@click.option("--mission", default="", help="What it is for, in a line.")
@click.option(
    "--from",
    "source",
    default="",
    metavar="FILE",
    help="Take over another tool's file: a subagent, or an agent of SYNAPSE's.",
)
@json_option
def new(agent_id: str, title: str, mission: str, source: str, as_json: bool) -> None:
    """Create an agent of your own for this project.

    Its file is .limpet/agents/ID.md. It can be activated at once; edit the file to say what it checks, may do and
    hands over. Its rules can also stand in a domain AGENT_ID.

    \b
    Examples:
      limpet agent new marketing-lead --mission "Plan and write campaigns"
      limpet agent new reviewer --from .claude/agents/code-reviewer.md
    """
    made = new_agent(require_workspace(), agent_id, title, mission, source)
    lines = [f"Created {made.file}. Edit it, then run: limpet agent activate {made.id}"]
    if made.was_name_of:
        lines.append(f"{made.id} was another name of {made.was_name_of}; it is an agent of its own now.")
    if made.text_of:
        lines.append(
            f"The text of {made.text_of} is kept below for people. The model gets what of it stands in steps, checklist"
            f" and rules: limpet agent show {made.id}"
        )
    emit({**json_fields(made), "problems": [str(problem) for problem in made.problems]}, lines, as_json)
    tell(*made.problems)
