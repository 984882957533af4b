"""Answers git before a push: one that an agent makes, by whatever program, is judged as if the agent had typed it; one
without an agent among the processes above is the person's (decision 58)."""

from __future__ import annotations

import os
import sys

from limpet.engine.event_context import EventContext
from limpet.engine.guard.effects import describe, find_effects
from limpet.engine.guard.record import settle
from limpet.engine.guard.watched import take_pass
from limpet.engine.steps.guard import judge_call
from limpet.ground.clock import Clock
from limpet.ground.config.mirror import read_mirror
from limpet.ground.event import Event
from limpet.ground.storage.files import names_in
from limpet.ground.text.escaping import visible
from limpet.guard.call import ToolCall
from limpet.hosts.git_hook import REFUSED
from limpet.hosts.surroundings import project_around, read_surroundings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.workspace import Workspace
    from limpet.operations.surroundings import Surroundings

PUSH = "git push"
SECONDS = 10.0


def main() -> int:
    """Return REFUSED where the push is not the agent's to make, having said why on stderr; else 0."""
    folder, around = os.getcwd(), read_surroundings(os.environ)
    workspace = project_around(folder, os.environ) if around.host else None
    if workspace is None:
        return 0
    clock = Clock()
    clock = clock.replace(deadline=clock.timer() + SECONDS)
    event = Event(kind="tool_before", host=around.host, session=_conversation(workspace, around), cwd=folder)
    found = find_effects(workspace, event, read_mirror(workspace), clock)
    lines = [*describe(found)] if found else []
    reason = "" if take_pass(workspace.home, clock.now()) else _refusal(event, workspace, clock)
    for line in (*lines, *filter(None, (reason,))):
        print(f"limpet: {visible(line)}", file=sys.stderr)
    return REFUSED if reason else 0


def _refusal(event: Event, workspace: Workspace, clock: Clock) -> str:
    """Return why the agent in force may not push, "" where it may, or a person let it through once."""
    call = ToolCall(kind="shell", tool="git", command=PUSH, folder=event.cwd)
    judged = judge_call(event, call, workspace, clock)
    if not judged.verdict.rule or judged.scene is None:
        return ""
    context = EventContext(event=event, workspace=workspace, clock=clock)
    settled = settle(context, call, judged.verdict, judged.scene.agent, judged.retention)
    return settled.reason if settled.answer == "deny" else ""


def _conversation(workspace: Workspace, around: Surroundings) -> str:
    """Return the conversation that pushes; where nothing tells it, the one of the project that was at work last."""
    if around.conversation:
        return around.conversation
    folder = workspace.path("sessions")
    states = [os.path.join(folder, name) for name in names_in(folder) if name.endswith(".json")]
    newest = max(states, key=_changed, default="")
    return os.path.basename(newest).removesuffix(".json")


def _changed(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
