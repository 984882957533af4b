"""The compiler of the mirror: settings, session and agents into the JSON that the prompt hook reads. Every operation
that writes one of those makes it anew, and no door does."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from limpet import __version__
from limpet.ground.config.defaults import CACHE_BYTES
from limpet.ground.config.mirror import mirror_path, source_files
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.processes import Deadline
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact, redact_all
from limpet.ground.storage.files import read_text, stamp, write_atomic
from limpet.ground.storage.text_file import reliable_stamps
from limpet.ground.text.words import LANGUAGES
from limpet.ground.workspace import Workspace, workspace_at
from limpet.operations.project_state import ProjectState
from limpet.operations.work.view import view_work, work_sources
from limpet.roles.agent import AGENTS_FOLDER, KEY, Agent, Mistake, agent_sources
from limpet.roles.agents import in_language, is_own_agent, load_each
from limpet.roles.compiled import compiled_path, read_compiled
from limpet.work.lock.lock import update_blocks

# Seconds after which the compiler is given up, where its hook no longer waits for it.
DEADLINE = 60.0
FREE_TEXT = ("task", "deviations", "mode_transitions")
"""What in the session is somebody's words; the rest are names, some of which stand in ``.env`` files too."""
MOST_LINES, LONGEST = 30, 400
"""Lines of a list, and characters of one: a block has no room for more."""


def write_mirror(project: ProjectState) -> None:
    """Make the mirror anew, after every write to a YAML file, and let blocks in instruction files follow the session.

    Where the mirror cannot be written, the hook makes its own.
    """
    workspace = project.workspace
    mirror = compose(project, compile_agents(workspace))
    _write(workspace, dumps(mirror))
    with suppress(LimpetError):  # the caller that takes or lifts the lock reports it
        update_blocks(workspace.root, mirror["session"], wanted=False)


def refresh_mirror(workspace: Workspace) -> None:
    """Do the same after a write that opened no project."""
    write_mirror(ProjectState(workspace))


def main(home: str) -> None:
    """Make the mirror of the ``.limpet`` folder ``home``, and print it for a hook where nothing can be written."""
    workspace = workspace_at(os.path.dirname(os.path.abspath(home)))
    with Deadline(DEADLINE, lambda: None):
        agents = compile_agents(workspace)
        mirror = compose(ProjectState(workspace), agents)
    _write(workspace, dumps(mirror))
    sys.stdout.write(dumps({**mirror, "agents": agents["agents"]}))


def compose(project: ProjectState, agents: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mirror as data, of a project of which nothing was read yet; ``agents`` are the compiled ones, which
    stand in a file of their own.

    Stamps are taken before the files are read, so that an edit in between makes it stale.
    """
    sources = reliable_stamps(source_files(project.workspace))
    problems = [*project.mistakes, *_problems(project)]
    session = project.session
    sources |= reliable_stamps(work_sources(project))
    work, wrong = view_work(project)
    written = {key: session[key] for key in FREE_TEXT if key in session}
    data = {
        "settings": project.settings,
        "session": session | redact_all(written, project.secrets),
        "work": work,
        "problems": problems + wrong,
    }
    head = {"product": __version__, "python": platform.python_version(), "sources": sources | agents["sources"]}
    return head | {key: _plain(value) for key, value in data.items()}


def compile_agents(workspace: Workspace) -> dict[str, Any]:
    """Return the agents as the hook reads them, with the stamps of their files; made anew where one has changed."""
    known = read_compiled(workspace)
    folder = workspace.path(AGENTS_FOLDER)
    files = agent_sources(folder)
    if _is_current(known, files):
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


def _problems(project: ProjectState) -> list[str]:
    try:
        return project.problems
    except LimpetError as error:
        project.session = _last_session(project.workspace)
        return [f"{error} (using the previous state of the session)"]


def _last_session(workspace: Workspace) -> dict[str, Any]:
    session = read_object(read_text(mirror_path(workspace), CACHE_BYTES)).get("session")
    return session if isinstance(session, dict) else {}


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return redact(str(value))


def _write(workspace: Workspace, text: str) -> None:
    with suppress(OSError):
        write_atomic(mirror_path(workspace), text, follow=False)


def _is_current(known: dict[str, Any], files: tuple[str, ...]) -> bool:
    now = {path: stamp(path) for path in files}
    return bool(known) and known.get("sources") == {path: mark and [*mark] for path, mark in now.items()}


def _entry(agent: Agent, mistakes: list[Mistake]) -> dict[str, Any]:
    """Return an agent as JSON can hold it; its ``mistake`` is the first one in its file, without what to do."""
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
        "greetings": {language: _greeting(in_language(agent, language)) for language in LANGUAGES},
    }


def _greeting(agent: Agent) -> str:
    return agent.persona.minimal if agent.persona else ""


def _lines(texts: Collection[str]) -> list[str]:
    return [text[:LONGEST] for text in list(texts)[:MOST_LINES]]
