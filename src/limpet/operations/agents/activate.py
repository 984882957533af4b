"""Activates an agent, and says what it needs to begin: what comes in time, and never nothing; and leaves one."""

from __future__ import annotations

from typing import Any

from limpet.agents.greeting import GreetingScene, greet, greet_plainly, is_wanted
from limpet.agents.loading import Loading, load_all
from limpet.agents.session_type import find_session_type
from limpet.agents.suggestion import suggest_next
from limpet.ground.clock import Clock, iso
from limpet.ground.config.mirror import SESSION, read_mirror
from limpet.ground.event_log import metrics_path
from limpet.ground.storage.files import stamp
from limpet.ground.storage.json_lines import append_object
from limpet.ground.text.messages import say
from limpet.ground.text.words import language_code
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.agents.known import find_id
from limpet.operations.agents.loaders import Context, History, Spoken, loaders_of
from limpet.operations.conversations import find_conversation
from limpet.operations.project import Project
from limpet.operations.work.moves import ChosenWork, choose_work
from limpet.roles.agent import AGENTS_FOLDER
from limpet.roles.agents import in_language, load_agent, named_only
from limpet.roles.compiled import read_compiled
from limpet.work.in_force import find_in_force, find_user_level
from limpet.work.project import language_of
from limpet.work.session import read_state

KEY = "current_agent"


class Activation(Value):
    """An activation that is done.

    ``lines``: what to say, in the language of the session.
    ``mistake``: what is wrong in the project's file of the agent, in a line, "" for nothing.
    ``ms``: how long it took.
    """

    agent: str
    chosen: ChosenWork
    loading: Loading
    lines: tuple[str, ...]
    mistake: str
    ms: float


def activate_agent(
    project: Project,
    name: str,
    clock: Clock,
    conversation: str | None = None,
    greeting: str = "",
) -> Activation:
    """Make an agent, by id or alias, the active one of the project, or of a conversation, and return what it is told.

    ``greeting``: its level, "" for the configured one.

    What is told is loaded in ``agents.activation.total_ms`` after the choice is written, or said to be missing. Raises
    LimpetError for an unknown agent or conversation, and for a session that cannot be read or written.
    """
    workspace, caller = project.workspace, project.caller
    began, idle = clock.timer(), _idle(workspace, caller.now)
    session = caller.conversation if conversation is None else find_conversation(workspace, conversation)
    before = find_in_force(project.session, read_state(workspace, session))
    agent = find_id(workspace, name, before)
    chosen = choose_work(project, KEY, agent, conversation)
    mirror = read_mirror(workspace)
    callers = find_in_force(mirror.session, read_state(workspace, caller.conversation)).agent
    context = Context(
        project=project,
        agent=agent,
        before=before,
        mirror=mirror,
        conversation=session,
        reader=agent if caller.reader.person or callers == agent else "",
        now=caller.now,
    )
    limits: dict[str, float] = mirror.settings["agents"]["activation"]
    budgets = {limit.removesuffix("_ms"): milliseconds / 1000 for limit, milliseconds in limits.items()}
    loading = load_all(loaders_of(context), budgets, clock)
    done = Activation(
        agent=agent,
        chosen=chosen,
        loading=loading,
        lines=tuple(_greet(context, chosen.place, greeting, idle, loading)),
        mistake=getattr(loading.value("agent"), "mistake", ""),
        ms=(clock.timer() - began) * 1000,
    )
    _record(context, done)
    return done


def deactivate_agent(project: Project, conversation: str | None = None) -> ChosenWork:
    """Leave no agent active; the note says so in the session's language. Raises LimpetError for an unknown
    conversation."""
    workspace = project.workspace
    session = "" if conversation is None else find_conversation(workspace, conversation)
    agent = find_in_force(project.session, read_state(workspace, session)).agent
    chosen = choose_work(project, KEY, None, conversation)
    language = language_code(language_of(project.session))
    if not agent:
        return chosen.replace(note=say("greeting.deactivated", language, place=chosen.place))
    title = in_language(load_agent(workspace.path(AGENTS_FOLDER), agent)[0], language).title
    return chosen.replace(note=say("greeting.goodbye", language, title=title, place=chosen.place))


def _greet(context: Context, place: str, greeting: str, idle: float | None, loading: Loading) -> list[str]:
    mirror, agent, previous = context.mirror, context.agent, context.before.agent
    history: History = loading.value("conversation") or History()
    following = suggest_next(mirror.work.get("next"), history.recent)
    spoken: Spoken | None = loading.value("agent")
    task, level = mirror.work.get("task") or {}, greeting or str(mirror.settings["agents"]["greeting"])
    executor = str(task.get("executor") or "agent")
    if spoken is None:
        known = read_compiled(context.project.workspace).get("agents", {}).get(agent, {})
        plain = named_only(agent).replace(**{key: known[key] for key in ("title", "mission") if key in known})
        wanted = is_wanted(level, executor)
        return [
            f"active agent: {agent} ({place})",
            *(greet_plainly(plain, following, loading.missing) if wanted else ()),
        ]
    scene = GreetingScene(
        agent=spoken.agent,
        texts=spoken.texts,
        level=level,
        session=find_session_type(history.recent, bool(context.before.workflow), idle),
        user_level=find_user_level(mirror.session),
        executor=executor,
        permission=loading.value("permission") or "",
        status=loading.value("git") or loading.value("branch"),
        task=_title(task),
        checklist=tuple(str(text) for is_done, text in task.get("acceptance") or () if not is_done),
        handoff=history.handoff,
        previous=previous if previous != agent else "",
        following=following,
        memories=loading.value("memories") or (),
        knowledge=loading.value("knowledge") or (),
        missing=loading.missing,
    )
    return [scene.say("activated", agent=agent, place=place), *greet(scene)]


def _title(task: dict[str, Any]) -> str:
    named, title = str(task.get("id") or ""), str(task.get("title") or "")
    return f"{named}: {title}" if named and title and named != title else named or title


def _idle(workspace: Workspace, now: float) -> float | None:
    """Return the seconds since the project's session was written, None where there is none."""
    mark = stamp(workspace.path(SESSION))
    return None if mark is None else max(0.0, now - mark[0] / 1e9)


def _record(context: Context, done: Activation) -> None:
    """Keep the figures, which ``limpet debug`` sums up; where they cannot be written there are none."""
    retention = context.mirror.settings["retention"]
    line = {
        "time": iso(context.now),
        "activation": done.agent,
        "session": context.conversation,
        "quality": done.loading.quality,
        "loaders": {name: [one.status, round(one.ms, 3)] for name, one in done.loading.results.items()},
        "ms": round(done.ms, 3),
    }
    try:
        path = metrics_path(context.project.workspace)
        append_object(path, line, retention["metrics_bytes"], retention["rotated_files"])
    except (OSError, ValueError):
        return
