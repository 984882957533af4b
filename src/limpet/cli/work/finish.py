"""``limpet work finish``: reads the document of the current step, and goes on to the next one."""

from __future__ import annotations

import click

from limpet.cli.caller import obtain_for, open_project, yes_option
from limpet.cli.output import emit, json_fields, json_option, show
from limpet.cli.work.document_options import end_with, read_given, reason_data, reason_lines
from limpet.cli.work.step import step_now
from limpet.operations.work.finish import finish, show_form


@click.command("finish")
@click.argument("path", required=False, metavar="[FILE|-]")
@yes_option
@json_option
def finish_command(path: str | None, agreed: bool, as_json: bool) -> None:
    """Finish the current step with one document.

    FILE is Markdown (- for stdin); without FILE, the step's empty form is printed. Limpet looks for the step's output
    and for the evidence of each criterion, runs the checks, hands over to the next agent and advances. If anything is
    missing, it lists everything and exits with 1. What a person has to approve is asked.

    \b
    Examples:
      limpet work finish
      limpet work finish -
      limpet work finish handoff.md --json
    """
    project = open_project()
    if path is None:
        form = show_form(project)
        emit({"form": form}, [form], as_json)
        return
    text = read_given(path)
    obtain = obtain_for(project.workspace, agreed)
    outcome = finish(project, text, path, obtain, lambda line: show([line], err=True))
    data = {
        **json_fields(outcome),
        "missing": reason_data(outcome.missing),
        "checks": [json_fields(one) for one in outcome.checks],
    }
    data.pop("lines")
    more, step = step_now(project) if outcome.finished else ({"step": None}, ())
    lines = [*outcome.lines, *reason_lines(outcome.missing), *(step or [f"next: {outcome.next}"])]
    emit({**data, **more}, lines, as_json)
    end_with(not outcome.finished)
