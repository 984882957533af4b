"""Makes agents of the project's own: a file that people fill in, files taken over from another tool, or a copy of a
packaged one."""

from __future__ import annotations

import os
from collections.abc import Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import without_secrets
from limpet.ground.storage.text_file import read_strictly
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.operations.framework import write_new
from limpet.operations.mirror import refresh_mirror
from limpet.roles.agent import AGENTS_FOLDER, ENDING, PACKAGED, Agent, Mistake, is_agent_id, own_files
from limpet.roles.agents import named_only, parse_agent, render_agent
from limpet.roles.foreign_files import find_agent_files, id_of_file
from limpet.roles.roster import AGENTS, ALIASES, plain_id

# Before the id of an agent that is taken over, where a packaged one has it.
OWN = "own-"


class Made(Value):
    """An agent that was made.

    ``was_name_of``: the packaged agent for which its id stood before.
    ``for_name``: the id that it would have had, if no packaged agent had it.
    ``text_of``: the other tool's file whose text stands below the frontmatter; ``problems``: what of it was left out.
    """

    id: str
    file: str
    was_name_of: str = ""
    for_name: str = ""
    text_of: str = ""
    problems: tuple[Mistake, ...] = ()


class TakenOver(Value):
    """``left``: (file, why) of those of which no agent was made."""

    made: tuple[Made, ...]
    left: tuple[tuple[str, str], ...]


def new_agent(workspace: Workspace, name: str, title: str = "", mission: str = "", source: str = "") -> Made:
    """``source``: another tool's file to take it over from; of a packaged agent its file is copied. Raises LimpetError
    for a bad id, one that the project has, and a source that says nothing of an agent."""
    made = _make(workspace, name, title, mission, source)
    refresh_mirror(workspace)
    return made


def take_over_agents(workspace: Workspace, sources: Sequence[str]) -> TakenOver:
    """``sources``: files and folders; an agent has the id that its file's name gives."""
    files: dict[str, str] = {}
    for source in sources:
        files |= find_agent_files(source) if os.path.isdir(source) else {source: id_of_file(source)}
    made: list[Made] = []
    left: list[tuple[str, str]] = []
    for path, agent_id in files.items():
        if agent_id in {one.for_name or one.id for one in made}:
            agent_id = f"{id_of_file(os.path.dirname(path))}-{agent_id}"
        try:
            made.append(_make(workspace, agent_id, "", "", path))
        except LimpetError as error:
            left.append((path, error.what))
    refresh_mirror(workspace)
    return TakenOver(tuple(made), tuple(left))


def _make(workspace: Workspace, name: str, title: str, mission: str, source: str) -> Made:
    wanted = plain_id(name)
    if not is_agent_id(wanted):
        raise LimpetError("Not an agent's id", name, "Use letters, digits and dashes, such as marketing-lead.")
    is_copy = wanted in AGENTS and not source
    agent_id = f"{OWN}{wanted}" if wanted in AGENTS and source else wanted
    if agent_id in own_files(workspace.path(AGENTS_FOLDER)):
        raise LimpetError("The project has this agent already", agent_id, f"Run: limpet work agent show {agent_id}")
    file = f"{agent_id}{ENDING}"
    made = Made(id=agent_id, file=f"{FOLDER}/{AGENTS_FOLDER}/{file}", for_name=wanted if agent_id != wanted else "")
    if is_copy:
        if title or mission:
            hint = f"Copy it without options, then edit the file: limpet work agent new {agent_id}"
            raise LimpetError("The agent is packaged", agent_id, hint)
        packaged = os.path.join(PACKAGED, file)
        text = read_strictly(packaged, packaged)
    else:
        known = named_only(agent_id).replace(mission="Say here, in a line, what this agent is for")
        agent, problems = _taken_over(source, agent_id) if source else (known, [])
        told = {"title": without_secrets(workspace, title), "mission": without_secrets(workspace, mission)}
        agent = agent.replace(**{key: " ".join(words.split()) for key, words in told.items() if words.strip()})
        text = render_agent(agent)
        body_of = source if agent.body else ""
        made = made.replace(was_name_of=ALIASES.get(agent_id, ""), text_of=body_of, problems=tuple(problems))
    write_new(workspace.path(AGENTS_FOLDER, file), text, made.file)
    return made


def _taken_over(source: str, agent_id: str) -> tuple[Agent, list[Mistake]]:
    text = read_strictly(source, source)
    if not text.strip():
        raise LimpetError("No such file, or an empty one", source)
    return parse_agent(text, agent_id, source)
