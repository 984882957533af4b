"""What of the knowledge was applied: said by whoever works, or seen by the ids in the code of a story that ends
(Shaktra Intelligence System, Principle Application)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.event_log.record import record
from holdfast.ground.git import changed_files
from holdfast.ground.git_objects import content_at, files_between, read_contents, references
from holdfast.ground.storage.files import read_text
from holdfast.ground.values import Value
from holdfast.ground.workspace import FOLDER
from holdfast.learning.model import ACTIVE, CHECK, REINFORCE, Entry, Observation
from holdfast.learning.observations import OF_CONVERSATION
from holdfast.learning.roles import roles_of
from holdfast.learning.store import observations_of, read_stores
from holdfast.operations.learning.briefing import COMMIT, CONTEXT, read_briefing
from holdfast.operations.learning.entries import IDS, find_entry, get_entry
from holdfast.operations.learning.observe import find_source, observe
from holdfast.operations.memory.conversations.privacy import refuse_private
from holdfast.operations.project import Project, clean
from holdfast.work.in_force import find_in_force
from holdfast.work.outputs import lies_inside
from holdfast.work.stories.store import add_record
from holdfast.work.stories.story import Story

APPLIED = "learning.applied"
# How much a check that bears an entry out matters, as the seed has it.
IMPORTANCE = 8
# Changed files that are read at the end of a story.
MOST_FILES = 500
# Endings of what is no code: there PR-12 may be a pull request.
PROSE = (".md", ".rst", ".txt", ".adoc")


class Applied(Value):
    """An entry that was applied.

    ``log``: the line that says so, in the seed's form; in the story's Dev Agent Record where it belongs to one.
    """

    entry: Entry
    observation: Observation
    log: str

    @property
    def story(self) -> str:
        """The story's id, "" for a conversation."""
        source = self.observation.source
        return "" if source.startswith(OF_CONVERSATION) else source


def apply(project: Project, key: str, note: str = "", story: str = "") -> Applied:
    """Note that an entry was applied: an observation that bears it out, an event, and a line in the record of the story
    in progress, or of ``story``. Raises HoldfastError."""
    return _apply(project, get_entry(project, key), " ".join(note.split()), story)


def apply_written(project: Project, story: Story) -> tuple[Applied, ...]:
    """Note the entries whose ids a story wrote into its files, but for those that its record names already. Raises
    HoldfastError."""
    stores = read_stores(project.workspace)[0]
    if not any(stores.values()):
        return ()
    places: dict[str, str] = {}
    for path, ids in _written(project, story):
        places |= {key: path for key in ids if key not in places}
    found = ((find_entry(stores, key), path) for key, path in sorted(places.items()))
    new = {entry.id: (entry, path) for entry, path in found if entry and entry.status == ACTIVE}
    said = set(IDS.findall(" ".join(line for line in story.dev_record.splitlines() if "applying" in line)))
    return tuple(
        _apply(project, entry, f"named in {path}", story.id) for entry, path in new.values() if entry.id not in said
    )


def _apply(project: Project, entry: Entry, note: str, story: str) -> Applied:
    refuse_private(project.caller)
    words = clean(project, note)
    text = f"{entry.id} was applied: {words or ' '.join(entry.text.split())}"
    fields = {"importance": IMPORTANCE, "principle_id": entry.id, "relationship": REINFORCE}
    observation = _observed(project, entry, story) or observe(project, CHECK, text, story, **fields)
    agent = observation.agent or find_in_force(project.session, project.conversation).agent
    role = next(iter(roles_of(agent, project.settings["learning"]["roles"])), agent or observation.origin)
    done = Applied(entry, observation, f"MEMORY: [{role}] applying {entry.id}" + (f" \u2014 {words}" if words else ""))
    if done.story:
        add_record(project.workspace, done.story, "dev_record", done.log, project.actor)
        project.refresh()
    record(project.workspace, project.actor, APPLIED, {"entry": entry.id, "source": observation.source, "note": words})
    return done


def _observed(project: Project, entry: Entry, story: str) -> Observation | None:
    """Return the observation by which the caller bore the entry out here already: one counts."""
    known = observations_of(project.workspace, find_source(project, story))[0]
    by, ours = project.caller.reader.agent, (CHECK, entry.id, REINFORCE)
    same = (one for one in known if (one.type, one.principle_id, one.relationship) == ours and one.agent == by)
    return next(same, None)


def _written(project: Project, story: Story) -> Iterator[tuple[str, set[str]]]:
    """Yield each file that the story changed with the ids that it did not hold at the commit at which that began."""
    root, head = project.workspace.root, (references(project.workspace.root) or {}).get("HEAD", "")
    begun = str((read_briefing(project.workspace, story.id).get(CONTEXT) or {}).get(COMMIT) or head)
    listed = {path for path, _ in story.files}
    paths = listed | set(changed_files(root) or ())
    if begun != head:
        paths |= files_between(root, begun, head)
    code = (path for path in paths if lies_inside(root, path) and not path.lower().endswith(PROSE))
    ordered = sorted(code, key=lambda path: (path not in listed, path))
    own = [path for path in ordered if not path.startswith(f"{FOLDER}/")][:MOST_FILES]
    contents = content_at(root, begun, own) if begun else {}
    before = read_contents(root, contents.values())
    for path in own:
        text = read_text(os.path.join(root, path), STATE_BYTES) or ""
        if "\0" in text:  # no code
            continue
        old = before.get(contents.get(path, ""), b"").decode("utf-8", "replace")
        yield path, set(IDS.findall(text)) - set(IDS.findall(old))
