"""Sets workflow, task, squad and modes, for the project or for one conversation."""

from __future__ import annotations

import os
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.event_log.record import record
from limpet.ground.values import Value
from limpet.operations.project import Project, clean
from limpet.operations.work.problems import known_squad, no_such_squad, squad_names
from limpet.work.in_force import CONVERSATION_KEYS
from limpet.work.modes import resolve_mode
from limpet.work.pipeline.move import Move
from limpet.work.pipeline.moves import set_mode
from limpet.work.project import NAME, accept_changes
from limpet.work.session import change_session, remaining_window
from limpet.work.stories.store import read_story, story_file, story_ids, unknown


class Chosen(Value):
    """A choice that was recorded.

    ``changes``: the new values by their key in the project's session, None for a cleared one.
    ``place``: the file or the conversation that holds them.
    ``note``: a remark for the person, "" for none.
    ``warning``: a possible mistake, "" for none.
    """

    changes: dict[str, Any]
    place: str
    note: str = ""
    warning: str = ""


def choose(project: Project, key: str, value: Any, conversation: str | None = None) -> Chosen:
    """Set a key of the project's session, or the conversation's own value for it; None clears it.

    Raises LimpetError for a bad value, and for an unknown conversation.
    """
    changes = accept_changes({key: value})
    if conversation is None:
        project.commit(lambda session: Move(changes, *_told(key, changes)))
        return Chosen(changes=changes, place=NAME)
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
    return Chosen(changes=changes, place=place)


def choose_task(
    project: Project, title: str | None, task_id: str = "", executor: str = "", conversation: str | None = None
) -> Chosen:
    """Make ``title`` the task under way, with the id of its story and its executor; None clears it, or with an id takes
    the story's own title.

    Raises LimpetError for an id that no story has, unless it comes with a title to a project without stories, which
    may keep them elsewhere; and where so little of the caller's window is left that a handoff is due (decision 2).
    """
    workspace, story_id = project.workspace, clean(project, task_id)
    path = story_file(workspace, task_id) if task_id else None
    missing = bool(task_id) and not (path and os.path.lexists(path))
    if missing and (title is None or story_ids(workspace)):
        raise unknown(workspace, story_id)
    story = read_story(workspace, task_id) if task_id and title is None else None
    words = clean(project, story.title if story else title or "") or None
    details = {"id": story_id, "title": words, "executor": executor}
    full = {key: value for key, value in details.items() if value}
    if words:
        refuse_new_task(project)
    chosen = choose(project, "task", full if len(full) > 1 else words, conversation)
    return chosen.replace(warning=f"no story {story_id}; the task has its title only" if missing else "")


def choose_squad(project: Project, name: str | None, conversation: str | None = None) -> Chosen:
    """Make a squad the active one; None clears it. Raises LimpetError, also for a squad that is not there."""
    if name and not known_squad(project.workspace, name):
        names = ", ".join(squad_names(project.workspace)) or "none yet"
        hint = f"A squad is a folder under squads/. Squads: {names}"
        raise LimpetError(clean(project, no_such_squad(project.workspace, name)), "", hint)
    return choose(project, "squad", clean(project, name or "") or None, conversation)


def choose_mode(project: Project, name: str | None, reason: str = "", conversation: str | None = None) -> Chosen:
    """Set the pipeline's mode; None clears it.

    Where a workflow is under way that is an override, kept among the transitions with its ``reason``.

    Raises LimpetError for an unknown mode.
    """
    found = resolve_mode(name or "")
    if found is None or conversation is not None:
        return choose(project, "mode", found or clean(project, name or "") or None, conversation)
    why, now = clean(project, reason), project.caller.now
    project.commit(lambda session: set_mode(session, found, now, why))
    return Chosen(changes={"mode": found}, place=NAME)


def _told(key: str, changes: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the event of a choice that says who did what, ("", {}) for any other: a task by its id, whose title is
    somebody's words."""
    chosen = changes[key]
    if key == "current_agent":
        return ("agent.activated", {"agent": chosen}) if chosen else ("agent.deactivated", {})
    if key == "task":
        return "work.task", {"id": chosen.get("id") if isinstance(chosen, dict) else None, "ended": chosen is None}
    return "", {}


def refuse_new_task(project: Project) -> None:
    """Raise LimpetError where so little of the caller's window is left that a handoff is due (decision 2)."""
    left = remaining_window(project.conversation)
    if left is not None and left < project.settings["context"]["handoff_below"]:
        what = f"Only {left:g}% of the context window is left, too little for a new task"
        hint = "Hand over (limpet handoff write) and continue in a new session."
        raise LimpetError(what, "", hint)
