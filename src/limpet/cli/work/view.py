"""``limpet work status``, and what the work commands share: their options, and the output of a move and a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.output import emit, json_option, table, tell
from limpet.ground.formats.markdown import one_line
from limpet.ground.text.escaping import clip
from limpet.operations.project import Project
from limpet.operations.work.facts import show_gates
from limpet.operations.work.moves import ChosenWork
from limpet.operations.work.status import show_work
from limpet.work.pipeline.briefing import THEN, briefing_data, briefing_lines, role_lines
from limpet.work.pipeline.state import Move, task_title

session_option: Callable[[Any], Any] = click.option(
    "--session", "session_id", metavar="ID", help="Change this conversation only, not the project."
)
clear_option: Callable[[Any], Any] = click.option("--clear", is_flag=True, help="Clear the value.")

# What is shown beside: fields for programs, and lines for people.
Shown = tuple[dict[str, Any], tuple[str, ...]]
NO_STEP: Shown = ({}, ())
# Deviations and mistakes that are shown: the answer is one screen.
SHOWN = 4


def required(value: str | None, clear: bool, name: str) -> str | None:
    """Return the argument, None to clear. Raises click.UsageError when both or neither are given."""
    given = (value or "").strip()
    if bool(given) == clear:
        raise click.UsageError(f"give {name} or --clear")
    return given or None


def tell_move(project: Project, move: Move, as_json: bool, step: Shown = NO_STEP) -> None:
    data = {"did": move.kind, **move.data, "revision": project.session.get("revision", 0), **step[0]}
    emit(data, [*move.message.splitlines(), *step[1]], as_json)


def tell_choice(chosen: ChosenWork, as_json: bool, step: Shown = NO_STEP) -> None:
    names = {
        "current_agent": "active agent",
        "mode": "pipeline mode",
        "permission": "permission mode",
        "user_level": "user level",
    }
    note, lines = f": {chosen.note}" if chosen.note else "", []
    for key, value in chosen.changes.items():
        lines.append(f"{names.get(key, key)}: {_in_words(value)}{note} ({chosen.place})")
    emit({"changed": chosen.changes, "in": chosen.place, **step[0]}, [*lines, *step[1]], as_json)
    tell(chosen.warning)


def step_now(project: Project, known: bool = False) -> Shown:
    """Return the step that is due now, with an empty line above it; ``step`` is None where none is. ``known``: whether
    its role was told before."""
    # What earlier work taught is read with the memory's modules, which a plain `work status` does without.
    from limpet.operations.work.briefing import brief

    briefing = brief(project)
    if briefing is None:
        return {"step": None}, ()
    told = role_lines(briefing) if known else ()
    lines = (line for line in briefing_lines(briefing) if line not in told)
    return {"step": briefing_data(briefing)}, ("", *lines)


@click.command()
@click.option("--step", "only_step", is_flag=True, help="Show the current step whole: role, limits, criteria, form.")
@click.option("--gates", "only_gates", is_flag=True, help="Show each gate: score, evidence, and what is missing.")
@json_option
def status(only_step: bool, only_gates: bool, as_json: bool) -> None:
    """Show workflow, step, task, lock and what comes next.

    A gate's evidence is none, claimed or verified; of one that was passed it says what is claimed and what a person
    approved. `limpet work finish` opens it, `limpet resume` locks the session.

    \b
    Examples:
      limpet work status
      limpet work status --step
      limpet work status --gates
    """
    project = open_project()
    if only_step:
        data, lines = step_now(project)
        emit(data, lines[1:] or ["No step is under way. Run: limpet work status"], as_json)
        return
    if only_gates:
        gates = show_gates(project)
        emit(gates, table([*_gate_rows(gates)]) if gates else ["No gates yet."], as_json)
        return
    data = show_work(project)
    rows = [(name, text if name == "pipeline" else clip(one_line(text), 160)) for name, text in _rows(data)]
    emit(data, table(rows, styles=("bold",)), as_json)


def _gate_rows(gates: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for agent, one in gates.items():
        score = "-" if one["score"] is None else f"{one['score']:g}%"
        yield agent, score, one["evidence"], "; ".join((*one["missing"], *one["stands_on"]))


def _in_words(value: Any) -> str:
    if not isinstance(value, dict):
        return "none" if value is None else str(value)
    notes = [f"{key} {value[key]}" for key in ("id", "executor") if key in value]
    return f"{value.get('title', '')} [{', '.join(notes)}]"


def _rows(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    project, step = data["project"], data["step"]
    yield "project", (project["name"] or "-") + (f" ({project['type']})" if project["type"] else "")
    state = f"state {data['state']}" if data["state"] else ""
    yield "mode", ", ".join(filter(None, (data["mode"], state)))
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
    opened = [f"{one.get('id')} {one.get('type')} (open): {one.get('reason')}" for one in data["deviations"]]
    yield from _several("deviation", opened)
    since = f" since {data['lock']['since']}" if data["lock"].get("since") else ""
    yield "lock", f"taken{since}" if data["lock"].get("active") else "-"
    if data["next"]:
        yield "next", data["next"]
        if words := data["next_words"]:
            first = words.removesuffix(THEN)
            yield "", words if first == words else f"first {first}"
    yield from _several("problem", data["problems"])


def _several(name: str, texts: list[str]) -> Iterator[tuple[str, str]]:
    yield from ((name, text) for text in texts[:SHOWN])
    if len(texts) > SHOWN:
        yield "", f"{len(texts) - SHOWN} more. Run: limpet work status --json"
