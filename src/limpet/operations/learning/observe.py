"""Writes an observation where it belongs: to the story that is in progress, else to the caller's conversation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.git import entries_at, read_contents, references
from limpet.ground.recording import record
from limpet.ground.safety.instructions import flags_of
from limpet.learning.model import AGENT, ALIVE, CHECK, PERSON, REINFORCE, SPOKEN_OF_OBSERVATION, Observation
from limpet.learning.observations import OF_CONVERSATION, source_of
from limpet.learning.roles import roles_of
from limpet.learning.store import observations_of, read_stores, write_observation
from limpet.memory.capture.heard import paths_in
from limpet.operations.commit import refresh
from limpet.operations.learning.briefing import COMMIT, IDS, STOOD, named_in_code, story_context
from limpet.operations.learning.consolidate import OBSERVED, find_entry
from limpet.operations.memory.conversations.conversation import refuse_paused, refuse_private
from limpet.operations.project import Project, clean, handed
from limpet.work.conversation import KEPT_OUT, has_mark
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.state import current_step, story_of
from limpet.work.stories.queue import read_queue
from limpet.work.stories.store import add_record, resolve_story
from limpet.work.stories.story import Story

# The state of the step under way -> what the seed calls the phase of an observation in it.
PHASES = {"discover": "plan", "plan": "plan", "build": "code", "validate": "plan-review"}
APPLIED = "learning.applied"
# How much a check that bears an entry out matters, as the seed has it.
IMPORTANCE = 8


def observe(project: Project, type: str, text: str, story: str = "", **stated: Any) -> Observation:
    """``stated``: further fields of ``Observation``. Raises LimpetError, for an agent in a private conversation too."""
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
    cleaned = observed_without_secrets(project, observation.replace(**stated))
    made = write_observation(project.workspace, cleaned, cap_of(project))
    record(project.workspace, project.actor, OBSERVED, {"source": made.source, "observation": made.id})
    return made


def observed(project: Project, story: str = "") -> tuple[str, tuple[Observation, ...]]:
    """Return the source that an observation would go to now, and what is there."""
    refuse_paused(project.caller)
    source = find_source(project, story)
    found = observations_of(project.workspace, source)[0]
    return source, tuple(handed(project, one, *SPOKEN_OF_OBSERVATION) for one in found)


def find_source(project: Project, story: str = "") -> str:
    """The story in progress, else the caller's conversation. Raises LimpetError for one that is private or was."""
    if story:
        return resolve_story(project.workspace, story)
    own, begun = story_under_way(project)
    if own:
        return own
    session = project.caller.conversation
    if has_mark(session):
        raise LimpetError(KEPT_OUT)
    if not session:
        what = f"Several stories are in progress: {', '.join(begun)}" if begun else "No story is in progress"
        raise LimpetError(what, "", "Name a story with --story, or observe from a coding agent's conversation.")
    return source_of(conversation=session)


def story_under_way(project: Project) -> tuple[str, list[str]]:
    """The story in progress that is the caller's, or the only one, "" for none; and all that are."""
    begun = [one.id for one in read_queue(project.workspace).under_way]
    own = story_of(find_in_force(project.session, project.conversation).task)
    if own not in begun:
        own = begun[0] if len(begun) == 1 else ""
    return own, begun


def observed_without_secrets(project: Project, observation: Observation) -> Observation:
    def cleaned(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(clean(project, text) for text in texts)

    return observation.replace(
        text=clean(project, observation.text),
        tags=cleaned(observation.tags),
        guidance=cleaned(observation.guidance),
        paths=cleaned(observation.paths),
    )


def cap_of(project: Project) -> int:
    return int(project.settings["learning"]["max_observations_per_story"])


def apply(project: Project, key: str, note: str = "", story: str = "") -> tuple[Observation, str]:
    """Note that an entry was applied; return the observation and the line in the story's record."""
    words = clean(project, " ".join(note.split()))
    text = f"{key.upper()} was applied" + (f": {words}" if words else "")
    stated = {"importance": IMPORTANCE, "principle_id": key, "relationship": REINFORCE}
    done = observe(project, CHECK, text, story, **stated)
    agent = done.agent or find_in_force(project.session, project.conversation).agent
    role = next(iter(roles_of(agent, project.settings["learning"]["roles"])), agent or done.origin)
    line = f"MEMORY: [{role}] applying {done.principle_id}" + (f" \u2014 {words}" if words else "")
    told = {"entry": done.principle_id, "source": done.source, "note": words}
    record(project.workspace, project.actor, APPLIED, told)
    if not done.source.startswith(OF_CONVERSATION):
        add_record(project.workspace, done.source, "dev_record", line, project.actor)
        refresh(project)
    return done, line


def apply_written(project: Project, story: Story) -> None:
    """Note the entries whose ids a story wrote into its code, but for those that its record names already."""
    known: dict[str, str] = {}
    for entries in read_stores(project.workspace)[0].values():
        for entry in entries:
            if entry.status in ALIVE:
                known |= dict.fromkeys((entry.id, *entry.aliases), entry.id)
    said: set[str] = set()
    for line in story.dev_record.splitlines():
        if "applying" in line:
            said.update(IDS.findall(line))
    for path, ids in _written(project, story) if known else ():
        for key in sorted({known[name] for name in ids if name in known} - said):
            apply(project, key, f"named in {path}", story.id)
            said.add(key)


def _written(project: Project, story: Story) -> Iterator[tuple[str, set[str]]]:
    """Yield each path of the story's code with the ids in it that did not stand there before the story."""
    root, head = project.workspace.root, (references(project.workspace.root) or {}).get("HEAD", "")
    context = story_context(project.workspace, story.id)
    begun, stood = str(context.get(COMMIT) or head), context.get(STOOD)
    found = named_in_code(root, story, begun, head)
    contents = {path: entry[0] for path, entry in (entries_at(root, begun, found) or {}).items()} if begun else {}
    before = read_contents(root, contents.values())
    for path, ids in found.items():
        old = IDS.findall(before.get(contents.get(path, ""), b"").decode("utf-8", "replace"))
        yield path, ids.difference(old, stood.get(path) or () if isinstance(stood, dict) else ())
