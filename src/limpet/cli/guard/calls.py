"""``limpet guard log|explain|test|undo``: what the guard decided, or would; what only one of them runs is imported in
it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

import click

from limpet.cli.completion import complete_agent, complete_rule
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import emit, find_trusted, json_option, minute, require_workspace, table
from limpet.cli.screen import Line
from limpet.ground.clock import Clock
from limpet.ground.text.escaping import clip, visible
from limpet.guard.call import ToolCall
from limpet.operations.guard import GuardDecision, all_rules, find_guard_rule, read_guard_decisions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.guard.rehearsal import RehearsedCall

SHELLS = ("posix", "powershell", "cmd")


@click.command("log")
@click.option("--last", type=click.IntRange(min=1), default=20, show_default=True, help="Number of entries.")
@click.option("--denied", is_flag=True, help="Only what was denied or asked about.")
@json_option
def list_judged(last: int, denied: bool, as_json: bool) -> None:
    """Show what the guard decided, newest last.

    A tool call that no rule is concerned with leaves no entry, nor does a private conversation.

    \b
    Examples:
      limpet guard log
      limpet guard log --denied --last 50
    """
    decisions = read_guard_decisions(require_workspace(), last, denied)
    data = []
    for one in decisions:
        data.append({name: value or None for name, value in one.__dict__.items() if name not in ("data", "place")})
    emit(data, _lines(decisions), as_json)


def _lines(decisions: Sequence[GuardDecision]) -> Iterator[Line]:
    if not decisions:
        return iter(["No decisions yet."])
    rows = [
        (one.id or one.record, minute(one.time), one.answer, one.agent or "-", f"{one.rule}\n{_said(one)}")
        for one in decisions
    ]
    heading = ("id", "time (UTC)", "answer", "agent", "rule and act")
    return table([heading, *rows], heading=True, styles=("cyan", "dim"))


def _said(decision: GuardDecision) -> str:
    act = decision.act or " ".join(filter(None, (decision.tool, decision.target)))
    because = ""
    if decision.answer == "once":
        because = f" (allowed once: {decision.reason})"
    elif decision.record:
        because = f" (allowed by {decision.record})"
    return clip(visible(" ".join(act.split())), 80) + visible(because)


@click.command("explain")
@click.argument("rule", required=False, shell_complete=complete_rule)
@json_option
def explain_rule(rule: str | None, as_json: bool) -> None:
    """Say what a rule is about, or list the rules.

    \b
    Examples:
      limpet guard explain
      limpet guard explain mode.scope
    """
    workspace = find_trusted()
    if rule:
        found = find_guard_rule(workspace, rule)
        emit(found, table(_details(found)), as_json)
        return
    rules = all_rules(workspace)
    rows = [(one["id"], "" if one["on"] else "off", one["article"], one["says"]) for one in rules]
    emit(rules, table([("rule", "", "article", "says"), *rows], heading=True), as_json)


def _details(rule: dict[str, Any]) -> list[tuple[str, str]]:
    state = f"{rule['when']}; switched off by {rule['switch']}" if rule["on"] else f"no: {rule['switch']} is false"
    rows = [
        ("rule", rule["id"]),
        ("says", rule["says"]),
        ("answers", ", ".join(rule["answers"])),
        ("in force", state),
        ("agents", ", ".join(rule["agents"])),
        ("instead", rule["mend"]),
        ("article", rule["article"]),
    ]
    return [(name, value) for name, value in rows if value]


@click.command("test")
@click.argument("command", required=False)
@click.option("--write", metavar="FILE", help="A file written, instead of a command.")
@click.option("--text", default="", help="What is written into it.")
@click.option("--read", metavar="FILE", help="A file read, instead of a command.")
@click.option("--tool", metavar="NAME", help="A tool called, instead of a command.")
@click.option("--agent", default="", metavar="ID", shell_complete=complete_agent, help="As this agent; none for none.")
@click.option("--mode", default="", metavar="planning|build|deploy", help="As in a workflow in this mode.")
@click.option("--permission", default="", metavar="explore|ask|auto", help="As in this permission mode.")
@click.option("--shell", type=SuggestingChoice(SHELLS), default=SHELLS[0], help="The language of the command.")
@click.option("--session", "session_id", metavar="ID", default="", help="As in this conversation.")
@json_option
def test_call(
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
    from limpet.engine.guard.rehearsal import Supposed, rehearse

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
    emit(_data(judged), _lines_of_rehearsal(judged), as_json)


def _data(judged: RehearsedCall) -> dict[str, object]:
    scene = judged.scene
    return {
        **judged.verdict.__dict__,
        "verdicts": [verdict.__dict__ for verdict in judged.verdicts],
        "acts": [{"kind": kind, "target": target} for kind, target in judged.acts],
        "unclear": judged.unclear,
        "scene": {name: getattr(scene, name) for name in ("agent", "workflow", "mode", "permission")},
    }


def _lines_of_rehearsal(judged: RehearsedCall) -> Iterator[Line]:
    verdict, scene = judged.verdict, judged.scene
    reason = verdict.reason
    if not reason:
        reason = "No rule in force has anything against it; your coding agent's own mode decides."
        reason += "" if scene.agent else " More rules are in force while an agent is active: try --agent dev."
    yield f"{verdict.answer}: {reason}"
    others = (other for other in judged.verdicts if other.rule != verdict.rule)
    rows = [("rule", verdict.rule), *(("also", f"{other.answer}, {other.rule}") for other in others)]
    rows = list(dict.fromkeys(rows))
    rows += [("does", f"{kind} {target}") for kind, target in judged.acts]
    named = (("workflow", scene.workflow), ("mode", scene.mode), ("permission", scene.permission))
    supposed = [scene.agent or "no agent", *(f"{name} {value}" for name, value in named if value)]
    rows += [("unclear", judged.unclear), ("as", ", ".join(supposed))]
    yield from table([(name, value.strip()) for name, value in rows if value])


@click.command("undo")
@click.argument("file", type=click.Path())
@json_option
def undo_deed(file: str, as_json: bool) -> None:
    """Put a file back as it was before a turn changed it.

    Of the files that you were told of at the end of a turn. One that changed since is left as it is.

    \b
    Examples:
      limpet guard undo src/login.py
    """
    from limpet.engine.guard.effects import undo_effects

    folder, name = os.path.split(os.path.abspath(file))
    path = os.path.join(os.path.realpath(folder), name)  # a link that an agent put there is the file itself
    done = undo_effects(require_workspace(), path)
    emit({"file": path, "done": done}, [f"{done}: {file}"], as_json)
