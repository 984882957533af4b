"""What of the knowledge was applied: said by whoever works, or seen by the ids in the code of a story that ends
(Shaktra Intelligence System, Principle Application)."""

from __future__ import annotations

import os
from collections.abc import Iterator

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.event_log.record import record
from limpet.ground.git import changed_files
from limpet.ground.git_objects import content_at, files_between, read_contents, references
from limpet.ground.storage.files import read_text
from limpet.ground.workspace import FOLDER
from limpet.learning.model import ACTIVE, CHECK, REINFORCE, Observation
from limpet.learning.observations import OF_CONVERSATION
from limpet.learning.roles import roles_of
from limpet.learning.store import read_stores
from limpet.operations.learning.briefing import COMMIT, CONTEXT, read_briefing
from limpet.operations.learning.entries import IDS
from limpet.operations.learning.observe import observe
from limpet.operations.project import Project, clean
from limpet.work.in_force import find_in_force
from limpet.work.outputs import lies_inside
from limpet.work.stories.store import add_record
from limpet.work.stories.story import Story

APPLIED = "learning.applied"
# How much a check that bears an entry out matters, as the seed has it.
IMPORTANCE = 8
# Changed files that are read at the end of a story, and endings of what is no code: there PR-12 may be a pull request.
MOST_FILES, PROSE = 500, (".md", ".rst", ".txt", ".adoc")


def apply(project: Project, key: str, note: str = "", story: str = "") -> tuple[Observation, str]:
    """Note that an entry was applied: an observation that bears it out, an event, and a line in the record of the story
    in progress, or of ``story``. Return the observation and the line, in the seed's form. Raises LimpetError."""
    words = clean(project, " ".join(note.split()))
    text = f"{key.upper()} was applied" + (f": {words}" if words else "")
    stated = {"importance": IMPORTANCE, "principle_id": key, "relationship": REINFORCE}
    done = observe(project, CHECK, text, story, **stated)
    agent = done.agent or find_in_force(project.session, project.conversation).agent
    role = next(iter(roles_of(agent, project.settings["learning"]["roles"])), agent or done.origin)
    line = f"MEMORY: [{role}] applying {done.principle_id}" + (f" \u2014 {words}" if words else "")
    record(
        project.workspace, project.actor, APPLIED, {"entry": done.principle_id, "source": done.source, "note": words}
    )
    if not done.source.startswith(OF_CONVERSATION):
        add_record(project.workspace, done.source, "dev_record", line, project.actor)
        project.refresh()
    return done, line


def apply_written(project: Project, story: Story) -> None:
    """Note the entries whose ids a story wrote into its code, but for those that its record names already. Raises
    LimpetError."""
    every = [entry for entries in read_stores(project.workspace)[0].values() for entry in entries]
    known = {name: entry.id for entry in every if entry.status == ACTIVE for name in (entry.id, *entry.aliases)}
    said = {found for line in story.dev_record.splitlines() if "applying" in line for found in IDS.findall(line)}
    for path, ids in _written(project, story) if known else ():
        for key in sorted({known[name] for name in ids if name in known} - said):
            apply(project, key, f"named in {path}", story.id)
            said.add(key)


def _written(project: Project, story: Story) -> Iterator[tuple[str, set[str]]]:
    """Yield each file that the story changed with the ids that it did not hold at the commit at which that began."""
    root, head = project.workspace.root, (references(project.workspace.root) or {}).get("HEAD", "")
    begun = str((read_briefing(project.workspace, story.id).get(CONTEXT) or {}).get(COMMIT) or head)
    listed = {path for path, _ in story.files}
    paths = listed | set(changed_files(root) or ()) | (files_between(root, begun, head) if begun != head else set())
    code = (path for path in paths if not path.startswith(f"{FOLDER}/") and not path.lower().endswith(PROSE))
    own = sorted((path for path in code if lies_inside(root, path)), key=lambda path: (path not in listed, path))
    contents = content_at(root, begun, own[:MOST_FILES]) if begun else {}
    before = read_contents(root, contents.values())
    for path in own[:MOST_FILES]:
        text = read_text(os.path.join(root, path), STATE_BYTES) or ""
        old = before.get(contents.get(path, ""), b"").decode("utf-8", "replace")
        if "\0" not in text:
            yield path, set(IDS.findall(text)) - set(IDS.findall(old))
