"""What an activation loads: the agent, permission, branch, conversation, git's status, memories, knowledge."""

from __future__ import annotations

import os
from itertools import islice

from limpet.agents.greeting import ProjectStatus
from limpet.agents.loading import CRITICAL, Loader
from limpet.ground.clock import Clock
from limpet.ground.config.mirror import Mirror
from limpet.ground.event_log import newest_first
from limpet.ground.git import changed_files, newest_subjects
from limpet.ground.repository import find_repository, read_branch
from limpet.ground.safety.instructions import flags_of
from limpet.ground.safety.redaction import redact
from limpet.ground.text.messages import texts_for
from limpet.ground.text.words import language_code
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.memory.index.reading import hottest, open_index
from limpet.memory.model.entry import Query
from limpet.memory.model.layout import Reader, memories, owners
from limpet.operations.learning.briefing import lines_for, lines_for_story
from limpet.operations.project import Project
from limpet.operations.work.gate.facts import seals_of
from limpet.operations.work.view import view_handoff
from limpet.roles.agent import AGENTS_FOLDER, Agent
from limpet.roles.agents import in_language, load_agent
from limpet.work.in_force import InForce, find_modes
from limpet.work.project import language_of
from limpet.work.session import read_state

# The newest events of a log that are looked at for what the conversation did, and what moves the work in it.
LATELY = 40
FAMILIES = ("work.", "story.", "handoff.", "spec.")
MOST_FILES, MOST_COMMITS, MOST_MEMORIES = 5, 2, 5


class Context(Value):
    """What an activation under way knows.

    ``agent``: its id.
    ``before``: what was in force before it.
    ``mirror``: settings, session and work after it.
    ``conversation``: the one that it is for, "" for none.
    ``reader``: whose memories may be told beside the shared ones, "" for nobody's.
    ``now``: in seconds since 1970.
    """

    project: Project
    agent: str
    before: InForce
    mirror: Mirror
    conversation: str
    reader: str
    now: float


class Spoken(Value):
    """An agent with its title and persona in a language, and the texts of that language, by key.

    ``mistake``: what is wrong in the project's file of it, in a line, "" for nothing.
    """

    agent: Agent
    texts: dict[str, str]
    mistake: str


class History(Value):
    """What the conversation did, and what it was handed.

    ``recent``: names of commands and events, the newest last.
    ``handoff``: (who handed over, its first line), None for none.
    """

    recent: tuple[str, ...] = ()
    handoff: tuple[str, str] | None = None


def loaders_of(context: Context) -> tuple[Loader, ...]:
    """Return the loaders of an activation, in the order of their tiers."""
    return (
        Loader("agent", CRITICAL, lambda clock: load_spoken(context)),
        Loader("permission", "high", lambda clock: find_modes(context.before, context.mirror.settings)[1]),
        Loader("branch", "high", lambda clock: load_branch(context.project.workspace)),
        Loader("conversation", "best_effort", lambda clock: load_history(context)),
        Loader("git", "best_effort", lambda clock: load_status(context.project.workspace, clock)),
        Loader("memories", "optional", lambda clock: load_memories(context)),
        Loader("knowledge", "optional", lambda clock: load_knowledge(context)),
    )


def load_spoken(context: Context) -> Spoken:
    """Return the agent in the session's language: of an own file as it is written there, of one without a file its
    name. Raise LimpetError for a packaged file that cannot be read."""
    language = language_code(language_of(context.mirror.session))
    agent, mistakes = load_agent(context.project.workspace.path(AGENTS_FOLDER), context.agent)
    return Spoken(in_language(agent, language), texts_for(language), mistakes[0].note if mistakes else "")


def load_branch(workspace: Workspace) -> ProjectStatus:
    """Return the branch and the worktree, without git; nothing in them where there is no repository."""
    found = find_repository(workspace.root)
    return ProjectStatus(branch=read_branch(found), worktree=found.worktree) if found else ProjectStatus()


def load_status(workspace: Workspace, clock: Clock) -> ProjectStatus:
    """Return the repository's whole status: changed files, ours last, and the newest commits' subjects, without secrets
    and without what reads like an instruction. Raise TimeoutError where git does not answer until the deadline."""
    status = load_branch(workspace)
    if not status.branch:
        return status
    subjects = newest_subjects(workspace.root, MOST_COMMITS, clock.left())
    changed = None if subjects is None else changed_files(workspace.root, clock.left())
    if subjects is None or changed is None:
        raise TimeoutError("git")
    files = sorted(changed, key=lambda name: name.startswith(f"{FOLDER}/"))
    commits = tuple(redact(line) for line in subjects if not flags_of(line))
    return status.replace(files=tuple(files[:MOST_FILES]), changed=len(files), commits=commits)


def load_history(context: Context) -> History:
    """Return the conversation's star-commands, then the kinds of its moves; and the handoff to the agent."""
    workspace, conversation = context.project.workspace, context.conversation
    view = view_handoff(context.project, context.agent, seals_of(workspace), [])
    handoff = (str(view["from"]), str((view["lines"] or [view["score"]])[0])) if view else None
    if not conversation:
        return History(handoff=handoff)
    history = read_state(workspace, conversation).get("history")
    typed = history.get("star_commands") if isinstance(history, dict) else None
    moves = [
        (str(event.get("time")), str(event["kind"]))
        for log in newest_first(workspace.shared, "")
        for event in islice(log, LATELY)
        if event.get("session") == conversation and str(event.get("kind", "")).startswith(FAMILIES)
    ]
    return History((*(f"*{name}" for name in typed or ()), *(kind for _, kind in sorted(moves))), handoff)


def load_memories(context: Context) -> tuple[str, ...]:
    """Return titles of the agent's own memories and of shared ones, those of most attention first; nothing that reads
    like an instruction."""
    shared = context.project.workspace.shared
    index = open_index(shared) if os.path.isdir(memories(shared)) else None
    if index is None:
        return ()
    query = Query(owners=owners(Reader(agent=context.reader)), now=context.now)
    hits = hottest(index, query, context.agent, context.mirror.settings["memory"], MOST_MEMORIES * 2)
    titles = [hit.card.title for hit in hits if hit.card.title and not hit.card.flags]
    return tuple(dict.fromkeys(titles))[:MOST_MEMORIES]


def load_knowledge(context: Context) -> tuple[str, ...]:
    """Return what earlier work taught of the story under way, else of the task and the agent's kind of work."""
    task = context.mirror.work.get("task") or {}
    told = lines_for_story(context.project, str(task.get("id") or ""), context.agent)
    return told or lines_for(context.project, context.agent, str(task.get("title") or ""))
