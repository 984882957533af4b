"""An agent as a value: what its file (``framework/agents/<id>.md``, or the project's own) says of it."""

from __future__ import annotations

import os

import limpet
from limpet.ground.storage.files import names_in
from limpet.ground.values import Value
from limpet.roles.roster import plain_id

FULL, QUICK, KEY = "full", "quick", "key"
VISIBILITIES = (FULL, QUICK, KEY)
"""Where a command is listed: in every list, in short ones too, or even in the shortest. From ADR-001 SYNAPSE C6."""

GREETINGS = ("minimal", "named", "archetypal")
"""How much of its persona an agent's greeting shows, least first."""


BESIDE = {
    "orchestrator": ("context-engine", "memory-layer"),
    "brownfield-wu": ("decision-engine",),
    "qa-planning": ("planning",),
    "qa-implementation": ("implementation",),
}
"""What packaged agents work by beside the templates that their files name."""


class AgentCommand(Value):
    """``name``: the whole command, such as ``limpet work story show``."""

    name: str
    description: str
    visibility: str


class Persona(Value):
    """How an agent appears to people; no block holds it (decision 7)."""

    name: str
    role: str
    style: str
    minimal: str
    named: str
    archetypal: str
    signature: str


class Agent(Value):
    """``criteria``, ``checklist``: of an agent that has no step of a workflow, when it is done, and what it checks its
    own work by; packaged ones have none, since their steps say what counts.
    ``authority``, ``rules``: those of its file; more stand in the rule domain ``AGENT_<ID>``.
    ``aliases``: such as the type of the subagent that it was made of.
    ``sectors``: the kinds of memory that it prefers, primary first; none for an agent without a preference.
    ``tools``: read, edit, shell, web, ask.
    ``model``: fast, balanced or strong; "" for any.
    ``templates``: those of ``framework/templates`` that its outputs follow.
    ``body``: the text for people below the frontmatter.
    """

    id: str
    title: str
    mission: str
    inputs: str = ""
    outputs: str = ""
    criteria: str = ""
    steps: tuple[str, ...] = ()
    checklist: tuple[str, ...] = ()
    authority: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    handoff: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    sectors: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    model: str = ""
    templates: tuple[str, ...] = ()
    commands: tuple[AgentCommand, ...] = ()
    persona: Persona | None = None
    body: str = ""
    source: str = ""


class Mistake(Value):
    """What is wrong in an agent's file; ``where`` is ``file:line`` where the line is known.

    ``instead``: what holds where nothing of the file can be used, "" where the rest of it is.
    """

    where: str
    what: str
    hint: str = ""
    instead: str = ""

    @property
    def text(self) -> str:
        return f"{self.what}, so {self.instead}" if self.instead else self.what

    @property
    def note(self) -> str:
        return f"{self.where} cannot be read, so {self.instead}" if self.instead else f"{self.where}: {self.what}"

    def __str__(self) -> str:
        return f"{self.where}: {self.text}{f' ({self.hint})' if self.hint else ''}"


AGENTS_FOLDER, ENDING = "agents", ".md"
PACKAGED = os.path.join(os.path.dirname(limpet.__file__), "framework", AGENTS_FOLDER)
TEXTS = os.path.join(PACKAGED, "texts")


def own_files(folder: str) -> dict[str, str]:
    """Id -> path, in the ids' order; of two spellings of an id the plain one counts. "" is no folder."""
    found: dict[str, str] = {}
    for name in sorted(names_in(folder) if folder else (), key=lambda each: each != plain_id(each)):
        stem, ending = os.path.splitext(name)
        if ending.lower() == ENDING and is_agent_id(plain_id(stem)):
            found.setdefault(plain_id(stem), os.path.join(folder, name))
    return dict(sorted(found.items()))


def agent_sources(folder: str) -> tuple[str, ...]:
    return (PACKAGED, TEXTS, *((folder, *own_files(folder).values()) if folder else ()))


def is_agent_id(name: str) -> bool:
    """Return whether the name is one of letters, digits and dashes; ``README.md`` is no agent's file."""
    sound = name[:1].isalnum() and name.replace("-", "").isalnum() and name.isascii()
    return sound and name != "readme"
