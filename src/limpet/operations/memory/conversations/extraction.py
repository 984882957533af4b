"""The extraction of a conversation by a model that the user chose: what is sent, what comes of it, and what it cost.

The call itself is handed in, because only a host's own command can make it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from limpet.ground.config.settings import load_settings
from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import Actor, append_event, read_events
from limpet.ground.formats.json_text import read_object
from limpet.ground.recording import record
from limpet.ground.storage.files import Lock, read_text, write_atomic
from limpet.ground.workspace import Workspace
from limpet.memory.extraction import Answered, Extracted, ExtractionPrompt, make_prompt, read_model_answer
from limpet.operations.figures import CALL, LOG, OUTCOME, is_since
from limpet.operations.memory.candidates import candidate_of, open_candidates
from limpet.operations.memory.conversations.capture import capture
from limpet.operations.memory.conversations.conversation import Conversation, is_kept_out, read_conversation
from limpet.operations.memory.library import open_library
from limpet.operations.memory.quoted import MODEL
from limpet.operations.memory.write import BESIDE, ENDED, REPEATED, REPLACED, WRITTEN, write_answers
from limpet.operations.project import open_as
from limpet.transcripts.tail import size_of

Ask = Callable[[str, ExtractionPrompt, float], Answered]
"""Asks a model (its name, the prompt, the seconds it may take)."""

DAY = 86_400.0
# Seconds to wait for another process to book.
PATIENCE = 15.0
LONGEST_PROBLEM = 200
# What is counted of the answers that did something.
COUNTED = {WRITTEN: "added", BESIDE: "added", REPLACED: "superseded", REPEATED: "strengthened", ENDED: "ended"}


def extract(workspace: Workspace, conversation: Conversation, ask: Ask) -> dict[str, int]:
    """Ask the model of ``memory.capture_model`` about what was typed since it was last asked; keep what it quotes.
    Return the number of memories by what became of them, and of items ``dropped``; empty where no model is set,
    nothing was typed, or nothing came of it, which the event log tells. Raises LimpetError while another extraction
    is at work."""
    memory = load_settings(workspace)[0]["memory"]
    is_off = not (memory["capture"] and memory["capture_model"])
    if is_off or is_kept_out(conversation.session, conversation.host, conversation.transcript):
        return {}
    patience = float(memory["extraction"]["deadline_s"]) + PATIENCE
    with Lock(_lock(workspace, f"extraction-{safe_name(conversation.session)}"), patience) as held:
        if not held:
            raise LimpetError("Another process is extracting from this conversation", conversation.session)
        with suppress(LimpetError):  # what cannot be captured now is asked for the next time
            capture(workspace, conversation, turn=True)
        # The agent's words before the first new message are not read again: it stands without them.
        messages, end = read_conversation(conversation, workspace.root, _read_mark(workspace, conversation))
        waiting = open_candidates(workspace.shared, conversation.caller.reader, conversation.session)
        candidates = [each for each in waiting if each.get("session") == conversation.session]
        prompt = make_prompt(messages, memory["extraction"]["tokens"], memory["extraction"]["items"], candidates)
        if prompt is None:
            return {}
        counts = _extract(workspace, conversation, prompt, memory, ask)
        if counts is None:
            return {}
        mark = {"transcript": conversation.transcript, "offset": end}
        write_atomic(_mark(workspace, conversation.session), json.dumps(mark), follow=False)
    return counts


def _extract(
    workspace: Workspace,
    conversation: Conversation,
    prompt: ExtractionPrompt,
    memory: dict[str, Any],
    ask: Ask,
) -> dict[str, int] | None:
    model, limits = memory["capture_model"], memory["extraction"]
    actor = Actor(
        writer=f"model:{model}",
        now=conversation.now,
        retention=load_settings(workspace)[0]["retention"],
        session=conversation.session,
        agent=conversation.agent,
        why="memory.capture_model",
    )
    problem = _book(workspace, actor, model, limits["calls_a_day"])
    if problem:
        record(workspace, actor, OUTCOME, {"model": model, "problem": problem}, file=LOG)
        return None
    answered = ask(model, prompt, float(limits["deadline_s"]))
    cost = {"model": model, "in": answered.tokens_in, "out": answered.tokens_out, "usd": answered.money}
    try:
        if answered.problem:
            raise ValueError(answered.problem)
        counts = _keep(workspace, conversation, model, read_model_answer(answered.text, prompt, limits["items"]))
    except (ValueError, LimpetError) as error:
        problem = str(error)[:LONGEST_PROBLEM]
        record(workspace, actor, OUTCOME, {**cost, "problem": problem}, file=LOG)
        return None
    record(workspace, actor, OUTCOME, {**cost, **counts}, file=LOG)
    return counts


def _keep(workspace: Workspace, conversation: Conversation, model: str, extracted: Extracted) -> dict[str, int]:
    project = open_as(workspace, conversation.caller.replace(by=f"{MODEL}{model}"))
    library = open_library(project)
    found = [(candidate_of(library, heard), sentence) for heard, sentence in extracted.found]
    counts = Counter(COUNTED.get(each.did, "dropped") for each in write_answers(project, extracted.answers, found))
    return {**counts, "dropped": counts["dropped"] + extracted.dropped}


def _book(workspace: Workspace, actor: Actor, model: str, most: int) -> str:
    """Record that a call is made; return why it may not be, "" where it may. What cannot be counted is not made."""
    with Lock(_lock(workspace, LOG), PATIENCE) as held:
        if not held:
            return "another process is recording its calls"
        made = sum(is_since(event, actor.now - DAY) for event in read_events(workspace.shared, CALL, LOG))
        if made >= most:
            return f"limit reached: {made} calls within 24 hours (memory.extraction.calls_a_day is {most})"
        try:
            append_event(workspace.shared, actor, CALL, {"model": model}, LOG)
        except OSError as error:
            return f"cannot record the call ({error.strerror})"
    return ""


def _read_mark(workspace: Workspace, conversation: Conversation) -> int:
    found = read_object(read_text(_mark(workspace, conversation.session)))
    offset = found.get("offset") if found.get("transcript") == conversation.transcript else 0
    return offset if isinstance(offset, int) and 0 <= offset <= size_of(conversation.transcript) else 0


def _mark(workspace: Workspace, session: str) -> str:
    return workspace.kept("sessions", f"{safe_name(session)}.extracted")


def _lock(workspace: Workspace, name: str) -> str:
    return os.path.join(workspace.shared, "locks", f"{name}.lock")
