"""``limpet guard test``."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from limpet.cli.completion import complete_agent
from limpet.cli.groups import Choice
from limpet.cli.output import emit, json_option, require_workspace
from limpet.cli.screen import Line
from limpet.cli.table import table
from limpet.engine.guard.rehearsal import Judged, Supposed, rehearse
from limpet.ground.clock import Clock
from limpet.guard.call import ToolCall

SHELLS = ("posix", "powershell", "cmd")
HOST = "No rule in force has anything against it; your coding agent's own mode decides."
MORE = " More rules are in force while an agent is active: try --agent dev."


@click.command("test")
@click.argument("command", required=False)
@click.option("--write", metavar="FILE", help="A file written, instead of a command.")
@click.option("--text", default="", help="What is written into it.")
@click.option("--read", metavar="FILE", help="A file read, instead of a command.")
@click.option("--tool", metavar="NAME", help="A tool called, instead of a command.")
@click.option("--agent", default="", metavar="ID", shell_complete=complete_agent, help="As this agent; none for none.")
@click.option("--mode", default="", metavar="planning|build|deploy", help="As in a workflow in this mode.")
@click.option("--permission", default="", metavar="explore|ask|auto", help="As in this permission mode.")
@click.option("--shell", type=Choice(SHELLS), default=SHELLS[0], help="The language of the command.")
@click.option("--session", "session_id", metavar="ID", default="", help="As in this conversation.")
@json_option
def test(
    command: str | None,
    write: str | None,
    text: str,
    read: str | None,
    tool: str | None,
    agent: str,
    mode: str,
    permission: str,
    shell: str,
    session_id: str,
    as_json: bool,
) -> None:
    """Show what the guard would answer, and why.

    Nothing is run, and nothing is recorded.

    \b
    Examples:
      limpet guard test "git push" --agent dev
      limpet guard test "make && rm -rf build" --permission ask
      limpet guard test --write src/orders.py --agent qa
    """
    given = [each for each in (command, write, read, tool) if each is not None]
    if len(given) != 1:
        raise click.UsageError("give one of COMMAND, --write, --read and --tool")
    folder = os.getcwd()
    if command is not None:
        call = ToolCall(kind="shell", command=command, shell=shell, folder=folder)
    elif tool is not None:
        call = ToolCall(kind="tool", tool=tool, folder=folder)
    else:
        paths = (os.path.abspath(given[0]),)
        edits = (("", text, False),) if write is not None else ()
        call = ToolCall(kind="write" if write else "read", paths=paths, edits=edits, whole=bool(edits), folder=folder)
    supposed = Supposed(agent, mode, permission, session_id)
    judged = rehearse(require_workspace(), call, supposed, Clock())
    emit(_data(judged), _lines(judged), as_json)


def _data(judged: Judged) -> dict[str, object]:
    scene = judged.scene
    return {
        **judged.verdict.__dict__,
        "verdicts": [verdict.__dict__ for verdict in judged.verdicts],
        "acts": [{"kind": kind, "target": target} for kind, target in judged.acts],
        "unclear": judged.unclear,
        "scene": {name: getattr(scene, name) for name in ("agent", "workflow", "mode", "permission")},
    }


def _lines(judged: Judged) -> Iterator[Line]:
    verdict = judged.verdict
    yield f"{verdict.answer}: {verdict.reason or HOST}{'' if verdict.reason or judged.scene.agent else MORE}"
    others = (other for other in judged.verdicts if other.rule != verdict.rule)
    rows = [("rule", verdict.rule), *(("also", f"{other.answer}, {other.rule}") for other in others)]
    rows = list(dict.fromkeys(rows))
    rows += [("does", f"{kind} {target}") for kind, target in judged.acts]
    rows += [("unclear", judged.unclear), ("as", _scene(judged))]
    yield from table([(name, value.strip()) for name, value in rows if value])


def _scene(judged: Judged) -> str:
    scene = judged.scene
    named = (("workflow", scene.workflow), ("mode", scene.mode), ("permission", scene.permission))
    return ", ".join([scene.agent or "no agent", *(f"{name} {value}" for name, value in named if value)])
