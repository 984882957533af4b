"""``limpet rules match|check``: what the rules would do to a prompt, and what is wrong with them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from limpet.cli.output import emit, json_fields, json_option, require_workspace
from limpet.cli.screen import Line, styled
from limpet.cli.table import counted, table
from limpet.engine.explain.explanation import Explanation, explain_domains
from limpet.engine.explain.mistakes import find_mistakes
from limpet.engine.explain.preview import preview
from limpet.ground.clock import Clock
from limpet.operations.agents.known import check_agents
from limpet.rules.check.finding import ERROR


@click.command()
@click.argument("prompt")
@click.option("--all", "everything", is_flag=True, help="Also show why the other domains do not match.")
@json_option
def match(prompt: str, everything: bool, as_json: bool) -> None:
    """Show which domains PROMPT would bring and why.

    \b
    Examples:
      limpet rules match "fix the failing test"
      limpet rules match "write a story" --all
    """
    explanations = explain_domains(preview(require_workspace(), prompt, clock=Clock()))
    shown = [explanation for explanation in explanations if everything or explanation.fires]
    emit([explanation.__dict__ for explanation in shown], _explanation_lines(shown), as_json)


@click.command()
@json_option
def check(as_json: bool) -> None:
    """Check the rules for mistakes. Exit code 1 if there is an error.

    Each mistake is printed with its place and a fix. Squads' rules and agent files are checked too, as are keywords
    that match most prompts, or none.

    \b
    Examples:
      limpet rules check
      limpet rules check --json
    """
    workspace = require_workspace()
    findings = [*check_agents(workspace), *find_mistakes(workspace, Clock())]
    errors = sum(finding.severity == ERROR for finding in findings)
    data = [{**json_fields(finding), "where": finding.where} for finding in findings]
    warnings = len(findings) - errors
    total = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}" if findings else "Rules OK"
    lines = [*map(str, findings), total]
    emit({"findings": data, "errors": errors, "warnings": warnings}, lines, as_json)
    sys.exit(1 if errors else 0)


def _explanation_lines(explanations: list[Explanation]) -> Iterator[Line]:
    if not explanations:
        return iter(["No domains match this prompt."])
    squads = [f"[squad {one.squad}, {one.mode}] " if one.squad else "" for one in explanations]
    marks = [styled(("fires", "green")) if one.fires else "-" for one in explanations]
    rows = [(mark, one.name, squad + one.why) for mark, one, squad in zip(marks, explanations, squads, strict=True)]
    return table(rows, styles=("", "bold"))
