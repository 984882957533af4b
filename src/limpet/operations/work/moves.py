"""Moves along the pipeline (override, back, deviations and their end), and what is chosen for the work: task, squad,
mode."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.recording import record
from limpet.ground.text.messages import say
from limpet.ground.values import Value
from limpet.operations.approval import Obtain
from limpet.operations.binding import release
from limpet.operations.commit import commit
from limpet.operations.project import Project, clean
from limpet.operations.work.facts import agent_at, agent_id, known_agent, move, require_workflow, standing_of, tree_of
from limpet.operations.work.situation import known_squad, no_such_squad, seals_of, squad_names
from limpet.work.in_force import CONVERSATION_KEYS, resolve_mode
from limpet.work.pipeline import deviation, moves
from limpet.work.pipeline.deviation import OFF_TOPIC, ORDER
from limpet.work.pipeline.moves import set_working_mode
from limpet.work.pipeline.records import returned_mark
from limpet.work.pipeline.state import Move, Session, task_title
from limpet.work.project import NAME, accept_changes, language_of
from limpet.work.session import change_session, remaining_window
from limpet.work.stories.store import read_story, refuse_waiting, story_file, story_ids, unknown_story


def override_step(project: Project, obtain: Obtain, reason: str, agent: str = "", to: str = "") -> Move:
    """``to``: "" for the next agent."""
    name, now = agent_at(project, agent), project.caller.now
    goal, why = agent_id(project, to) if to else "", clean(project, reason)
    obtain(f"Skip the gate of {name} and its work" + (f", on to {goal}" if goal else "") + f" ({why or 'no reason'})")
    return move(project, lambda session: moves.override(session, require_workflow(project), name, now, why, goal))


def step_back(project: Project, agent: str = "", issue: str = "", reason: str = "") -> Move:
    """To an agent, or to the one that resolves this kind of issue. What each of those stands at who work again is kept,
    so that their gates see whether anything changed since."""
    now, kind = project.caller.now, issue.strip().lower()
    name, why = agent_id(project, agent) if agent else "", clean(project, reason)
    tree, seals = tree_of(project), seals_of(project.workspace)

    def decide(session: Session) -> Move:
        workflow = require_workflow(project)
        made = moves.back(session, workflow, now, project.limits, name, kind, why)
        changes = dict(made.changes)
        for one in (made.data["to"], *made.data["revalidate"]):
            stands = standing_of(project, workflow.steps[workflow.place_of(one)], tree)
            changes |= returned_mark(session, one, stands, why, seals)
        return made.replace(changes=changes)

    return move(project, decide)


def record_deviation(
    project: Project,
    kind: str,
    reason: str,
    *,
    progress: str = "",
    to: str = "",
    has_impact: bool = True,
    first: str = "",
    obtain: Obtain | None = None,
) -> Move:
    """``progress``: how far the interrupted work is; ``to``: the agent in charge meanwhile; ``has_impact``: whether
    later steps have to be validated again; ``first``: for a change of order the story that comes first."""
    goal, task = known_agent(project, to) if to else "", _first(project, kind, first)
    if goal:
        release(project, obtain, f"Have {goal} see to a {kind}", to=goal)
    why, done, now = clean(project, reason), clean(project, progress), project.caller.now
    made = move(
        project,
        lambda session: deviation.deviate(session, project.workflow, kind, why, now, done, goal, has_impact, task),
    )
    point = made.data["return_to"]
    name = task_title(point["task"]) or point["agent"]
    if kind != OFF_TOPIC or not name:
        return made
    question = say("off_topic.noted", language_of(project.session), task=name)
    return made.replace(message=f"{made.message}\n{question}")


def resolve_deviation_of(project: Project, name: str = "") -> Move:
    """Without a name the newest one."""
    wanted, now = name.strip().upper(), project.caller.now
    return move(project, lambda session: deviation.resolve_deviation(session, project.workflow, now, wanted))


class ChosenWork(Value):
    """A choice that was recorded; ``changes``: by key in the project's session, None for a cleared one; ``place``: the
    file or the conversation that holds them; ``note``: for the person; ``warning``: a possible mistake."""

    changes: dict[str, Any]
    place: str
    note: str = ""
    warning: str = ""


def choose_work(project: Project, key: str, value: Any, conversation: str | None = None) -> ChosenWork:
    """None clears the key. Raises LimpetError for a bad value, and for an unknown conversation."""
    changes = accept_changes({key: value})
    if conversation is None:
        commit(project, lambda session: Move(changes, *_told(key, changes)))
        return ChosenWork(changes=changes, place=NAME)
    from limpet.operations.conversations import find_conversation

    session = find_conversation(project.workspace, conversation)
    place = f"session {session}"
    try:
        own = {CONVERSATION_KEYS[name]: each for name, each in changes.items()}
        change_session(project.workspace, session, own)
    except OSError as error:
        raise LimpetError(str(error), place, "Nothing was changed. Try again.") from None
    kind, data = _told(key, changes)
    if kind:
        record(project.workspace, project.actor.replace(session=session), kind, data)
    return ChosenWork(changes=changes, place=place)


def choose_task(
    project: Project, title: str | None, task_id: str = "", executor: str = "", conversation: str | None = None
) -> ChosenWork:
    """Without a ``title`` the task is cleared, or with an id has the story's own. Raises LimpetError for an id that no
    story has, unless it comes with a title to a project without stories, which may keep them elsewhere; and where so
    little of the caller's window is left that a handoff is due (decision 2)."""
    workspace, story_id = project.workspace, clean(project, task_id)
    path = story_file(workspace, task_id) if task_id else None
    missing = bool(task_id) and not (path and os.path.lexists(path))
    if missing and (title is None or story_ids(workspace)):
        raise unknown_story(workspace, story_id)
    story = read_story(workspace, task_id) if path and not missing else None
    if story:
        refuse_waiting(story)
    words = clean(project, title or (story.title if story else "")) or None
    details = {"id": story_id, "title": words, "executor": executor}
    full = {key: value for key, value in details.items() if value}
    if words:
        refuse_new_task(project)
    chosen = choose_work(project, "task", full if len(full) > 1 else words, conversation)
    return chosen.replace(warning=f"no story {story_id}; the task has its title only" if missing else "")


def choose_squad(project: Project, name: str | None, conversation: str | None = None) -> ChosenWork:
    """None clears it. Raises LimpetError, also for a squad that is not there."""
    if name and not known_squad(project.workspace, name):
        names = ", ".join(squad_names(project.workspace)) or "none yet"
        hint = f"A squad is a folder under squads/. Squads: {names}"
        raise LimpetError(clean(project, no_such_squad(project.workspace, name)), "", hint)
    return choose_work(project, "squad", clean(project, name or "") or None, conversation)


def choose_mode(
    project: Project,
    name: str | None,
    reason: str = "",
    conversation: str | None = None,
    obtain: Obtain | None = None,
) -> ChosenWork:
    """None clears it. While a workflow is under way it is an override, kept in the transitions with its ``reason``."""
    found = resolve_mode(name or "")
    release(project, obtain, f"Set the mode to {found or 'none'}", conversation or "")
    if found is None or conversation is not None:
        return choose_work(project, "mode", found or clean(project, name or "") or None, conversation)
    why, now = clean(project, reason), project.caller.now
    commit(project, lambda session: set_working_mode(session, found, now, why))
    return ChosenWork(changes={"mode": found}, place=NAME)


def refuse_new_task(project: Project) -> None:
    left = remaining_window(project.conversation)
    if left is not None and left < project.settings["context"]["handoff_below"]:
        what = f"Only {left:g}% of the context window is left, too little for a new task"
        hint = "Hand over (limpet work handoff --write) and continue in a new session."
        raise LimpetError(what, "", hint)


def _first(project: Project, kind: str, story_id: str) -> dict[str, str] | None:
    if not story_id:
        return None
    if kind != ORDER:
        raise LimpetError(f"--first does not apply to a {kind}", "", f"It applies to {ORDER}.")
    story = read_story(project.workspace, story_id)
    if story is None:
        raise unknown_story(project.workspace, story_id)
    refuse_waiting(story)
    return {"id": story.id, "title": story.title}


def _told(key: str, changes: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """("", {}) where no event tells of it. A task is told by its id: its title is somebody's words."""
    chosen = changes[key]
    if key == "current_agent":
        return ("agent.activated", {"agent": chosen}) if chosen else ("agent.deactivated", {})
    if key == "task":
        return "work.task", {"id": chosen.get("id") if isinstance(chosen, dict) else None, "ended": chosen is None}
    return "", {}
