"""Writes the continuation of a conversation: the state of its work and the memories that matter, enough to work from
it alone. One is written before a compaction, on entering CRITICAL (decision 6) and before a fresh conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.library import Library
from limpet.memory.model.entry import DIGEST, Query
from limpet.memory.model.layout import owners
from limpet.operations.caller import active_agent
from limpet.operations.memory.conversations.conversation import Conversation, is_kept_out
from limpet.operations.memory.conversations.epoch import outcome, summarize_epoch
from limpet.operations.memory.find import quote_memories
from limpet.operations.memory.library import open_library
from limpet.operations.project import Project, open_as
from limpet.operations.work.briefing import brief
from limpet.operations.work.situation import find_handoff_of, taker_of
from limpet.operations.work.status import read_status
from limpet.work.continuation import Continuation, mark_task, summary_lines
from limpet.work.continuation_store import continuation_name, write_continuation
from limpet.work.in_force import find_in_force
from limpet.work.pipeline.briefing import Briefing, essential_lines, lines_beside_a_block
from limpet.work.pipeline.state import FINISHED, next_step, status_of

# The share of the memories' tokens that the next agent's own have.
NEXT_AGENTS = 1 / 3


class KeptContinuation(Value):
    """``path``: from the project's root. ``lines``: the step under way and its summary, for the block after a
    compaction. ``memories``: the number of those that it quotes."""

    path: str
    lines: tuple[str, ...]
    memories: int


def describe_conversation(workspace: Workspace, state: Mapping[str, Any], now: float) -> Conversation:
    session = str(state.get("id") or "")
    return Conversation(
        session=session,
        now=now,
        host=str(state.get("host") or ""),
        transcript=str(state.get("transcript") or ""),
        agent=active_agent(workspace, session),
    )


def keep_continuation(workspace: Workspace, conversation: Conversation, typed: str = "") -> KeptContinuation:
    """``typed``: the prompt just typed, if the transcript may not hold it yet. Raises LimpetError for a private one
    always."""
    if is_kept_out(conversation.session, conversation.host, conversation.transcript):
        raise LimpetError("This conversation is private, so Limpet writes no continuation", conversation.session)
    project = open_as(workspace, conversation.caller.replace(by="continuation"))
    library = open_library(project)
    next_agent = _next_agent(project, conversation.agent)
    quoted = _quote(workspace, conversation, typed, library, next_agent)
    due = _due(project, conversation.agent)
    gathered = _gather(project, conversation, typed, library, quoted).replace(
        next_agent=next_agent, step=essential_lines(due) if due else ()
    )
    written = write_continuation(workspace, gathered)
    path = continuation_name(conversation.session)
    step = lines_beside_a_block(due) if due else ()
    more = summary_lines(written.replace(task="", progress="") if step else written, path=path)
    return KeptContinuation(path=path, lines=(*step, *more), memories=len(quoted))


def _quote(
    workspace: Workspace, conversation: Conversation, typed: str, library: Library, next_agent: str
) -> list[str]:
    tokens = int(library.settings["tokens"]["full"])
    others: list[str] = []
    if next_agent:
        caller = conversation.replace(agent=next_agent).caller.replace(by="continuation")
        others = quote_memories(open_library(open_as(workspace, caller)), "", int(tokens * NEXT_AGENTS), next_agent)
    return [*quote_memories(library, typed, tokens - sum(map(estimate_tokens, others))), *others]


def _next_agent(project: Project, agent: str) -> str:
    with suppress(LimpetError):
        session = project.session
        found = find_in_force(session, project.conversation)
        handoff = find_handoff_of(project, agent, [])
        taker = taker_of(found, handoff) if handoff else ""
        if taker not in ("", agent) and status_of(session, taker) not in FINISHED:
            return taker
        workflow = project.workflow if found.follows_project else None
        step = next_step(session, workflow, after=agent) if workflow else None
        return step.agent if step else ""
    return ""


def _gather(
    project: Project, conversation: Conversation, typed: str, library: Library, quoted: Sequence[str]
) -> Continuation:
    root, secrets = project.workspace.root, project.secrets
    epoch = summarize_epoch(conversation.host, conversation.transcript, root, typed, secrets)
    status = read_status(project, conversation.session)
    query = Query(session=library.session, tag=DIGEST, owners=owners(library.reader), limit=1, now=library.clock.now())
    digests = [f"conversation digest: limpet memory show {card.id}" for card in library.list(query).cards]
    return Continuation(
        at=iso(library.clock.now()),
        session=conversation.session,
        host=conversation.host,
        **{
            **status,
            "agent": conversation.agent,
            "questions": (*epoch.done.questions, *status["questions"]),
            "pointers": (*status["pointers"], *digests),
        },
        action=epoch.action,
        requests=epoch.requests,
        said=(epoch.said,) if epoch.said else (),
        tasks=tuple(mark_task(task.text, task.status) for task in epoch.tasks),
        decisions=epoch.decisions,
        files=tuple(path for path, _ in epoch.done.files),
        commands=tuple(map(outcome, epoch.done.runs)),
        memories="\n".join(quoted),
    )


def _due(project: Project, agent: str) -> Briefing | None:
    """What is due for the conversation's agent; a file that cannot be read costs it."""
    with suppress(LimpetError, OSError):
        due = brief(project)
        return due if due and due.agent == agent else None
    return None
