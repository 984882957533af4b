"""``limpet guard mode``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from limpet.cli.caller import obtain_for, surroundings, yes_option
from limpet.cli.output import emit, find_trusted, json_option, minute, require_workspace, show, table
from limpet.cli.work.view import clear_option, required, session_option, tell_choice
from limpet.hosts import git_hook
from limpet.hosts.file_changes import ChangePlan, apply_changes
from limpet.hosts.installation import plan_launcher
from limpet.hosts.registry import all_hosts, look
from limpet.operations.conversations import find_conversation
from limpet.operations.guard_rights import (
    PROGRAM,
    WORDS,
    allow_once,
    constitution_checks,
    find_mode,
    set_permission_mode,
)


@click.command("mode")
@click.argument("name", metavar="explore|ask|auto", required=False)
@clear_option
@session_option
@yes_option
@json_option
def permission_command(name: str | None, clear: bool, session_id: str | None, agreed: bool, as_json: bool) -> None:
    """Show or set what agents ask before they do it.

    Without an argument: the mode in force, and what sets it. `explore` asks about all that is not known as reading,
    `ask` about all that changes something, `auto` about nothing; `safe`, `balanced` and `yolo` mean the same. With
    --clear your coding agent's own mode decides. What the guard denies, it denies in each of them. To set one takes a
    person's word; in a conversation, type `*mode ask`.

    \b
    Examples:
      limpet guard mode
      limpet guard mode ask
      limpet guard mode explore --session 5f0c2a
      limpet guard mode --clear
    """
    workspace = require_workspace()
    if not (name or clear):
        own = find_conversation(workspace, session_id) if session_id else surroundings().conversation
        found, place = find_mode(workspace, own)
        said = f"{found} ({place})" if found else "none; your coding agent's own mode decides"
        lines = [f"permission mode: {said}", "To set one: limpet guard mode explore|ask|auto"]
        emit({"permission": found or None, "in": place if found else None}, lines, as_json)
        return
    wanted = required(name, clear, "a mode")
    tell_choice(set_permission_mode(workspace, obtain_for(workspace, agreed), wanted, session_id, time.time()), as_json)


@click.command()
@click.argument("name", metavar="ID")
@click.option("--reason", required=True, metavar="TEXT", help="Why; it is kept in the guard's log.")
@yes_option
@json_option
def allow(name: str, reason: str, agreed: bool, as_json: bool) -> None:
    """Let an act through once that the guard stopped.

    The very same act, in the same folder of this project, is let through once, within an hour. Then the host's own
    permission mode decides, as ever. On a person's word.

    \b
    Examples:
      limpet guard allow 3f9a12c4 --reason "hotfix, agreed with Ana"
    """
    workspace = require_workspace()
    obtain = obtain_for(workspace, agreed)
    found = allow_once(workspace, obtain, name, reason, time.time(), "limpet guard allow")
    said = found.act or f"{found.tool} {found.target}".strip()
    data = {"id": found.id, "act": found.act, "tool": found.tool, "target": found.target}
    emit(data, [f"Allowed once within the next hour: {said}", "Tell the agent to try again."], as_json)


@click.command("deny-rules")
@click.argument("wanted", metavar="[on|off]", type=click.Choice(("on", "off")), required=False)
@yes_option
@json_option
def deny_rules(wanted: str | None, agreed: bool, as_json: bool) -> None:
    """Have your coding agent refuse to read secrets.

    Deny rules among its own, in the project's local settings: it does not read .env files, private keys and
    Limpet's files, nor change its own settings. Without an argument: whether they are on. On a person's word.

    \b
    Examples:
      limpet guard deny-rules on
      limpet guard deny-rules
      limpet guard deny-rules off
    """
    workspace = require_workspace()
    root, data, lines = workspace.root, [], []
    for host in all_hosts():
        before = host.find_deny_rules(root)
        if before is None:
            continue
        plan = host.plan_deny_rules(workspace.home, wanted == "on") if wanted else ChangePlan()
        if plan.pending():
            does = "Add deny rules to" if wanted == "on" else "Take Limpet's deny rules out of"
            obtain_for(workspace, agreed)(f"{does} {host.TITLE}'s own ({before.path})")
            apply_changes(plan.pending())
        rules = host.find_deny_rules(root) or before
        data.append({"host": host.NAME, "state": rules.state, "path": rules.path, "missing": rules.missing})
        what, on = f"{host.TITLE}'s own deny rules are", "limpet guard deny-rules on"
        if rules.state == "off":
            lines.append(f"{what} off. To have them: {on}")
        else:
            missing = [f"Missing: {', '.join(rules.missing)}. To mend it: {on}"] if rules.missing else []
            lines += [f"{what} on: {rules.path}", *missing, f"{rules.beyond}."]
    emit(data, lines, as_json)


@click.command("pre-push")
@click.argument("wanted", metavar="[on|off]", type=click.Choice(("on", "off")), required=False)
@yes_option
@json_option
def pre_push(wanted: str | None, agreed: bool, as_json: bool) -> None:
    """Have git ask the guard before a push.

    A line in git's own pre-push hook, beside what stands there. It stops a push of an agent that may not, whichever
    program starts it, and no push of yours. Without an argument: whether it is on. On a person's word.

    \b
    Examples:
      limpet guard pre-push on
      limpet guard pre-push
      limpet guard pre-push off
    """
    workspace = require_workspace()
    root = workspace.root
    path = git_hook.hook_path(root)
    plan, says = git_hook.plan_pre_push_removal(root), "Let git push without asking the guard"
    if wanted == "on":
        plan, says = plan_launcher() + git_hook.plan_pre_push(root), "Have git ask the guard before a push"
        show([f"The line in {path}:\n  {git_hook.hook_line()}"], err=True)
    if wanted and plan.pending():
        obtain_for(workspace, agreed)(f"{says} ({path})")
        apply_changes(plan.pending())
        look(workspace)
    is_on = git_hook.is_installed(root)
    said = "git does not ask the guard before a push. To have it: limpet guard pre-push on"
    emit({"on": is_on, "path": path}, [f"git asks the guard before a push: {path}" if is_on else said], as_json)


@click.command("constitution")
@click.argument("article", required=False)
@json_option
def show_constitution(article: str | None, as_json: bool) -> None:
    """Show what holds agents to each article.

    A check of the guard answers before an act; a record is left by a command; a program does it each time, without a
    trace. What is neither binds by words only. To read an article, run `limpet rules show CONSTITUTION`.

    \b
    Examples:
      limpet constitution
      limpet constitution XI
      limpet constitution --json
    """
    wanted = (article or "").upper()
    found = [one for one in constitution_checks(find_trusted()) if wanted in ("", one["numeral"])]
    if not found:
        raise click.UsageError(f"there is no article {article}")
    emit(found, table([("article", "severity", "last", "by", "check"), *_rows(found)], heading=True), as_json)


def _rows(articles: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
    kinds = {"guard": "guard", "event": "record", "program": "program", "words": "words only"}
    for article in articles:
        first = (f"{article['numeral']}. {article['title']}", article["severity"])
        for place, check in enumerate(article["checks"]):
            last = "" if check["kind"] in (PROGRAM, WORDS) else minute(check["last"]) or "never"
            yield (*(("", "") if place else first), last, kinds[check["kind"]], check["name"])
