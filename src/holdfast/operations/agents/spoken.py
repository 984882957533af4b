"""An agent with its texts in one language, kept in the user's cache, because reading YAML takes longer than the rest of
an activation."""

from __future__ import annotations

import os
import time

import holdfast
from holdfast import __version__
from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.formats.json_text import dumps, loads
from holdfast.ground.storage.files import is_reliable, read_text, stamp, write_atomic
from holdfast.ground.text.languages import ENGLISH
from holdfast.ground.values import Value
from holdfast.roles.agent import Agent, Command, Persona
from holdfast.roles.agent_paths import AGENTS_FOLDER, ENDING, PACKAGED, TEXTS, own_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.ground.workspace import Workspace

SECTION = "greeting."
_FRAMEWORK = os.path.join(os.path.dirname(holdfast.__file__), "framework")


class Spoken(Value):
    """An agent with its title and persona in a language, and what greetings say in it, by key.

    ``mistake``: what is wrong in the project's file of it, in a line, "" for nothing.
    """

    agent: Agent
    texts: dict[str, str]
    mistake: str = ""


def load_spoken(workspace: Workspace, agent_id: str, language: str) -> Spoken:
    """Return the agent in this language: of an own file as it is written there, of one without a file its name. Raise
    HoldfastError for a packaged file that cannot be read."""
    path = workspace.cached(f"spoken-{agent_id}-{language}.json")
    sources = {one: stamp(one) for one in _sources(workspace, agent_id, language)}
    marks = {one: None if mark is None else [*mark] for one, mark in sources.items()}
    kept = _read(path, marks)
    if kept:
        return kept
    spoken = _make(workspace, agent_id, language)
    newest = max((mark for mark in sources.values() if mark), default=None)
    if is_reliable(newest, time.time_ns()):
        _write(path, marks, spoken)
    return spoken


def _sources(workspace: Workspace, agent_id: str, language: str) -> tuple[str, ...]:
    folder = workspace.path(AGENTS_FOLDER)
    languages = dict.fromkeys((ENGLISH, language))
    return (
        folder,
        own_files(folder).get(agent_id, os.path.join(folder, f"{agent_id}{ENDING}")),
        os.path.join(PACKAGED, f"{agent_id}{ENDING}"),
        os.path.join(TEXTS, f"{language}.yaml"),
        *(os.path.join(_FRAMEWORK, "texts", f"{one}.yaml") for one in languages),
    )


def _make(workspace: Workspace, agent_id: str, language: str) -> Spoken:
    from holdfast.ground.text.messages import texts_for
    from holdfast.roles.agent_file import title_of
    from holdfast.roles.agents import in_language, load_agent

    agent, mistakes = load_agent(workspace.path(AGENTS_FOLDER), agent_id)
    agent = agent or Agent(id=agent_id, title=title_of(agent_id), mission="")
    texts = {key: text for key, text in texts_for(language).items() if key.startswith(SECTION)}
    return Spoken(in_language(agent, language), texts, mistakes[0].note if mistakes else "")


def _read(path: str, marks: dict[str, Any]) -> Spoken | None:
    """Return what was kept, None where it is not of this version and these sources."""
    try:
        data: Any = loads(read_text(path, STATE_BYTES) or "")
        if data["product"] != __version__ or data["sources"] != marks:
            return None
        fields: Any = {
            name: tuple(value) if isinstance(value, list) else value for name, value in data["agent"].items()
        }
        fields["commands"] = tuple(Command(**one) for one in fields["commands"])
        fields["persona"] = Persona(**fields["persona"]) if fields["persona"] else None
        return Spoken(Agent(**fields), data["texts"], data["mistake"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _write(path: str, marks: dict[str, Any], spoken: Spoken) -> None:
    agent = spoken.agent
    fields = {
        **agent.__dict__,
        "commands": [one.__dict__ for one in agent.commands],
        "persona": agent.persona.__dict__ if agent.persona else None,
    }
    try:
        said = {"agent": fields, "texts": spoken.texts, "mistake": spoken.mistake}
        text = dumps({"product": __version__, "sources": marks, **said})
        write_atomic(path, text, follow=False)
    except (OSError, ValueError):
        return
