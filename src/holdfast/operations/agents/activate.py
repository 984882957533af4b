"""Activates an agent, and says what it needs to begin: what comes in time, and never nothing."""

from __future__ import annotations

import os

from holdfast.agents.greeting import Scene, greet, greet_plainly, is_wanted
from holdfast.agents.loading import LATE, load_all
from holdfast.agents.project_status import ProjectStatus
from holdfast.agents.session_type import find_session_type
from holdfast.agents.suggestion import suggest
from holdfast.ground.clock import iso
from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.config.mirror import read_mirror
from holdfast.ground.config.sources import SESSION
from holdfast.ground.event_log.files import metrics_path
from holdfast.ground.storage.files import read_text, stamp
from holdfast.ground.storage.json_lines import append_object
from holdfast.ground.text.languages import language_code
from holdfast.ground.values import Value
from holdfast.ground.workspace import FOLDER
from holdfast.operations.agents.loaders import GIT, Context, History, loaders_of
from holdfast.operations.agents.mirror_update import read_before, update_mirror
from holdfast.operations.agents.naming import find_id
from holdfast.operations.agents.threads import Threads
from holdfast.operations.project import open_unasked
from holdfast.operations.work.choices import Chosen, choose
from holdfast.roles.agent import Agent
from holdfast.roles.agent_paths import ENDING, PACKAGED
from holdfast.work.agent_line import change_agent
from holdfast.work.in_force import find_in_force, find_user_level
from holdfast.work.session import read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from holdfast.agents.loading import Collector, Loading
    from holdfast.ground.clock import Clock
    from holdfast.ground.config.mirror import Mirror
    from holdfast.ground.workspace import Workspace
    from holdfast.operations.agents.mirror_update import Before
    from holdfast.operations.agents.spoken import Spoken

KEY = "current_agent"


class Request(Value):
    """What is asked for.

    ``name``: an agent's id or alias.
    ``session``: the conversation to change, by its id or the beginning of it; None for the project.
    ``greeting``: its level, "" for the configured one.
    ``around``: the conversation that asks, "" for none.
    ``is_person``: whether a person does, at a terminal.
    """

    name: str
    session: str | None = None
    greeting: str = ""
    around: str = ""
    is_person: bool = False


class Activation(Value):
    """An activation that is done.

    ``lines``: what to say, in the language of the session.
    ``mistake``: what is wrong in the project's file of the agent, in a line, "" for nothing.
    ``before``: the mirror as it was; ``kept`` of it what the next one can be made of, None where it needs no change or
    has to be made anew.
    ``collector``: what still has the loaders that are late.
    """

    agent: str
    chosen: Chosen
    loading: Loading
    lines: tuple[str, ...]
    mistake: str
    before: Mirror
    kept: Before | None
    conversation: str
    ms: float
    collector: Collector


def activate(
    workspace: Workspace, request: Request, clock: Clock, start: Callable[[Callable[[], float]], Collector] = Threads
) -> Activation:
    """Make the agent the active one and return what it is told.

    Whatever hangs, loading ends ``agents.activation.total_ms`` after the clock's call; only writing the session may
    wait for another writer, and a hand edit for the compiler of the mirror, after which loading gets ``floor_ms``.

    Raises HoldfastError for an unknown agent or conversation, and for a session that cannot be written.
    """
    began = clock.timer()
    mirror = read_mirror(workspace)
    context = _context(workspace, request, mirror, clock)
    idle = _idle(workspace, clock)
    kept = None if _is_so(context.agent, mirror) else read_before(workspace)
    chosen = _choose(workspace, context.agent, request, mirror, kept)
    settings = mirror.settings["agents"]["activation"]
    budgets = {name.removesuffix("_ms"): milliseconds / 1000 for name, milliseconds in settings.items()}
    collector = start(clock.timer)
    # The mirror may have had to be made anew before: what is quick to load comes all the same.
    limited = clock.replace(deadline=max(began + budgets["total"], clock.timer() + budgets["floor"]))
    loading = load_all(loaders_of(context), budgets, limited, collector)
    lines = _greet(context, request, loading, chosen.place, idle)
    return Activation(
        agent=context.agent,
        chosen=chosen,
        loading=loading,
        lines=tuple(lines),
        mistake=getattr(loading.value("agent"), "mistake", ""),
        before=mirror,
        kept=kept,
        conversation=context.conversation,
        ms=(clock.timer() - began) * 1000,
        collector=collector,
    )


def settle(workspace: Workspace, done: Activation, clock: Clock) -> None:
    """Bring the mirror up to date and record the figures: what has time until the answer is out. A git that is late is
    waited for, because it ends itself soon and would be left behind."""
    is_projects = not done.chosen.place.startswith("session ")
    if is_projects and not _is_so(done.agent, done.before) and not update_mirror(workspace, done.kept, done.agent):
        from holdfast.operations.mirror import refresh

        refresh(workspace)
    if GIT in done.loading.missing and done.loading.results[GIT].status == LATE:
        done.collector.collect(done.before.settings["agents"]["activation"]["best_effort_ms"] / 1000)
    retention: dict[str, Any] = done.before.settings["retention"]
    line = {
        "time": iso(clock.now()),
        "activation": done.agent,
        "session": done.conversation,
        "quality": done.loading.quality,
        "loaders": {name: [one.status, round(one.ms, 3)] for name, one in done.loading.results.items()},
        "ms": round(done.ms, 3),
    }
    try:
        append_object(metrics_path(workspace), line, retention["metrics_bytes"], retention["rotated_files"])
    except (OSError, ValueError):
        return


def _context(workspace: Workspace, request: Request, mirror: Mirror, clock: Clock) -> Context:
    conversation = _conversation(workspace, request)
    found = find_in_force(mirror.session, read_state(workspace, conversation))
    agent = find_id(workspace, request.name, found)
    return Context(
        workspace=workspace,
        agent=agent,
        mirror=mirror,
        found=found,
        conversation=conversation,
        language=language_code(str(mirror.session.get("language") or "")),
        clock=clock,
        may_read=request.is_person or agent == _asking(workspace, request, conversation, agent, mirror),
    )


def _choose(workspace: Workspace, agent: str, request: Request, mirror: Mirror, kept: Before | None) -> Chosen:
    """Record the choice, unless it is the project's already. Raise HoldfastError."""
    if request.session is None and (
        _is_so(agent, mirror) or (kept is not None and change_agent(workspace, kept.text, agent))
    ):
        return Chosen(changes={KEY: agent}, place=f"{FOLDER}/{SESSION}")
    return choose(open_unasked(workspace), KEY, agent, request.session)


def _is_so(agent: str, mirror: Mirror) -> bool:
    """Return whether the project had this agent before, as far as the mirror knows for sure."""
    return mirror.session.get(KEY) == agent and not mirror.note and mirror.kept


def _greet(context: Context, request: Request, loading: Loading, place: str, idle: float | None) -> list[str]:
    session, work, settings = context.mirror.session, context.mirror.work, context.mirror.settings["agents"]
    history: History = loading.value("conversation") or History()
    suggestion = suggest(work.get("next"), history.recent)
    spoken: Spoken | None = loading.value("agent")
    task, level = work.get("task") or {}, request.greeting or str(settings["greeting"])
    executor = str(task.get("executor") or "agent")
    if spoken is None:
        wanted = is_wanted(level, executor)
        plain = greet_plainly(_known(context.agent), suggestion, loading.missing) if wanted else []
        return [f"active agent: {context.agent} ({place})", *plain]
    scene = Scene(
        agent=spoken.agent,
        texts=spoken.texts,
        level=level,
        session=find_session_type(history.recent, bool(context.found.workflow), idle),
        user_level=find_user_level(session),
        executor=executor,
        permission=loading.value("permission") or "",
        status=loading.value("git") or loading.value("branch") or ProjectStatus(),
        task=_title(task),
        checklist=tuple(str(text) for is_done, text in task.get("acceptance") or () if not is_done),
        handoff=history.handoff,
        previous=context.found.agent if context.found.agent != context.agent else "",
        suggestion=suggestion,
        memories=loading.value("memories") or (),
        missing=loading.missing,
    )
    return [scene.say("activated", agent=context.agent, place=place), *greet(scene)]


def _known(agent: str) -> Agent:
    """Return what the packaged file says in a line each of an agent that did not come."""
    lines = (read_text(os.path.join(PACKAGED, f"{agent}{ENDING}"), STATE_BYTES) or "").splitlines()
    said = {key: value.strip('"') for key, _, value in (line.partition(": ") for line in lines)}
    return Agent(agent, said.get("title") or agent.replace("-", " ").capitalize(), said.get("mission", ""))


def _title(task: dict[str, Any]) -> str:
    named, title = str(task.get("id") or ""), str(task.get("title") or "")
    return f"{named}: {title}" if named and title and named != title else named or title


def _conversation(workspace: Workspace, request: Request) -> str:
    """Return the id of the conversation that the activation is for. Raise HoldfastError for an unknown one."""
    if request.session is None:
        return request.around
    from holdfast.operations.conversations import find_conversation

    return find_conversation(workspace, request.session)


def _asking(workspace: Workspace, request: Request, conversation: str, agent: str, mirror: Mirror) -> str:
    """Return the agent that the activation leaves in force for whoever asks for it: none other sees its memories."""
    own = read_state(workspace, request.around)
    if request.session is not None and conversation == request.around:
        return agent
    project = agent if request.session is None else mirror.session.get("current_agent")
    return find_in_force({"current_agent": project}, own).agent


def _idle(workspace: Workspace, clock: Clock) -> float | None:
    """Return the seconds since the project's session was written, None where there is none."""
    mark = stamp(workspace.path(SESSION))
    return None if mark is None else max(0.0, clock.now() - mark[0] / 1e9)
