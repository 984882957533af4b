"""Makes of the agents' files what the prompt hook reads of them: JSON beside the mirror."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Any

from limpet import __version__
from limpet.ground.formats.json_text import dumps
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact_all
from limpet.ground.storage.files import stamp, write_atomic
from limpet.ground.storage.stamps import reliable_stamps
from limpet.ground.text.languages import LANGUAGES
from limpet.ground.workspace import Workspace
from limpet.roles.agent import GREETINGS, KEY, Agent
from limpet.roles.agent_paths import AGENTS_FOLDER, agent_sources
from limpet.roles.agents import in_language, is_own, load_each
from limpet.roles.compiled import compiled_path, read_compiled
from limpet.roles.mistake import Mistake

MOST_LINES, LONGEST = 30, 400
"""Lines of a list, and characters of one: a block has no room for more."""


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
        entries[agent.id] = redact_all(entry, secrets) if is_own(agent) or mistakes else entry
    made = {"product": __version__, "sources": sources, "agents": entries}
    with suppress(OSError):
        write_atomic(compiled_path(workspace), dumps(made), follow=False)
    return made


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
        "greetings": {language: _greetings(in_language(agent, language)) for language in LANGUAGES},
    }


def _greetings(agent: Agent) -> dict[str, str]:
    return {level: getattr(agent.persona, level, "") for level in GREETINGS}


def _lines(texts: Collection[str]) -> list[str]:
    return [text[:LONGEST] for text in list(texts)[:MOST_LINES]]
