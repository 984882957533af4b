"""Sets agent, workflow, task, squad and mode, for the project or for one conversation."""

from __future__ import annotations

import os
from typing import Any

from holdfast.ground.config.settings import load_settings
from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.schema import nearest
from holdfast.ground.safety.dotenv import without_secrets
from holdfast.ground.workspace import Workspace
from holdfast.operations.caller import Caller
from holdfast.operations.mirror import refresh
from holdfast.operations.work.choices.chosen import Chosen
from holdfast.operations.work.choices.recording import write_choice
from holdfast.operations.work.pipeline import make
from holdfast.operations.work.problems import known_squad, no_such_squad, squad_names
from holdfast.work.modes import resolve_mode
from holdfast.work.pipeline.moves import set_mode
from holdfast.work.project import NAME
from holdfast.work.session import read_state, remaining_window
from holdfast.work.stories.store import read_story, story_file


def choose(workspace: Workspace, key: str, value: Any, conversation: str | None = None) -> Chosen:
    """Set a key of the project's session, or the conversation's own value for it; None clears it.

    Raises HoldfastError for a bad value, and for an unknown conversation.
    """
    chosen = write_choice(workspace, key, value, conversation)
    if conversation is None:
        refresh(workspace)
    return chosen


def choose_task(
    workspace: Workspace,
    caller: Caller,
    title: str | None,
    task_id: str = "",
    executor: str = "",
    conversation: str | None = None,
) -> Chosen:
    """Make ``title`` the task under way, with the id of its story and its executor; None clears it, or with an id takes
    the story's own title.

    Raises HoldfastError, for an id alone that no story has, and where so little of the caller's window is left that a
    handoff is due (decision 2).
    """
    found = _title_of(workspace, task_id) if task_id and title is None else title
    words = without_secrets(workspace, found or "") or None
    details = {"id": without_secrets(workspace, task_id), "title": words, "executor": executor}
    full = {key: value for key, value in details.items() if value}
    if words:
        refuse_new_task(workspace, caller.conversation)
    chosen = choose(workspace, "task", full if len(full) > 1 else words, conversation)
    return chosen.replace(warning=_unknown_story(workspace, str(full.get("id") or "")))


def choose_squad(workspace: Workspace, name: str | None, conversation: str | None = None) -> Chosen:
    """Make a squad the active one; None clears it. Raises HoldfastError, also for a squad that is not there."""
    if name and not known_squad(workspace, name):
        names = ", ".join(squad_names(workspace)) or "none yet"
        hint = f"A squad is a folder under squads/. Squads: {names}"
        raise HoldfastError(without_secrets(workspace, no_such_squad(workspace, name)), "", hint)
    return choose(workspace, "squad", without_secrets(workspace, name or "") or None, conversation)


def choose_mode(
    workspace: Workspace, caller: Caller, name: str | None, reason: str = "", conversation: str | None = None
) -> Chosen:
    """Set the pipeline's mode; None clears it.

    Where a workflow is under way that is an override, kept among the transitions with its ``reason``.

    Raises HoldfastError for an unknown mode.
    """
    found = resolve_mode(name or "")
    if found is None or conversation is not None:
        return choose(workspace, "mode", found or without_secrets(workspace, name or "") or None, conversation)
    why = without_secrets(workspace, reason)
    make(workspace, caller, lambda session: set_mode(session, found, caller.now, why))
    return Chosen(changes={"mode": found}, place=NAME)


def _title_of(workspace: Workspace, story_id: str) -> str:
    story = read_story(workspace, story_id)
    if story is None:
        hint = f'Give its title: holdfast work task "..." --id {story_id}'
        raise HoldfastError(f"No story {story_id}", "", hint)
    return story.title or story_id


def _unknown_story(workspace: Workspace, story_id: str) -> str:
    """Return a warning where no story has this id, "" where one has, or none is named."""
    path = story_file(workspace, story_id) if story_id else None
    if not story_id or (path and os.path.lexists(path)):
        return ""
    folder = workspace.path("stories")
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return f"no story {without_secrets(workspace, story_id)}{nearest(story_id, names)}; the task has its title only"


def refuse_new_task(workspace: Workspace, conversation: str) -> None:
    """Raise HoldfastError where so little of the conversation's window is left that a handoff is due (decision 2)."""
    left = remaining_window(read_state(workspace, conversation))
    if left is not None and left < load_settings(workspace)[0]["context"]["handoff_below"]:
        what = f"Only {left:g}% of the context window is left, too little for a new task"
        hint = "Hand over (holdfast handoff write) and continue in a new session."
        raise HoldfastError(what, "", hint)
