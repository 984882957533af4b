"""The compiler of the mirror: settings, session, work and agents into the JSON that the prompt hook reads. Whatever
operation writes one of those makes it anew, and no door does."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from limpet import __version__
from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.config.mirror import mirror_path, read_last_mirror, source_files
from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.formats.markdown import one_line
from limpet.ground.processes import Deadline
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact, redact_all
from limpet.ground.storage.files import read_text, stamp, write_atomic
from limpet.ground.storage.text_file import reliable_stamps
from limpet.ground.text.escaping import clip
from limpet.ground.text.messages import say
from limpet.ground.text.words import LANGUAGES
from limpet.ground.trust.consent import find_consent
from limpet.ground.trust.in_place import specs_home
from limpet.ground.workspace import Workspace, bound_to, workspace_at
from limpet.operations.learning.briefing import taught_of_story
from limpet.operations.project_state import ProjectState
from limpet.operations.work.situation import (
    Situation,
    attempt,
    backlog_line,
    find_handoff_of,
    find_handoff_to,
    find_unknown,
    next_of_story,
    read_situation,
    report_unknown_agent,
    taker_of,
)
from limpet.roles.agent import AGENTS_FOLDER, KEY, Agent, Mistake, agent_sources
from limpet.roles.agents import in_language, is_own_agent, load_each
from limpet.roles.compiled import compiled_path, read_compiled
from limpet.rules.plan.store import drop_plan
from limpet.work.documents.survey import LOG, NEXT, cold_start
from limpet.work.handoff import COMPLETE, as_proven, block_lines, handoff_score_text, without_orders
from limpet.work.handoff_store import handoff_agents, handoff_file
from limpet.work.lock import lock_line, update_blocks
from limpet.work.pipeline.briefing import Next
from limpet.work.pipeline.gate import VALIDATE
from limpet.work.pipeline.state import PENDING, REVALIDATE, folder_of, status_of, story_of
from limpet.work.pipeline.workflow import WORKFLOWS, Criterion, own_workflow_file, workflow_names
from limpet.work.project import language_of
from limpet.work.stories.store import refuse_waiting, story_file
from limpet.work.stories.story import Story, progress

# Seconds after which the compiler is given up, where its hook no longer waits for it.
DEADLINE = 60.0
FREE_TEXT = ("task", "deviations", "mode_transitions")
"""What in the session is somebody's words; the rest are names, some of which stand in ``.env`` files too."""
MOST_LINES, LONGEST = 30, 400
"""Lines of a list, and characters of one: a block has no room for more."""


def write_mirror(project: ProjectState) -> None:
    """Make the mirror anew, after every write to a YAML file, and let blocks in instruction files follow the session.
    Where the mirror cannot be written, the hook makes its own."""
    workspace = project.workspace
    mirror = compose(project, compile_agents(workspace))
    _write(workspace, mirror)
    with suppress(LimpetError):  # the caller that takes or lifts the lock reports it
        update_blocks(workspace.root, mirror["session"], wanted=False)


def refresh_mirror(workspace: Workspace) -> None:
    """Do the same after a write that opened no project."""
    write_mirror(ProjectState(workspace))


def main(home: str, state: str) -> None:
    """Make the mirror of the ``.limpet`` folder ``home`` and a worktree's ``state``, and print it for a hook where
    nothing can be written."""
    workspace = bound_to(workspace_at(os.path.dirname(os.path.abspath(home))), state)
    with Deadline(DEADLINE, lambda: None):
        agents = compile_agents(workspace)
        mirror = compose(ProjectState(workspace), agents)
    _write(workspace, mirror)
    sys.stdout.write(dumps({**mirror, "agents": agents["agents"]}))


def compose(project: ProjectState, agents: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mirror as data, of a project of which nothing was read yet; ``agents`` are the compiled ones, which
    stand in a file of their own. Stamps are taken before the files are read, so that an edit in between makes it
    stale."""
    sources = reliable_stamps(source_files(project.workspace))
    problems = [*project.mistakes]
    try:
        problems += project.problems
    except LimpetError as error:
        last = read_object(read_text(mirror_path(project.workspace), CACHE_BYTES)).get("session")
        project.session = last if isinstance(last, dict) else {}
        problems.append(f"{error} (using the previous state of the session)")
    session = project.session
    sources |= reliable_stamps(work_sources(project))
    work, wrong = view_work(project)
    written = {key: session[key] for key in FREE_TEXT if key in session}
    data = {
        "settings": _with_reads(project),
        "session": session | redact_all(written, project.secrets),
        "work": work,
        "problems": problems + wrong,
    }
    head = {"product": __version__, "python": platform.python_version(), "sources": sources | agents["sources"]}
    return head | {key: _plain(value) for key, value in data.items()}


def compile_agents(workspace: Workspace) -> dict[str, Any]:
    """Made anew where a file has changed."""
    known = read_compiled(workspace)
    folder = workspace.path(AGENTS_FOLDER)
    files = agent_sources(folder)
    now = {path: stamp(path) for path in files}
    if known and known.get("sources") == {path: mark and [*mark] for path, mark in now.items()}:
        return known
    sources = reliable_stamps(files)
    secrets, entries = read_secrets(workspace.root), {}
    for agent, mistakes in load_each(folder):
        entry = _entry(agent, mistakes)
        entries[agent.id] = redact_all(entry, secrets) if is_own_agent(agent) or mistakes else entry
    made = {"product": __version__, "sources": sources, "agents": entries}
    with suppress(OSError):
        write_atomic(compiled_path(workspace), dumps(made), follow=False)
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return redact(str(value))


def _write(workspace: Workspace, mirror: Mapping[str, Any]) -> None:
    last = read_last_mirror(workspace)
    with suppress(OSError):
        write_atomic(mirror_path(workspace), dumps(mirror), follow=False)
    if last and last.settings["rules"]["in_place"] != mirror["settings"]["rules"]["in_place"]:
        drop_plan(workspace)


def _entry(agent: Agent, mistakes: list[Mistake]) -> dict[str, Any]:
    personas = {language: in_language(agent, language).persona for language in LANGUAGES}
    return {
        **({"mistake": mistakes[0].note[:LONGEST]} if mistakes else {}),
        "title": agent.title,
        "aliases": list(agent.aliases),
        "mission": agent.mission,
        "model": agent.model,
        "inputs": agent.inputs[:LONGEST],
        "outputs": agent.outputs[:LONGEST],
        "criteria": agent.criteria[:LONGEST],
        "steps": _lines(agent.steps),
        "checklist": _lines(agent.checklist),
        "commands": _lines([command.name for command in agent.commands if command.visibility == KEY]),
        "authority": _lines(agent.authority),
        "rules": _lines(agent.rules),
        "greetings": {language: one.minimal if one else "" for language, one in personas.items()},
    }


def _lines(texts: Collection[str]) -> list[str]:
    return [text[:LONGEST] for text in list(texts)[:MOST_LINES]]


def view_work(project: ProjectState) -> tuple[dict[str, Any], list[str]]:
    """Return the view, and a line for each file that cannot be read.

    ``unknown_agent``: the active agent where nothing knows it, else "".
    ``validates``: whether the active agent finds out if what was built is right, and builds nothing.
    ``pipeline``, ``domains``: of the current step; ``criteria``: by its agent; ``all_domains``: of all steps.
    ``handoff_pending``: whether the active agent handed over to another one that has not begun yet.
    ``workflows``: the names of all, where none is under way.
    ``next``: ``words``, ``command`` and ``interrupts``, as ``Next`` has them; None for nothing.
    """
    here = read_situation(project)
    session, step, secrets = here.session, here.step, project.secrets
    problems = [*find_unknown(project), *here.problems]
    all_domains: dict[str, None] = {}
    for each in here.workflow.steps if here.workflow else ():
        all_domains.update(dict.fromkeys(each.domains))
    return {
        "unknown_agent": report_unknown_agent(project),
        "validates": bool(step and step.state == VALIDATE and here.found.agent == step.agent),
        "pipeline": here.pipeline if session.get("agents") else "",
        "domains": list(step.domains) if step else [],
        "criteria": {step.agent: _numbered(step.criteria)} if step and step.criteria else {},
        "all_domains": list(all_domains),
        "task": _view_task(project, here),
        "handoff": redact_all(view_handoff(project, here, here.found.agent, problems), secrets),
        "handoff_pending": _is_pending(project, here, problems),
        "next": _plain_of_view(here.following, secrets),
        "workflows": [] if here.workflow else workflow_names(project.workspace),
        "spec": redact_all(_specs(project, here), secrets),
        "lock": lock_line(session),
        # What the hook itself asks: in the language of the prompt where the project sets none.
        "ask": {each: say("exit.ask", language_of(session, each)) for each in LANGUAGES},
    }, problems


def _specs(project: ProjectState, here: Situation) -> tuple[str, ...]:
    """In a project with a run of a workflow without the log and what that run made, which the gates judge."""
    lines = cold_start(project.workspace)
    if not here.session.get("agreement"):
        return lines
    own = f"/{folder_of(here.session)}/"
    others = [line for line in lines[1:] if own not in line and not line.startswith(LOG)]
    keys = {line.split()[1] for line in others if line.startswith("- ")}
    rest = [line for line in others if not line.startswith(NEXT) or keys & {*line.split()}]
    return (*lines[:1], *rest) if rest else ()


def _numbered(criteria: Sequence[Criterion]) -> str:
    return "; ".join(f"{number}. {one.text}" for number, one in enumerate(criteria, 1))


def view_own_task(project: ProjectState, name: str) -> tuple[dict[str, Any], list[str]]:
    """Return a conversation's own task, which the project's session does not name, and the problems of its story. The
    task has its story's ``file`` and ``stamp``, by which a later change is noticed."""
    path = story_file(project.workspace, name)
    mark = stamp(path) if path else None
    here = read_situation(project, {"task": {"id": name, "title": name} if mark else name})
    task = _view_task(project, here) or {}
    source = {"file": path, "stamp": list(mark)} if mark else {}
    waits: list[str] = []
    if here.story:
        attempt(partial(refuse_waiting, here.story), waits)
    return {**task, **source}, [here.unreadable] if here.unreadable else waits


def view_handoff(project: ProjectState, here: Situation, agent: str, problems: list[str]) -> dict[str, Any] | None:
    """Why the work of the agent's step came back, where it did, else the newest handoff to it. ``problems`` gets a line
    for each that cannot be read."""
    back = here.came_back if here.step and here.step.agent == agent else None
    if back:
        report = (f"Output: {back.report}",) if back.report else ()
        lines = (f"Sent back: {clip(one_line(back.why), LONGEST)}", *report)
        lines = without_orders(lines, "limpet work status --step")
        return {"from": back.source, "to": agent, "score": "", "lines": list(lines), "at": ""}
    newest = find_handoff_to(project, agent, problems)
    if newest is None:
        return None
    score = handoff_score_text(as_proven(project.session, newest, here.facts))
    lines = without_orders(block_lines(newest), f"limpet work handoff {newest.from_agent}")
    return {"from": newest.from_agent, "to": agent, "score": score, "lines": list(lines), "at": newest.timestamp}


def work_sources(project: ProjectState) -> tuple[str, ...]:
    workspace, workflow = project.workspace, project.in_force.workflow
    found = [
        story_file(workspace, story_of(project.session.get("task"))),
        workspace.path(WORKFLOWS),
        own_workflow_file(workspace, workflow) if workflow else None,
        workspace.path("stories"),
        workspace.path("handoffs"),
        os.path.join(workspace.root, "squads") if project.session.get("squad") else None,
        *(handoff_file(workspace, agent) for agent in handoff_agents(workspace)),
        os.path.join(specs_home(workspace), "manifest.yaml"),
        os.path.join(specs_home(workspace), "artifacts"),
    ]
    return tuple(path for path in found if path)


def _is_pending(project: ProjectState, here: Situation, problems: list[str]) -> bool:
    handoff = find_handoff_of(project, here.found.agent, problems)
    if handoff is None or handoff.status != COMPLETE or here.came_back:
        return False
    after = taker_of(here.found, handoff)
    return bool(after) and after != here.found.agent and status_of(here.session, after) in (PENDING, REVALIDATE)


def _view_task(project: ProjectState, here: Situation) -> dict[str, Any] | None:
    """With ``problem`` where the story cannot be read: then it is no task to work on. The task's own executor comes
    before the story's (decision 7)."""
    if not here.task:
        return None
    if here.unreadable:
        broken: dict[str, Any] = redact_all({**here.task, "problem": here.unreadable}, project.secrets)
        return broken
    own = {"executor": here.task["executor"]} if here.task.get("executor") else {}
    story = _of_story(project, here.story) if here.story else {}
    return {**redact_all({**here.task, **story}, project.secrets), **own}


def _of_story(project: ProjectState, story: Story) -> dict[str, Any]:
    following = next_of_story(story)
    return {
        "id": story.id,
        "title": story.title,
        "executor": story.executor,
        "agent": story.agent,
        "progress": progress(story),
        "next": _plain_of_view(following) if following else None,
        "pre_conditions": [list(pair) for pair in story.pre_conditions],
        "acceptance": [list(pair) for pair in story.acceptance],
        "files": [list(pair) for pair in story.files],
        "knowledge": [[one.id, one.line, list(one.roles)] for one in taught_of_story(project, story.id)],
        "backlog": backlog_line(project.workspace, story.id),
    }


def _plain_of_view(following: Next, secrets: Collection[str] = ()) -> dict[str, Any] | None:
    if not following.command:
        return None
    words = redact(following.words, known=secrets)
    return {"words": words, "command": following.command, "interrupts": following.interrupts}


def _with_reads(project: ProjectState) -> dict[str, Any]:
    """The settings with, for each project that this one reads, its private folder and its name: those alone that the
    user trusts."""
    memory = project.settings["memory"]
    found = []
    for path in memory["reads"]:
        place = workspace_at(os.path.normpath(os.path.join(project.workspace.root, path)))
        if find_consent(place):
            found.append([place.shared, safe_name(os.path.basename(place.root))])
    return {**project.settings, "memory": {**memory, "reads": found}}
