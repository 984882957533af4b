"""An agent as a value: what its file (``framework/agents/<id>.md``, or the project's own) says of it."""

from __future__ import annotations

from limpet.ground.values import Value

FULL, QUICK, KEY = "full", "quick", "key"
VISIBILITIES = (FULL, QUICK, KEY)
"""Where a command is listed: in every list, in short ones too, or even in the shortest. From ADR-001 SYNAPSE C6."""

GREETINGS = ("minimal", "named", "archetypal")
"""How much of its persona an agent's greeting shows, least first."""


class Command(Value):
    """A command that the agent uses.

    ``name``: the whole command, such as ``limpet story next``.
    ``visibility``: one of ``VISIBILITIES``.
    """

    name: str
    description: str
    visibility: str


class Persona(Value):
    """How an agent appears to people; no block holds it (decision 7).

    ``minimal``, ``named``, ``archetypal``: its greetings.
    """

    name: str
    role: str
    style: str
    minimal: str
    named: str
    archetypal: str
    signature: str


class Agent(Value):
    """An agent.

    ``mission``, ``inputs``, ``outputs``: a line each.
    ``steps``: how it works, in order.
    ``criteria``, ``checklist``: of an agent that has no step of a workflow, when it is done, and what it checks its own
    work by; packaged ones have none, since their steps say what counts.
    ``authority``, ``rules``: those of its file; more stand in the rule domain ``AGENT_<ID>``.
    ``handoff``: the agents that it hands over to.
    ``aliases``: its other names, such as the type of the subagent that it was made of.
    ``sectors``: the kinds of memory that it prefers, primary first; none for an agent without a preference.
    ``tools``: what it needs: read, edit, shell, web, ask.
    ``model``: the class of model that it needs: fast, balanced or strong; "" for any.
    ``templates``: those of ``framework/templates`` that its outputs follow.
    ``body``: the text for people below the frontmatter.
    ``source``: the file that it was read from, as messages name it.
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
    commands: tuple[Command, ...] = ()
    persona: Persona | None = None
    body: str = ""
    source: str = ""
