"""The tools: each a function whose parameters are the tool's arguments. What it does stands below this room, and is
imported when it is called, so that the server starts fast."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pydantic import Field

from limpet.ground.errors import LimpetError
from limpet.ground.event import Surroundings
from limpet.ground.trust.approvals import TYPED
from limpet.ground.trust.giving import refuse_untrusted
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, no_project
from limpet.hosts.surroundings import project_around, ways_in
from limpet.operations.approval import ELSEWHERE, Obtain, PersonWord, Presence, obtain_word
from limpet.operations.caller import Caller, find_client_reader
from limpet.operations.memory.conversations.conversation import refuse_private
from limpet.operations.project import Project, handed

Text = Annotated[str, Field(max_length=10_000)]
Document = Annotated[str, Field(max_length=500_000)]
Texts = Annotated[Sequence[Text], Field(max_length=50)]
Answer = dict[str, Any]

# What is not said is as the protocol has it: a tool writes, and no call is like the one before.
READS = {"read_only_hint": True}
ADDS = {"destructive_hint": False}
CHANGES = {"destructive_hint": True}


class Tool(Value):
    """``says``: what a model is told of it.
    ``does``: carries it out on the project; raises LimpetError.
    ``hints``: what it does to the project, as the protocol asks.
    ``at_work``: whether it is listed only while a step of the work is under way."""

    says: str
    does: Callable[..., Answer]
    hints: dict[str, bool] = READS
    at_work: bool = False


def search(project: Project, words: Text) -> Answer:
    """Return the memories that the words find, the best first, in short."""
    from limpet.memory.model.entry import Query
    from limpet.operations.memory.find import search_memories
    from limpet.operations.memory.view import describe_shortly

    found = search_memories(project, Query(text=words, limit=10))[0]
    hits = [{**describe_shortly(hit.card), "score": round(hit.attention, 2)} for hit in found.hits]
    return {"memories": hits, **({"unread": found.unread} if found.unread else {})}


def read_notes(project: Project, ids: Texts) -> Answer:
    """Return the memories as an agent gets them, and why some cannot be opened."""
    from limpet.operations.memory.find import open_memories
    from limpet.operations.memory.view import short_lines

    opened, errors = open_memories(project, ids)
    if errors and not opened:
        raise errors[0]
    return {"memories": ["\n".join(short_lines(one)) for one in opened], "missing": list(map(str, errors))}


def remember(project: Project, sentence: Text, kind: Text = "semantic", files: Texts = (), tags: Texts = ()) -> Answer:
    """Write a memory; return what became of it."""
    from limpet.operations.caller import from_root
    from limpet.operations.memory.write import write_sentence

    paths = [from_root(project.workspace, os.path.join(project.workspace.root, file)) for file in files]
    return write_sentence(project, kind, sentence, paths, tags).__dict__


def rules(project: Project, prompt: Text = "", domain: Text = "") -> Answer:
    """Return the rules that a prompt brings, or those of a domain."""
    from limpet.engine.explanation import rules_for, rules_of

    _give_one(prompt=prompt, domain=domain)
    return {"rules": [rules_of(project, domain)] if domain else rules_for(project, prompt)}


def why(project: Project) -> Answer:
    """Return what the last prompt got: of the caller's conversation, else of the newest."""
    from limpet.operations.why import explain_prompt

    return explain_prompt(project.workspace, project.caller, project.caller.conversation)


def due(project: Project) -> Answer:
    """Return the step of the work that is due, None where none is."""
    from limpet.operations.work.briefing import brief_now

    return {"step": brief_now(project) or None}


def finish_step(project: Project, document: Document = "") -> Answer:
    """End the step, or return its form where no document is given."""
    from limpet.operations.work.briefing import brief_now
    from limpet.operations.work.finish import finish_current_step, show_form

    if not document.strip():
        return {"finished": False, "form": show_form(project)}
    outcome = finish_current_step(project, document, "document", obtain_for_server(project, ("work", "finish", "-")))
    told = {"finished": outcome.finished, "lines": outcome.lines, "missing": list(map(str, outcome.missing))}
    return told | {"step": brief_now(project)} if outcome.finished else told | {"next": outcome.next}


def go_back(project: Project, agent: Text = "", issue: Text = "", reason: Text = "") -> Answer:
    """Return the work to an earlier agent."""
    from limpet.operations.work.briefing import brief_now
    from limpet.operations.work.moves import step_back

    _give_one(agent=agent, issue=issue)
    return {"lines": step_back(project, agent, issue, reason).message.splitlines(), "step": brief_now(project)}


def _give_one(**given: str) -> None:
    if sum(bool(text.strip()) for text in given.values()) != 1:
        raise LimpetError(f"Give either {' or '.join(given)}")


TOOLS = {
    "search": Tool(
        "Search this project's notes: decisions, corrections, preferences, pitfalls, ways of working. Use before you "
        "change what they may be about, or when asked what was decided; not to understand a message.",
        search,
    ),
    "open": Tool("Read notes in full, by their ids.", read_notes),
    "remember": Tool(
        "Keep a sentence of 20 words for later conversations. "
        "kind: decision, user_correction, gotcha, lesson, procedural.",
        remember,
        ADDS,
    ),
    "rules": Tool("The rules for a prompt, or of a domain.", rules),
    "why": Tool("What the last prompt got, and why.", why),
    "next": Tool("The step that is due, with its form.", due, at_work=True),
    "finish": Tool("End the step by its filled-in form; none: get the form.", finish_step, ADDS, True),
    "back": Tool("Return to an agent, or by issue: spec, architecture, code, test, security.", go_back, CHANGES, True),
}


def carry_out(tool: Tool, project: Project, given: Mapping[str, Any]) -> Answer:
    """Raise LimpetError for what a private conversation keeps too."""
    if tool.hints is not READS:
        refuse_private(project.caller)
    return tool.does(project, **given)


class ResourceSource(Value):
    """What makes a text of a project, what a person is told of it, its kind, and a prompt's arguments."""

    says: str
    text: Callable[..., str]
    kind: str = "text/plain"
    takes: tuple[str, ...] = ()


def _block(project: Project) -> str:
    from limpet.engine.explanation import block_for

    return block_for(project)


def _memories(project: Project) -> str:
    from limpet.memory.model.entry import Query
    from limpet.operations.memory.find import list_memories
    from limpet.operations.memory.view import describe_shortly

    found, more = list_memories(project, Query(limit=200))
    titles = (describe_shortly(card) for card in found.cards)
    lines = (f"{one['id']} {one['title']} ({', '.join((one['type'], *one['marks']))})" for one in titles)
    return "\n".join([*lines, *(["There are older ones: search for them."] if more else [])])


def _knowledge(project: Project) -> str:
    from limpet.learning.model import ACTIVE, SPOKEN_OF_ENTRY
    from limpet.learning.roles import is_for, roles_of
    from limpet.learning.store import read_stores
    from limpet.operations.framework import forms_of
    from limpet.operations.work.documents import show_status
    from limpet.roles.agent import AGENTS_FOLDER
    from limpet.roles.agents import load_agents

    lines = list(show_status(project).lines)
    for agent in load_agents(project.workspace.path(AGENTS_FOLDER))[0].values():
        if forms := forms_of(project.workspace, agent):
            titles = ", ".join(form.title for form in forms)
            lines.append(f"{agent.id} works by: {titles} (limpet work agent show {agent.id} --forms)")
    roles = roles_of(project.in_force.agent, project.settings["learning"]["roles"])
    for entries in read_stores(project.workspace)[0].values():
        mine = (one for one in entries if one.status == ACTIVE and is_for(roles, one.roles))
        told = (handed(project, one, *SPOKEN_OF_ENTRY) for one in mine)
        lines += (f"{one.id} {one.text} ({one.confidence})" for one in told)
    return "\n".join(lines)


def _pipeline(project: Project) -> str:
    from limpet.operations.work.status import show_work

    return json.dumps(show_work(project), ensure_ascii=False)


def _start(project: Project, task: str = "") -> str:
    from limpet.operations.work.briefing import brief_now

    return "\n\n".join(filter(None, (_block(project), brief_now(project), task)))


def _resume(project: Project) -> str:
    from limpet.operations.work.briefing import brief_now
    from limpet.operations.work.lock import show_lock

    return "\n".join(filter(None, ("Go on with this project's work.", *show_lock(project).lines, brief_now(project))))


def _handoff(project: Project) -> str:
    from limpet.operations.work.finish import show_form

    return f"Fill in this form with what is true, and give it to the tool finish:\n\n{show_form(project)}"


RESOURCES = {
    "limpet://block": ResourceSource("What a prompt gets now: rules and the state of the work", _block),
    "limpet://memories": ResourceSource("The titles of the memories, newest first, with their ids", _memories),
    "limpet://knowledge": ResourceSource("Documents, what work taught, and the texts that agents work by", _knowledge),
    "limpet://pipeline": ResourceSource(
        "The state of the work: workflow, steps, gates, task", _pipeline, "application/json"
    ),
}
PROMPTS = {
    "start": ResourceSource("Begin with the project's rules and the state of its work", _start, takes=("task",)),
    "resume": ResourceSource("Go on with the work where it stands", _resume),
    "handoff": ResourceSource("End the current step and hand over to the next one", _handoff),
}


CONVERSATION = "limpet/conversation"
"""The key of a request's ``_meta`` under which a client names the conversation that calls."""


def open_called(folder: str, around: Surroundings, roots: Iterable[str], meta: Mapping[str, Any]) -> Project:
    """Return the project, opened for who calls; nothing of an earlier call is in it.

    ``folder``: the one that the server was given, "" for none.
    ``around``: the coding agent that started the server, and the conversation in which it did.
    ``roots``: the URIs of the folders in which the client works, empty where it names none.
    ``meta``: the request's ``_meta``. Raises LimpetError where there is no project that the user trusts.
    """
    workspace, now = _find_workspace(folder, roots), time.time()
    refuse_untrusted(workspace)
    named = meta.get(CONVERSATION)
    conversation = named if isinstance(named, str) and named else around.conversation
    is_sure = conversation in around.conversations and conversation == named
    beside = () if is_sure else tuple(each for each in around.conversations if each != conversation)
    known = Surroundings(around.host or "mcp", conversation, beside)
    return Project(
        workspace, lambda _: Caller(reader=find_client_reader(workspace, known), now=now, surroundings=known)
    )


def obtain_for_server(project: Project, words: Sequence[str]) -> Obtain:
    """Return what gets a person's word for a call: typed in the conversation where the client has our hook, else not at
    all; ``words`` are the command that they run in its place, in a terminal of their own."""
    around = project.caller.surroundings
    typed = tuple(way for way in ways_in(around.host) if way == TYPED)
    presence = Presence(surroundings=around, ways=typed, words=tuple(words))

    def obtain(says: str, shown: Sequence[str] | None = None) -> PersonWord:
        try:
            return obtain_word(project.workspace, presence, says, project.caller.now, shown)
        except LimpetError as error:
            if error.hint != ELSEWHERE:
                raise
            hint = f"In a terminal of their own they run: limpet {' '.join(words)}"
            raise LimpetError(error.what, "", hint) from None

    return obtain


def _find_workspace(folder: str, roots: Iterable[str]) -> Workspace:
    """Return the project around the folder, without one that around the client's roots, else around the working folder.
    Raises LimpetError for none."""
    named = [folder] if folder else [*(url2pathname(urlsplit(uri).path) for uri in roots), os.getcwd()]
    folders = list(map(os.path.abspath, named))
    workspace = next(filter(None, (project_around(each, os.environ) for each in folders)), None)
    if workspace is None:
        raise no_project(folders[0])
    return workspace
