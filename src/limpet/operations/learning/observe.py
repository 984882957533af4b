"""Writes an observation where it belongs: to the story that is in progress, else to the caller's conversation."""

from __future__ import annotations

from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.safety.instructions.find import flags_of
from limpet.learning.model import AGENT, CHECK, PERSON, Observation
from limpet.learning.observations import source_of
from limpet.learning.store import observations_of
from limpet.learning.store import observe as append
from limpet.memory.capture.paths import paths_in
from limpet.operations.learning.consolidate import find_entry
from limpet.operations.memory.conversations.privacy import refuse_paused, refuse_private
from limpet.operations.project import Project, clean
from limpet.operations.work.following import story_of
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.view import current_step
from limpet.work.private import KEPT_OUT, has_mark
from limpet.work.stories.queue import read_queue
from limpet.work.stories.store import resolve_story

# The state of the step under way -> what the seed calls the phase of an observation in it.
PHASES = {"discover": "plan", "plan": "plan", "build": "code", "validate": "plan-review"}


def observe(project: Project, type: str, text: str, story: str = "", **stated: Any) -> Observation:
    """Write an observation of the caller's, without secrets, and return it.

    ``story``: the id of another story than the one in progress. ``stated``: further fields of ``Observation``. Raises
    LimpetError, for an agent in a private conversation too.
    """
    caller = project.caller
    refuse_paused(caller)
    refuse_private(caller)
    if flags_of("\n".join((text, *stated.get("guidance", ())))):
        raise LimpetError("This reads like an instruction to a model", "", "Say what was seen, and what it shows.")
    if type == CHECK or stated.get("principle_id"):
        stated["principle_id"] = find_entry(project, stated.get("principle_id", "")).id
    step = current_step(project.session, project.workflow) if project.workflow else None
    observation = Observation(
        source=find_source(project, story),
        id="",
        agent=caller.reader.agent,
        phase=PHASES.get(step.state, "") if step else "",
        type=type,
        text=" ".join(text.split()),
        at=iso(caller.now),
        origin=PERSON if caller.reader.person else AGENT,
        paths=paths_in(text),
    )
    return append(project.workspace, without_secrets(project, observation.replace(**stated)), cap_of(project))


def observed(project: Project, story: str = "") -> tuple[str, tuple[Observation, ...]]:
    """Return the source that an observation would go to now, and those that are there. Raises LimpetError."""
    refuse_paused(project.caller)
    source = find_source(project, story)
    return source, observations_of(project.workspace, source)[0]


def find_source(project: Project, story: str = "") -> str:
    """Return the story in progress, else the caller's conversation. Raises LimpetError where there is neither, and
    for a conversation that is private or was."""
    if story:
        return resolve_story(project.workspace, story)
    begun = [one.id for one in read_queue(project.workspace).under_way]
    own = story_of(find_in_force(project.session, project.conversation).task)
    if own in begun or len(begun) == 1:
        return own if own in begun else begun[0]
    session = project.caller.conversation
    if has_mark(session):
        raise LimpetError(KEPT_OUT)
    if not session:
        what = f"Several stories are in progress: {', '.join(begun)}" if begun else "No story is in progress"
        raise LimpetError(what, "", "Name a story with --story, or observe from a coding agent's conversation.")
    return source_of(conversation=session)


def without_secrets(project: Project, observation: Observation) -> Observation:
    """Return the observation as it may be written."""
    lists = {
        name: tuple(clean(project, one) for one in getattr(observation, name)) for name in ("tags", "guidance", "paths")
    }
    return observation.replace(text=clean(project, observation.text), **lists)


def cap_of(project: Project) -> int:
    """Return how many observations a story or a conversation may have."""
    return int(project.settings["learning"]["max_observations_per_story"])
