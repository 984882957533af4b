"""Activates an agent and says what it needs to begin (ADR-001 SYNAPSE C6): who it is, the repository, the step that is
due as the work commands brief it, else what was handed over and taught, memories and commands; and leaves one."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.ground.clock import Patience
from limpet.ground.config.mirror import read_mirror
from limpet.ground.git import changed_files, newest_subjects
from limpet.ground.repository import find_repository, read_branch
from limpet.ground.safety.instructions import flags_of
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip
from limpet.ground.text.messages import say
from limpet.ground.text.words import language_code
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.memory.index.reading import hottest, open_index
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import Reader, has_entries, owners
from limpet.operations.agents.known import find_id
from limpet.operations.approval import Obtain
from limpet.operations.binding import release
from limpet.operations.conversations import find_conversation
from limpet.operations.learning.briefing import lines_for, lines_for_story
from limpet.operations.mirror import view_handoff
from limpet.operations.project import Project
from limpet.operations.work.briefing import brief
from limpet.operations.work.moves import ChosenWork, choose_work
from limpet.operations.work.situation import read_situation
from limpet.roles.agent import AGENTS_FOLDER, KEY, Agent
from limpet.roles.agents import in_language, load_agent
from limpet.work.in_force import find_in_force, find_modes
from limpet.work.pipeline.briefing import Briefing, briefing_lines
from limpet.work.pipeline.state import task_title
from limpet.work.project import language_of
from limpet.work.session import read_state

CURRENT = "current_agent"
# Seconds that git has for commits, and for changed files.
PATIENCE = Patience(0.25)
MOST_FILES, MOST_MEMORIES, MOST_TAUGHT, LONGEST = 3, 3, 3, 160


class Activation(Value):
    """``lines``: what to say, the first of which confirms it in the language of the session; ``mistake``: what is wrong
    in the project's file of the agent, in a line."""

    agent: str
    chosen: ChosenWork
    lines: tuple[str, ...]
    step: Briefing | None
    mistake: str


def activate_agent(
    project: Project, name: str, conversation: str | None = None, obtain: Obtain | None = None
) -> Activation:
    """Raises LimpetError for an unknown agent or conversation, and where the session cannot be read or written."""
    workspace, caller = project.workspace, project.caller
    session = caller.conversation if conversation is None else find_conversation(workspace, conversation)
    before = find_in_force(project.session, read_state(workspace, session))
    agent_id = find_id(workspace, name, before)
    release(project, obtain, f"Activate {agent_id}", session if conversation else "", to=agent_id)
    chosen = choose_work(project, CURRENT, agent_id, conversation)
    language = language_code(language_of(project.session))
    loaded, mistakes = load_agent(workspace.path(AGENTS_FOLDER), agent_id)
    agent = in_language(loaded, language)
    due = brief(project)
    step = due if due and due.agent == agent_id else None
    callers = find_in_force(project.session, read_state(workspace, caller.conversation)).agent
    reader = agent_id if caller.reader.person or callers == agent_id else ""
    permission = find_modes(before, project.settings)[1]
    hello = agent.persona.minimal if agent.persona else ""
    hello = hello or say("greeting.ready", language, title=agent.title)
    names = ", ".join(one.name for one in agent.commands if one.visibility == KEY)
    commands = (say("greeting.commands", language, names=names),) if names else ()
    told = (
        say("greeting.activated", language, agent=agent_id, place=chosen.place),
        f"{hello} [{permission}]" if permission else hello,
        *_repository(workspace, language),
        *(() if step else _alone(project, agent, before.agent, language)),
        *_memories(project, agent_id, reader, language),
        *commands,
    )
    lines = (*(clip(line, LONGEST) for line in told), *(briefing_lines(step) if step else ()))
    mistake = mistakes[0].note if mistakes else ""
    return Activation(agent=agent_id, chosen=chosen, lines=lines, step=step, mistake=mistake)


def deactivate_agent(project: Project, conversation: str | None = None, obtain: Obtain | None = None) -> ChosenWork:
    """The note tells it in the session's language. Raises LimpetError for an unknown conversation."""
    workspace = project.workspace
    session = "" if conversation is None else find_conversation(workspace, conversation)
    release(project, obtain, "Have no agent active", session)
    agent = find_in_force(project.session, read_state(workspace, session)).agent
    chosen = choose_work(project, CURRENT, None, conversation)
    language = language_code(language_of(project.session))
    if not agent:
        return chosen.replace(note=say("greeting.deactivated", language, place=chosen.place))
    title = in_language(load_agent(workspace.path(AGENTS_FOLDER), agent)[0], language).title
    return chosen.replace(note=say("greeting.goodbye", language, title=title, place=chosen.place))


def _repository(workspace: Workspace, language: str) -> Iterator[str]:
    """Without secrets and what reads like an instruction; a git that does not answer costs what it would have said."""
    found = find_repository(workspace.root)
    branch = read_branch(found) if found else ""
    if not found or not branch:
        return
    parts = [branch]
    if found.worktree:
        parts.append(say("greeting.worktree", language, name=found.worktree))
    subjects = newest_subjects(workspace.root, 1, PATIENCE)
    for subject in subjects or ():
        if not flags_of(subject):
            parts.append(say("greeting.commits", language, subjects=clip(redact(subject), 50)))
    files = None if subjects is None else changed_files(workspace.root, PATIENCE)
    if files is None:
        parts.append(say("greeting.unknown", language))
    elif not files:
        parts.append(say("greeting.clean", language))
    else:
        shown = sorted(files, key=lambda file: file.startswith(f"{FOLDER}/"))[:MOST_FILES]
        names = ", ".join(shown) + (", ..." if len(files) > MOST_FILES else "")
        parts.append(say("greeting.changed_files", language, count=len(files), files=names))
    yield ", ".join(parts)


def _alone(project: Project, agent: Agent, previous: str, language: str) -> Iterator[str]:
    work = read_mirror(project.workspace).work
    task, following = work.get("task") or {}, work.get("next") or {}
    if agent.mission:
        yield agent.mission
    if handed := view_handoff(project, read_situation(project), agent.id, []):
        line = str((handed["lines"] or [handed["score"]])[0])
        yield say("greeting.handoff", language, agent=handed["from"], line=line)
    elif previous not in ("", agent.id):
        yield say("greeting.previous", language, agent=previous)
    if task:
        yield say("greeting.task", language, task=task_title(task))
    if following.get("words"):
        yield say("greeting.next_because", language, command=following["command"], words=following["words"])
    elif following.get("command"):
        yield say("greeting.next", language, command=following["command"])
    taught = lines_for_story(project, str(task.get("id") or ""), agent.id)
    taught = taught or lines_for(project, agent.id, str(task.get("title") or ""))
    if taught:
        shown = "; ".join(clip(line, 46) for line in taught[:MOST_TAUGHT])
        yield say("greeting.knowledge", language, lines=shown)


def _memories(project: Project, agent: str, reader: str, language: str) -> Iterator[str]:
    shared = project.workspace.shared
    index = open_index(shared) if has_entries(project.workspace) else None
    if index is None:
        return
    query = Query(owners=owners(Reader(agent=reader)), now=project.caller.now)
    hits = hottest(index, query, agent, project.settings["memory"], MOST_MEMORIES * 2)
    titles = [clip(hit.card.title, 70) for hit in hits if hit.card.title and not hit.card.flags]
    if titles:
        shown = "; ".join(list(dict.fromkeys(titles))[:MOST_MEMORIES])
        yield say("greeting.memories", language, titles=shown)
