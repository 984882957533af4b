"""``holdfast agent route``."""

from __future__ import annotations

import click

from holdfast.cli.output import emit, find_trusted, json_option
from holdfast.cli.work.output import session_option
from holdfast.operations.agents.route import Routed, route_request

JUST_DO_IT = "Just do it: no workflow is needed."


@click.command("route")
@click.argument("text", nargs=-1, required=True)
@session_option
@json_option
def route_command(text: tuple[str, ...], session_id: str | None, as_json: bool) -> None:
    """Show whose work a request is.

    And whether it is just to be done, or needs a workflow. Changes nothing.

    \b
    Examples:
      holdfast agent route "rename the flag"
      holdfast agent route "move the whole backend to Postgres, without downtime" --json
    """
    found = route_request(find_trusted(), " ".join(text), session_id)
    emit({**found.__dict__, "why": list(found.why)}, _lines(found), as_json)


def _lines(found: Routed) -> list[str]:
    lines = [f"agent: {found.agent or 'none'}", f"ceremony: {found.ceremony} ({found.confidence:.0%})"]
    if not found.command:
        lines[1] = f"ceremony: {found.ceremony}"
    if found.why:
        lines.append(f"because of: {', '.join(found.why)}")
    return [*lines, f"Run: {found.command}" if found.command else JUST_DO_IT]
