"""The pages of where the work stands, of what the framework consists of and whether it is whole, and of the guard."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import event_data, read_events
from limpet.hosts.injectors import find_injectors
from limpet.operations.guard import all_rules, read_guard_decisions
from limpet.operations.project import Project
from limpet.operations.registry import check_health
from limpet.operations.trust_record import trust_state
from limpet.operations.work.documents import show_status
from limpet.operations.work.status import show_work
from limpet.operations.work.stories import find_story, listed_stories
from limpet.registry.files import read_inventory
from limpet.registry.map import category_of
from limpet.work.stories.evidence import claimed_line, remarks
from limpet.work.stories.story import Story, progress

SHOWN = 100
REFUSED = "page.refused"


def view_pipeline(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    told = show_work(project)
    found = listed_stories(project, None, SHOWN)
    stories = [_story(id, story) for id, story in found.stories]
    documents, problem = None, ""
    try:
        documents = show_status(project).survey
    except LimpetError as error:
        problem = str(error)
    return "work.html", {
        "work": told,
        "stories": stories,
        "total": found.total,
        "documents": documents,
        "wrong": problem,
    }


def view_story(project: Project, asked: Mapping[str, str], key: str) -> tuple[str, dict[str, Any]]:
    story = find_story(project, key)
    said = {"progress": progress(story), "claimed": claimed_line(story), "remarks": remarks(story)}
    return "story.html", {"story": story, **said}


def view_health(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    inventory = read_inventory(project.workspace)
    kinds: dict[str, list[object]] = {}
    for one in inventory.artifacts:
        kinds.setdefault(category_of(one.type).capitalize(), []).append(one)
    return "health.html", {
        "kinds": kinds,
        "health": check_health(project.workspace),
        "trust": trust_state(project.workspace),
        "others": [*find_injectors(project.workspace)],
        "total": len(inventory.artifacts),
    }


def view_guard(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    only = asked.get("show", "refused")
    workspace = project.workspace
    refused = []
    with suppress(OSError):
        for event in read_events(workspace.shared, REFUSED):
            refused.append({"at": event.get("time"), **event_data(event)})
    return "guard.html", {
        "decisions": read_guard_decisions(workspace, SHOWN, only == "refused")[::-1],
        "only": only,
        "rules": all_rules(workspace),
        "refused": refused[::-1][:SHOWN],
    }


def _story(id: str, found: Story | LimpetError) -> dict[str, Any]:
    if isinstance(found, LimpetError):
        return {"id": id, "wrong": str(found)}
    done = sum(met for met, _ in found.acceptance)
    return {"id": id, "wrong": "", "story": found, "done": done, "all": len(found.acceptance)}
