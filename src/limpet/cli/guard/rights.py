"""``limpet guard mode|allow|install``: what a person lets agents do, and what guards beside Limpet."""

from __future__ import annotations

import time
from typing import Any

import click

from limpet.cli.caller import obtain_for, surroundings, yes_option
from limpet.cli.groups import SuggestingChoice
from limpet.cli.output import emit, json_option, require_workspace, show
from limpet.cli.work.view import clear_option, required, session_option, tell_choice
from limpet.ground.errors import LimpetError
from limpet.ground.workspace import Workspace
from limpet.hosts import git_hook
from limpet.hosts.file_changes import ChangePlan, apply_changes
from limpet.hosts.installation import plan_launcher
from limpet.hosts.registry import all_hosts, look
from limpet.operations.approval import Obtain
from limpet.operations.conversations import find_conversation
from limpet.operations.guard_rights import (
    allow_once,
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


@click.command("install")
@click.argument(
    "name", metavar="[pre-push|deny-rules]", type=SuggestingChoice(("pre-push", "deny-rules")), required=False
)
@click.option("--off", is_flag=True, help="Take it out again.")
@yes_option
@json_option
def install(name: str | None, off: bool, agreed: bool, as_json: bool) -> None:
    """Show or set guards of git and of your coding agent.

    `pre-push` is a line in git's own hook of this name, beside what stands there. It stops a push of an agent that may
    not, whichever program starts it, and no push of yours. `deny-rules` stand among your coding agent's own, in the
    project's local settings: it does not read .env files, private keys and Limpet's files, nor change its own settings.
    To set one takes a person's word.

    \b
    Examples:
      limpet guard install
      limpet guard install pre-push
      limpet guard install deny-rules --off
    """
    if off and not name:
        raise click.UsageError("--off needs a name")
    workspace = require_workspace()
    obtain = obtain_for(workspace, agreed)
    wanted = ("off" if off else "on") if name else ""
    shown: dict[str, tuple[Any, list[str]]] = {}
    if name != "deny-rules":
        try:
            shown["pre-push"] = _pre_push(workspace, wanted, obtain)
        except LimpetError as error:  # no repository: the other one can be all the same
            if name:
                raise
            shown["pre-push"] = {"on": False, "path": None}, [str(error)]
    if name != "pre-push":
        shown["deny-rules"] = _deny_rules(workspace, wanted, obtain)
    data = {each: found[0] for each, found in shown.items()}
    lines = [line for _, found in shown.values() for line in found]
    emit(data[name] if name else data, lines, as_json)


def _deny_rules(workspace: Workspace, wanted: str, obtain: Obtain) -> tuple[list[dict[str, Any]], list[str]]:
    root = workspace.root
    data: list[dict[str, Any]] = []
    lines: list[str] = []
    for host in all_hosts():
        before = host.find_deny_rules(root)
        if before is None:
            continue
        plan = host.plan_deny_rules(workspace.home, wanted == "on") if wanted else ChangePlan()
        if plan.pending():
            does = "Add deny rules to" if wanted == "on" else "Take Limpet's deny rules out of"
            obtain(f"{does} {host.TITLE}'s own ({before.path})")
            apply_changes(plan.pending())
        rules = host.find_deny_rules(root) or before
        data.append({"host": host.NAME, "state": rules.state, "path": rules.path, "missing": rules.missing})
        what, on = f"{host.TITLE}'s own deny rules are", "limpet guard install deny-rules"
        if rules.state == "off":
            lines.append(f"{what} off. To have them: {on}")
        else:
            missing = [f"Missing: {', '.join(rules.missing)}. To mend it: {on}"] if rules.missing else []
            lines += [f"{what} on: {rules.path}", *missing, f"{rules.beyond}."]
    return data, lines


def _pre_push(workspace: Workspace, wanted: str, obtain: Obtain) -> tuple[dict[str, Any], list[str]]:
    root = workspace.root
    path = git_hook.hook_path(root)
    plan, says = git_hook.plan_pre_push_removal(root), "Let git push without asking the guard"
    if wanted == "on":
        plan, says = plan_launcher() + git_hook.plan_pre_push(root), "Have git ask the guard before a push"
        show([f"The line in {path}:\n  {git_hook.hook_line()}"], err=True)
    if wanted and plan.pending():
        obtain(f"{says} ({path})")
        apply_changes(plan.pending())
        look(workspace)
    is_on = git_hook.is_installed(root)
    said = "git does not ask the guard before a push. To have it: limpet guard install pre-push"
    return {"on": is_on, "path": path}, [f"git asks the guard before a push: {path}" if is_on else said]
