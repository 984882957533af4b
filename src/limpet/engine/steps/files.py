"""Whether a tool call brings anything, and which domains its file calls: asked before anything is locked or written,
because most tool calls concern neither a rule nor a memory."""

from __future__ import annotations

import os

from limpet.ground.storage.user_folders import NAMED, PERSONAL, SYMBOLS, data_folder, project_cache
from limpet.rules.plan.store import deeds_mark, names_files, open_plan
from limpet.work.session import EPOCH, complete, read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.block.deeds import ToolDeed
    from limpet.engine.event_context import EventContext
    from limpet.ground.event import Event
    from limpet.ground.workspace import Workspace
    from limpet.rules.plan.plan import RulePlan

# The member of an epoch that holds what each subagent was told: its window is its own.
SUBAGENTS = "subagents"
# So many subagents are remembered.
KEPT = 20
PATHS = ("file_path", "notebook_path")
# The kinds of call that touch what a memory may name, or begin what one wishes.
NAMING = ("read", "write", "shell", "tool")
# The layer of the rules that something called.
LAYER = "L6"


def find_existing(context: EventContext) -> EventContext:
    """Of a call that writes, where the project's code was scanned, and only there."""
    call, workspace = context.client.call, context.workspace
    if call is None or call.kind != "write" or not os.path.exists(workspace.kept(SYMBOLS)):
        return context
    from limpet.engine.steps.symbols import find_existing

    return find_existing(context)


def look_at_files(context: EventContext) -> EventContext:
    """In most projects neither rules name files nor memories have names, and then nothing is read."""
    if context.client.call is None or context.reply.verdict == "deny":
        return context.replace(done=True)
    is_due = context.existing or _may_call_rules(context) or _has_names(context)
    return context if is_due else context.replace(done=True)


def find_called(context: EventContext) -> EventContext:
    """End the walk unless the call brings something that the conversation was not told yet."""
    if _has_names(context):
        context = context.replace(deed=_find_deed(context))
    is_due = (
        context.existing
        or context.deed is not None
        or (_may_call_rules(context) and _calls_rules(context.with_mirror()))
    )
    return context if is_due else context.replace(done=True)


def called_domains(event: Event, workspace: Workspace, plan: RulePlan) -> dict[int, list[str]]:
    """The numbers of the domains that the tool's file calls, with their globs, the one that matches first."""
    from limpet.ground.text.globs import find_glob
    from limpet.rules.layout import path_from

    wanted = plan.matcher.get("paths")
    if not wanted:
        return {}
    given = event.tool_input or {}
    file = next((value for name in PATHS if isinstance(value := given.get(name), str)), "")
    path = path_from(workspace.root, event.cwd or workspace.root, file) if file else ""
    called = {}
    for number, globs in wanted if path else ():
        first = find_glob(globs, path)
        if first:
            called[number] = [first, *(glob for glob in globs if glob != first)]
    return called


def is_told(epoch: dict[str, Any], name: str) -> bool:
    """Whether the epoch was sent the domain's rules, whatever called it, or told where to read them."""
    return name in epoch.get("rules", ()) or f"off {LAYER} {name}" in epoch.get("sent", ())


def told(epoch: dict[str, Any], agent_id: str) -> dict[str, Any]:
    """For a subagent what its own window was sent."""
    if not agent_id:
        return epoch
    known = epoch.get(SUBAGENTS)
    found = known.get(agent_id) if isinstance(known, dict) else None
    return found if isinstance(found, dict) else {}


def with_told(epoch: dict[str, Any], agent_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    if not agent_id:
        return sent
    known = epoch.get(SUBAGENTS)
    others = {name: value for name, value in known.items() if name != agent_id} if isinstance(known, dict) else {}
    kept = dict([*others.items()][1 - KEPT :])
    return {**epoch, SUBAGENTS: {**kept, agent_id: {"rules": sent["rules"], "sent": sent["sent"]}}}


def _may_call_rules(context: EventContext) -> bool:
    call = context.client.call
    is_file = call is not None and call.kind in ("read", "write") and context.client.hears
    return is_file and names_files(context.workspace)


def _has_names(context: EventContext) -> bool:
    call, workspace = context.client.call, context.workspace
    if call is None or call.kind not in NAMING:
        return False
    cache = project_cache(workspace.shared)
    marks = (os.path.join(cache, NAMED), deeds_mark(workspace), os.path.join(data_folder(), PERSONAL))
    return any(map(os.path.exists, marks))


def _find_deed(context: EventContext) -> ToolDeed | None:
    from limpet.engine.block.deeds import find_deed_memories, left

    event, call = context.event, context.client.call
    if call is None or not event.session:
        return None
    deed = find_deed_memories(call, context.understood, context.workspace, context.client.hears)
    if deed is None:
        return None
    prompt = read_state(context.workspace, event.session).get("prompt_count")
    return left(deed, _held(event, context.workspace), prompt if isinstance(prompt, int) else 0)


def _calls_rules(context: EventContext) -> bool:
    event, workspace = context.event, context.workspace
    given = event.tool_input or {}
    if not any(isinstance(given.get(name), str) for name in PATHS):
        return False
    plan = open_plan(workspace, str(context.mirror.settings["rules"]["match"]))
    called = called_domains(event, workspace, plan)
    known = _held(event, workspace) if called and event.session else {}
    return any(not is_told(known, plan.matcher["names"][number]) for number in called)


def _held(event: Event, workspace: Workspace) -> dict[str, Any]:
    """What the window of the conversation, or of the subagent, was sent."""
    from limpet.engine.branches import leave_branch

    state = complete(read_state(workspace, event.session), event.session, event.host, event.cwd, 0.0)
    return told(leave_branch(state, event)[EPOCH], event.agent_id)
