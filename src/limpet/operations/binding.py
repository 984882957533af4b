"""What binds an agent is not its to take off: another role, none, another mode, the end of the work take the person's
word inside a coding agent, but for a step of the pipeline that hands over. Apart from the commands that ask it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.guard.call import memory_owners_of, read_table
from limpet.operations.approval import Obtain, refuse_word
from limpet.operations.conversations import full_name
from limpet.operations.project import Project
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.gate import CHECKED
from limpet.work.session import read_state

# Modes of a step in which stories are not planned, "" for no step; and the commands that add them.
_UNPLANNED = ("", *CHECKED)
_ADDING = (("work", "story", "add"), ("work", "story", "import"))


def release(project: Project, obtain: Obtain | None, says: str, conversation: str = "", to: str = "") -> None:
    """Obtain a person's word on ``says`` where an agent is in force that may not choose another one: in what may be the
    caller's conversation, and in the one that is changed ("" for the project). ``to``: the agent that takes over.
    Raise LimpetError without it; ``obtain``: None where nobody can be asked."""
    named = full_name(project.workspace, conversation) if conversation else ""
    _obtain_for(project, obtain, says, (to, *read_table()["choosers"]), named)


def permit_story(project: Project, obtain: Obtain | None, says: str) -> None:
    """Stories are the planners': of another agent, outside a step that plans, it takes the person's word. Raise
    LimpetError without it; ``obtain``: None where nobody can be asked."""
    step = project.step_under_way
    if (step.mode if step else "") in _UNPLANNED:
        _obtain_for(project, obtain, says, _story_writers(project.settings["guard"]))


def adding_takes_word(words: tuple[str, ...], agent: str, mode: str, settings: Mapping[str, Any]) -> bool:
    """Whether a command of ours, by the words after ``limpet``, adds stories on the person's word alone while the agent
    is in force, in a step of the mode; "" for none."""
    is_bound = bool(agent) and mode in _UNPLANNED and agent not in _story_writers(settings)
    return is_bound and words[:3] in _ADDING


def _story_writers(settings: Mapping[str, Any]) -> tuple[str, ...]:
    return memory_owners_of("story", read_table(), settings)


def _obtain_for(
    project: Project, obtain: Obtain | None, says: str, free: tuple[str, ...], conversation: str = ""
) -> None:
    around = project.caller.surroundings
    if not around.host:
        return
    states = (read_state(project.workspace, each) for each in {*around.conversations, conversation})
    agents = {find_in_force(project.session, state).agent for state in states}
    bound = agents.difference(("", *free))
    if bound:
        (obtain or refuse_word)(f"{says}, where {' and '.join(sorted(bound))} is in force")
