"""``limpet work status``: the state of the work on one screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.output import emit, json_option
from limpet.cli.table import table
from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.operations.work.status import show_work
from limpet.work.pipeline.view import task_title

# Characters of a row, and deviations and mistakes that are shown: the answer is one screen.
LONGEST, SHOWN = 160, 4


@click.command()
@click.option("--step", "only_step", is_flag=True, help="Show the current step whole: role, limits, criteria, form.")
@json_option
def status(only_step: bool, as_json: bool) -> None:
    """Show workflow, step, task and what comes next.

    \b
    Examples:
      limpet work status
      limpet work status --step
      limpet work status --json
    """
    project = open_project()
    if only_step:
        from limpet.cli.work.step import step_now  # not for those who only look where the work is

        data, lines = step_now(project)
        emit(data, lines[1:] or ["No step is under way. Run: limpet work status"], as_json)
        return
    data = show_work(project)
    rows = [(name, text if name == "pipeline" else clip(one_line(text), LONGEST)) for name, text in _rows(data)]
    emit(data, table(rows, styles=("bold",)), as_json)


def _rows(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    project, step = data["project"], data["step"]
    yield "project", (project["name"] or "-") + (f" ({project['type']})" if project["type"] else "")
    yield "mode", data["mode"] + (f", state {data['state']}" if data["state"] else "")
    yield "workflow", (data["workflow"] or "-") + (f", step {step['number']} of {step['of']}" if step else "")
    yield "agent", data["agent"] or "-"
    if data["pipeline"]:
        yield "pipeline", data["pipeline"]
    if step:
        yield "gate", f"{step['agent']}: {'; '.join(step['missing']) or 'open'} (needs {step['gate']:g})"
    yield "task", task_title(data["task"]) or "-"
    for agent in sorted(set(data["stories_added"].values())):
        names = (name for name, during in data["stories_added"].items() if during == agent)
        yield "stories", f"added during {agent}: {', '.join(names)}"
    yield "squad", data["squad"] or "-"
    backlog = data["backlog"]
    yield "backlog", f"{backlog['open']} open, {backlog['done']} done, {backlog['deferred']} deferred"
    opened = [f"{one.get('id')} {one.get('type')} (open): {one.get('reason')}" for one in data["deviations"]]
    yield from _several("deviation", opened)
    yield "lock", _lock(data["lock"])
    if data["next"]:
        yield "next", data["next"]
        if data["next_words"]:
            yield "", data["next_words"]
    yield from _several("problem", data["problems"])


def _several(name: str, texts: list[str]) -> Iterator[tuple[str, str]]:
    """Yield a row for each, as many as fit on one screen."""
    yield from ((name, text) for text in texts[:SHOWN])
    if len(texts) > SHOWN:
        yield "", f"{len(texts) - SHOWN} more. Run: limpet work status --json"


def _lock(lock: dict[str, Any]) -> str:
    if not lock.get("active"):
        return "-"
    return "taken" + (f" since {lock['since']}" if lock.get("since") else "")
