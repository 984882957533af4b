"""The resources and prompts: for each what it is and what makes its text, which stands below this room."""

from __future__ import annotations

import json
from collections.abc import Callable

from limpet.ground.values import Value
from limpet.operations.project import Project

MOST_TITLES = 200  # of the index of memories


class Source(Value):
    """What makes a text of a project, what a person is told of it, its kind, and a prompt's arguments."""

    says: str
    text: Callable[..., str]
    kind: str = "text/plain"
    takes: tuple[str, ...] = ()


def _block(project: Project) -> str:
    from limpet.engine.explain.called import block_for

    return block_for(project)


def _memories(project: Project) -> str:
    from limpet.memory.model.card import Query
    from limpet.operations.memory.find import list_memories
    from limpet.operations.memory.view import describe_shortly

    found, more = list_memories(project, Query(limit=MOST_TITLES))
    titles = (describe_shortly(card) for card in found.cards)
    lines = (f"{one['id']} {one['title']} ({', '.join((one['type'], *one['marks']))})" for one in titles)
    return "\n".join([*lines, *(["There are older ones: search for them."] if more else [])])


def _knowledge(project: Project) -> str:
    from limpet.learning.model import ACTIVE
    from limpet.learning.store import read_stores
    from limpet.operations.framework import GUIDES, list_items
    from limpet.operations.work.documents import show_status

    guides = (f"{one.path}: {one.title} (limpet guide {one.name})" for one in list_items(project.workspace, GUIDES))
    stores = read_stores(project.workspace)[0].values()
    learned = (f"{one.id} {one.text} ({one.confidence})" for kind in stores for one in kind if one.status == ACTIVE)
    return "\n".join([*show_status(project).lines, *guides, *learned])


def _pipeline(project: Project) -> str:
    from limpet.operations.work.status import show_work

    return json.dumps(show_work(project), ensure_ascii=False)


def _start(project: Project, task: str = "") -> str:
    from limpet.operations.work.briefing import brief_now

    return "\n\n".join(filter(None, (_block(project), brief_now(project), task)))


def _resume(project: Project) -> str:
    from limpet.operations.work.briefing import brief_now
    from limpet.operations.work.lock import show

    return "\n".join(filter(None, ("Go on with this project's work.", *show(project).lines, brief_now(project))))


def _handoff(project: Project) -> str:
    from limpet.operations.work.finish import show_form

    return f"Fill in this form with what is true, and give it to the tool finish:\n\n{show_form(project)}"


RESOURCES = {
    "limpet://block": Source("What a prompt gets now: rules and the state of the work", _block),
    "limpet://memories": Source("The titles of the memories, newest first, with their ids", _memories),
    "limpet://knowledge": Source("Documents, what work taught, and the texts that agents work by", _knowledge),
    "limpet://pipeline": Source("The state of the work: workflow, steps, gates, task", _pipeline, "application/json"),
}
PROMPTS = {
    "start": Source("Begin with the project's rules and the state of its work", _start, takes=("task",)),
    "resume": Source("Go on with the work where it stands", _resume),
    "handoff": Source("End the current step and hand over to the next one", _handoff),
}
