"""``limpet work handoff``: hands work over to the next agent, checks and shows handoffs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from limpet.cli.caller import open_project
from limpet.cli.completion import complete_agent
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import emit, json_fields, json_option, plain_data
from limpet.ground.errors import LimpetError
from limpet.operations.work.handoffs import (
    Content,
    check_draft,
    check_handoffs,
    find_handoff,
    hand_over,
    hand_over_text,
)
from limpet.work.handoff import STATUSES, Handoff, handoff_score_text
from limpet.work.handoff_store import WrittenHandoff, handoff_name, is_refused
from limpet.work.markdown_file import LARGEST, Reason


@click.command()
@click.argument("agent", default="", metavar="[AGENT]", shell_complete=complete_agent)
@click.option("--check", is_flag=True, help="Check it, or a draft (--file). Exit code 1 if one is refused.")
@click.option("--write", is_flag=True, help="Write it, with --to and with --file or what follows.")
@click.option("--layer", type=SuggestingChoice(["1", "2"]), default="1", show_default=True, help="Layer to show.")
@click.option("--file", "path", metavar="FILE", help="The handoff as Markdown (- for stdin).")
@click.option("--to", default="", metavar="AGENT", shell_complete=complete_agent, help="Agent that takes over.")
@click.option("--summary", metavar="TEXT", help="What the next agent needs to know.")
@click.option("--output", "outputs", multiple=True, metavar="PATH", help="A file produced, relative to the root.")
@click.option("--decision", "decisions", multiple=True, metavar='"WHAT: HOW"', help="A decision made.")
@click.option("--blocker", "blockers", multiple=True, metavar="TEXT", help="A blocker.")
@click.option("--met", multiple=True, metavar="TEXT", help="A criterion met.")
@click.option("--unmet", multiple=True, metavar="TEXT", help="A criterion not met.")
@click.option("--details", metavar="TEXT", help="Text of the second layer.")
@click.option("--status", type=SuggestingChoice(STATUSES), help="Whether the work is done.  [default: complete]")
@click.option("--task", metavar="TEXT", help="Task; defaults to the session's.")
@click.option("--score", type=click.FloatRange(0, 100), metavar="PERCENT", help="Score; defaults to the gate's.")
@json_option
def handoff(
    agent: str,
    check: bool,
    write: bool,
    layer: str,
    path: str | None,
    to: str,
    score: float | None,
    as_json: bool,
    **content: Any,
) -> None:
    """Show, check or write what an agent hands over.

    Without AGENT, all are checked. The next agent always gets the first layer (up to 150 lines) and can read the second
    (up to 500). An incomplete or untrue handoff is refused, with the reasons.

    \b
    Examples:
      limpet work handoff dev --layer 2
      limpet work handoff --check --file draft.md
      limpet work handoff dev --write --to qa --summary "Login works." --output src/auth/login.ts
      limpet work handoff dev --write --to qa-implementation --file handoff.md
    """
    _refuse_mixture(check, write, path, {"to": to, "score": score, **content})
    if write:
        _write(agent, to, path, score, content, as_json)
    elif check or not agent:
        _check(agent, path, as_json)
    else:
        _show(agent, layer, as_json)


def _refuse_mixture(check: bool, write: bool, path: str | None, content: dict[str, Any]) -> None:
    if check and write:
        raise click.UsageError("--check and --write cannot be combined")
    if path and not (check or write):
        raise click.UsageError("--file needs --check or --write")
    given = [name for name, value in content.items() if value]
    if given and not write:
        raise click.UsageError(f"--{_option(given[0])} needs --write")


def _option(name: str) -> str:
    return {"outputs": "output", "decisions": "decision", "blockers": "blocker"}.get(name, name)


def _write(agent: str, to: str, path: str | None, score: float | None, content: dict[str, Any], as_json: bool) -> None:
    if not (agent and to):
        raise click.UsageError("--write needs AGENT and --to AGENT")
    if path and any(content.values()):
        order = ("summary", "outputs", "decisions", "blockers", "met", "unmet", "details", "status", "task")
        given = next(name for name in order if content[name])
        raise click.UsageError(f"--file and --{_option(given)} cannot be combined")
    if not path and not content["summary"]:
        raise click.UsageError("give --file or --summary")
    project = open_project()
    if path:
        written = hand_over_text(project, agent, to, read_given(path), path, score)
    else:
        words = Content(**{key: value for key, value in content.items() if value is not None})
        written = hand_over(project, agent, to, words, score)
    _tell_written(written, as_json)


def _check(agent: str, path: str | None, as_json: bool) -> None:
    if agent and path:
        raise click.UsageError("AGENT and --file cannot be combined")
    project = open_project()
    found = {path: check_draft(project, read_given(path), path)} if path else check_handoffs(project, agent)
    data: list[dict[str, Any]] = []
    lines: list[str] = []
    for name, reasons in found.items():
        data.append({"of": name, "refused": is_refused(reasons), "reasons": reason_data(reasons)})
        lines += reason_lines(reasons) if reasons else [f"ok     {name}"]
    emit(data, lines or ["No handoffs yet."], as_json)
    end_with(any(map(is_refused, found.values())))


def _show(agent: str, layer: str, as_json: bool) -> None:
    found = find_handoff(open_project(), agent)
    shown = found.first_layer if layer == "1" else found.second_layer
    heading = [_heading(found), ""] if layer == "1" else []
    emit(plain_data(found), [*heading, *shown] or ["No second layer."], as_json)


def read_given(path: str) -> str:
    """Return the text of a named file, or of stdin for ``-``, its line ends as they are. Raises LimpetError."""
    if path != "-" and os.path.exists(path) and not os.path.isfile(path):
        raise LimpetError("Not a file", path)
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(path, "rb") as file:
                raw = file.read(LARGEST + 1)
        text = raw.decode()
    except OSError as error:
        raise LimpetError(f"Cannot read the file ({error.strerror})", path) from None
    except UnicodeDecodeError:
        raise LimpetError("Not valid UTF-8", path, "save it as UTF-8") from None
    if len(raw) > LARGEST:
        raise LimpetError(f"The file is larger than {LARGEST} bytes", path, "shorten it")
    return text


def reason_data(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    return [json_fields(reason) for reason in reasons]


def reason_lines(reasons: Iterable[Reason]) -> Iterator[str]:
    for reason in reasons:
        yield f"{'error' if reason.grave else 'note '}  {reason}"


def end_with(failed: bool) -> None:
    if failed:
        click.get_current_context().exit(1)


def _tell_written(written: WrittenHandoff, as_json: bool) -> None:
    giver, taker = written.handoff.from_agent, written.handoff.to
    data = {"written": not written.refused, "reasons": reason_data(written.reasons), **plain_data(written.handoff)}
    done = f"Handed over from {giver} to {taker}: {handoff_name(giver)}"
    first = f"Refused: the handoff of {giver} was not written." if written.refused else done
    emit(data, [first, *reason_lines(written.reasons)], as_json)
    end_with(written.refused)


def _heading(found: Handoff) -> str:
    score = handoff_score_text(found)
    parts = (
        f"{found.from_agent} to {found.to}",
        found.status,
        f"score {score}" if score else "",
        f"task {found.from_task}" if found.from_task else "",
        found.timestamp,
    )
    return ", ".join(filter(None, parts))
