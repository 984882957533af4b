"""A tool call that nobody makes, judged as the hook would judge it, and as a command of ours would answer itself; it is
not recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.engine.event_context import PREVIEW
from limpet.engine.guard.scene import find_places, make_scene
from limpet.engine.steps.guard import text_before, understand_call
from limpet.ground.clock import Clock
from limpet.ground.config.mirror import read_mirror
from limpet.ground.errors import LimpetError
from limpet.ground.event import Event
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.guard.call import ALLOW, Scene, ToolCall, Verdict, strictest
from limpet.guard.judge import acts_in, judge_tool_call
from limpet.guard.rules.permission import words_of_ours
from limpet.guard.shell.command import Understood
from limpet.operations.binding import adding_takes_word
from limpet.operations.conversations import read_conversation
from limpet.work.in_force import NOBODY, find_in_force, resolve_agent, resolve_mode, resolve_permission
from limpet.work.session import new_session

# Acts that are shown of one command.
SHOWN = 20
WORD = "The command itself asks for the user's word, since {agent} is in force."


class Supposed(Value):
    """What is supposed of the scene, "" for what is in force; ``agent``: also ``none``; ``mode``: of the pipeline, as
    if a workflow were under way; ``conversation``: whose scene it is, "" for a new one's."""

    agent: str = ""
    mode: str = ""
    permission: str = ""
    conversation: str = ""


class RehearsedCall(Value):
    """What the guard would answer; ``acts``: (kind, target) of what the command was understood to do; ``unclear``: why
    it was not understood."""

    verdict: Verdict
    verdicts: tuple[Verdict, ...]
    acts: tuple[tuple[str, str], ...]
    unclear: str
    scene: Scene


def rehearse(workspace: Workspace, call: ToolCall, supposed: Supposed, clock: Clock) -> RehearsedCall:
    """Raises LimpetError for an unknown agent, mode or conversation."""
    scene = _scene(workspace, supposed, clock)
    understood = understand_call(call, scene.root, clock)
    found = (*judge_tool_call(call, scene, understood, text_before(call)).verdicts, *_own_answers(understood, scene))
    said = []
    for verdict in dict.fromkeys(found):
        texts = {name: without_secrets(workspace, getattr(verdict, name)) for name in ("reason", "act", "target")}
        said.append(verdict.replace(**texts))
    acts = dict.fromkeys((act.kind, act.target) for act in acts_in(call, scene, understood))
    return RehearsedCall(
        verdict=strictest(tuple(said)) if said else ALLOW,
        verdicts=tuple(said),
        acts=tuple(acts)[:SHOWN],
        unclear=understood.why if understood and not understood.clear else "",
        scene=scene,
    )


def _own_answers(understood: Understood | None, scene: Scene) -> Iterator[Verdict]:
    for command in understood.commands if understood else ():
        if adding_takes_word(words_of_ours(command.words), scene.agent, scene.mode, scene.settings):
            act = " ".join(command.words)
            yield Verdict("ask", "authority.story", WORD.format(agent=scene.agent), act=act)


def _scene(workspace: Workspace, supposed: Supposed, clock: Clock) -> Scene:
    mirror = read_mirror(workspace)
    state = new_session("", PREVIEW, workspace.root, clock.now())
    if supposed.conversation:
        state = read_conversation(workspace, supposed.conversation)
    event = Event(kind="tool_before", host=PREVIEW, session=supposed.conversation, cwd=os.getcwd())
    scene = make_scene(event, find_places(workspace), mirror, state)
    if supposed.agent:
        own = find_in_force(mirror.session, state).own_agents
        meant = "" if supposed.agent == NOBODY else resolve_agent(supposed.agent, scene.workflow, own)
        scene = scene.replace(agent=_known("agent", supposed.agent, meant, "Run: limpet work agent show"))
    if supposed.mode:
        mode = _known("mode", supposed.mode, resolve_mode(supposed.mode), "Use planning, build or deploy.")
        scene = scene.replace(mode=mode, workflow=scene.workflow or "any")
    if supposed.permission:
        found = resolve_permission(supposed.permission)
        found = _known("permission mode", supposed.permission, found, "Use explore, ask or auto.")
        scene = scene.replace(permission=found)
    return scene


def _known(what: str, name: str, found: str | None, hint: str) -> str:
    if found is None:
        raise LimpetError(f"Unknown {what}: {name}", hint=hint)
    return found
