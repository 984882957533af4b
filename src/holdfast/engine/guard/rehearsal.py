"""A tool call that nobody makes, judged as the hook would judge it; nothing is recorded."""

from __future__ import annotations

import os

from holdfast.engine.event_context import PREVIEW
from holdfast.engine.guard.scene import find_places, make_scene
from holdfast.engine.steps.guard import text_before, understand_call
from holdfast.ground.clock import Clock
from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event import Event
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.guard.call import ToolCall
from holdfast.guard.judge import acts_in, judge
from holdfast.guard.scene import Scene
from holdfast.guard.verdict import ALLOW, Verdict, strictest
from holdfast.operations.conversations import read_conversation
from holdfast.work.in_force import NOBODY, resolve_agent
from holdfast.work.modes import resolve_mode, resolve_permission
from holdfast.work.session import new_session

# Acts that are shown of one command.
SHOWN = 20


class Supposed(Value):
    """What is supposed of the scene, in place of what is in force; "" leaves that.

    ``agent``: an id or alias, or ``none``.
    ``mode``: of the pipeline, with which a workflow is supposed to be under way.
    ``permission``: as a person would have set it.
    ``conversation``: whose scene it is, "" for a new one's.
    """

    agent: str = ""
    mode: str = ""
    permission: str = ""
    conversation: str = ""


class Judged(Value):
    """What the guard would answer.

    ``verdict``: the one that counts.
    ``verdicts``: all that the rules say.
    ``acts``: (kind, target) of what the command was understood to do.
    ``unclear``: why it was not understood, "" where it was.
    ``scene``: what it was judged in.
    """

    verdict: Verdict
    verdicts: tuple[Verdict, ...]
    acts: tuple[tuple[str, str], ...]
    unclear: str
    scene: Scene


def rehearse(workspace: Workspace, call: ToolCall, supposed: Supposed, clock: Clock) -> Judged:
    """Return what the guard would answer to this call. Raises HoldfastError for an unknown agent, mode or
    conversation."""
    scene = _scene(workspace, supposed, clock)
    understood = understand_call(call, scene.root, clock)
    found = judge(call, scene, understood, text_before(call)).verdicts
    said = tuple(_without_secrets(workspace, verdict) for verdict in dict.fromkeys(found))
    acts = dict.fromkeys((act.kind, act.target) for act in acts_in(call, scene, understood))
    return Judged(
        verdict=strictest(said) if said else ALLOW,
        verdicts=said,
        acts=tuple(acts)[:SHOWN],
        unclear=understood.why if understood and not understood.clear else "",
        scene=scene,
    )


def _scene(workspace: Workspace, supposed: Supposed, clock: Clock) -> Scene:
    mirror = read_mirror(workspace)
    state = (
        read_conversation(workspace, supposed.conversation)
        if supposed.conversation
        else new_session("", PREVIEW, workspace.root, clock.now())
    )
    event = Event(kind="tool_before", host=PREVIEW, session=supposed.conversation, cwd=os.getcwd())
    scene = make_scene(event, find_places(workspace), mirror, state)
    if supposed.agent:
        own = tuple(mirror.session.get("own_agents", ()))
        scene = scene.replace(agent=_known_agent(supposed.agent, scene.workflow, own))
    if supposed.mode:
        mode = _known("mode", supposed.mode, resolve_mode(supposed.mode), "planning, build or deploy")
        scene = scene.replace(mode=mode, workflow=scene.workflow or "any")
    if supposed.permission:
        found = resolve_permission(supposed.permission)
        scene = scene.replace(permission=_known("permission mode", supposed.permission, found, "explore, ask or auto"))
    return scene


def _known_agent(name: str, workflow: str, own: tuple[str, ...]) -> str:
    if name == NOBODY:
        return ""
    found = resolve_agent(name, workflow, own)
    if found is None:
        raise HoldfastError(f"Unknown agent: {name}", hint="Run: holdfast agent list")
    return found


def _known(what: str, name: str, found: str | None, names: str) -> str:
    if found is None:
        raise HoldfastError(f"Unknown {what}: {name}", hint=f"Use {names}.")
    return found


def _without_secrets(workspace: Workspace, verdict: Verdict) -> Verdict:
    texts = {name: without_secrets(workspace, getattr(verdict, name)) for name in ("reason", "act", "target")}
    return verdict.replace(**texts)
