"""Reads Gemini CLI's hook payloads as events and renders replies as its JSON (contract observed on 0.61.0).

An empty answer with exit code 0 leaves all to the client, 1 is a warning, any other code denies what the event is
about. Where nothing is printed the client takes stderr for the answer.

A start is not answered, and all comes with the first prompt: what a start adds is put before the prompt, and the client
leaves both out of a conversation that is resumed; after ``/clear`` it is ignored. Nor is ``PreCompress``, which comes
before each request to the model, whether anything is compressed or not.
"""

from __future__ import annotations

import os

from limpet.ground.clock import seconds_of
from limpet.ground.event import COMMAND_FILE, SCRIPT, SYSTEM, TYPED
from limpet.ground.formats.json_text import dumps
from limpet.hosts.gemini import HOST
from limpet.hosts.payload import BLOCK, BLOCK_END, made_visible, payload_text_of, read_common, without_blocks
from limpet.transcripts.gemini import last_entered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Event, Reply

PROJECT = "GEMINI_PROJECT_DIR"
SHOWS = True
CARRIES = ""
CONFIRMS = True
# Characters of an answer that the client cuts off: none of 300,000.
CAP = 0
KINDS = {"BeforeAgent": "prompt", "BeforeTool": "tool_before", "AfterAgent": "stop", "SessionEnd": "session_end"}
# The events that are answered, in the order of a conversation, with the seconds that the client is told to give each.
TIMEOUTS = {"BeforeAgent": 5, "BeforeTool": 5, "AfterAgent": 60, "SessionEnd": 5}
# What another hook added at the start, before the prompt; and what the client adds behind it, of files that it names.
ADDED, ADDED_END = "<hook_context>", "</hook_context>"
REFERENCED = "\n--- Content from referenced files ---"
# The client submits these itself; the first may hold what a process printed.
SYNTHETIC = ("User steering update:\n<user_input>", "Background execution update:\n<background_output>")
# What is set wherever the client runs, and the seconds that what was entered comes before, also after a ``/clear``.
RUNNING, BEFORE, BEFORE_CLEAR = "GEMINI_SESSION_ID", 60, 10
# After these nothing is typed in that process any more.
ENDING = ("/quit", "/exit")
# How the person calls our skill.
COMMAND = "/limpet"
# The options with which the client takes a prompt without a terminal.
PRINTING = ("-p", "--prompt")


def is_headless() -> bool:
    """No variable tells it, so the client is looked for among the processes above."""
    from limpet.hosts.surroundings import is_attended

    return not is_attended(HOST, lambda word: word.partition("=")[0] in PRINTING)


def read_event(name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
    event = _read_event(name, payload)
    if event.kind != "prompt":
        return event
    if event.prompt.startswith(SYNTHETIC) or (payload_text_of(payload, "prompt") and not event.prompt.strip()):
        return event.replace(origin=SYSTEM)
    if not environment.get(RUNNING):
        return event.replace(origin=TYPED)
    origin = _find_origin(event, payload)
    event = event.replace(origin=origin, entry=HOST if origin == SCRIPT else "")
    return _with_name(event) if origin == TYPED else event


def _read_event(name: str, payload: dict[str, Any]) -> Event:
    """A sub-agent has no prompt event of its own, and its tool calls cannot be told from the main agent's."""
    kind = KINDS.get(name, "other")
    given = payload_text_of(payload, "prompt") if kind == "prompt" else ""  # other events repeat it
    event = read_common(kind, HOST, payload)
    return event.replace(prompt=_typed(given), source=payload_text_of(payload, "reason"))


def render_reply(name: str, reply: Reply) -> str:
    kind, reply = KINDS.get(name), made_visible(reply)
    answer: dict[str, object] = {"systemMessage": reply.message} if reply.message else {}
    if kind == "prompt" and reply.block:
        answer["hookSpecificOutput"] = {"hookEventName": name, "additionalContext": reply.block}
    elif kind == "tool_before" and reply.verdict == "ask":  # of a question, the client shows the message alone
        answer = {"decision": "ask", "systemMessage": "\n".join(filter(None, (reply.reason, reply.message)))}
    elif kind == "tool_before" and reply.verdict:
        answer |= {"decision": "deny", "reason": reply.reason}
    elif kind == "stop" and reply.unfinished:
        # The agent gets it as a prompt, for which the prompt's event comes again: as a block it is known for ours.
        answer |= {"decision": "deny", "reason": f"{BLOCK}>\n{reply.unfinished}\n{BLOCK_END}"}
    return dumps(answer) if answer and kind not in (None, "session_end") else ""


def _find_origin(event: Event, payload: dict[str, Any]) -> str:
    """What was typed is the last entry of the history when the hook runs, after a ``/clear`` under the id of the one
    before; of a command file the entry is the command, and the prompt the file's text."""
    last = _last_entered(event)
    entered, prompt = payload_text_of(last, "message").split(), event.prompt.split()
    age = seconds_of(payload.get("timestamp")) - seconds_of(last.get("timestamp"))
    if not entered or abs(age) > (BEFORE if last.get("sessionId") == event.session else BEFORE_CLEAR):
        return SCRIPT
    if prompt == entered:
        return TYPED
    if entered[0][:1] != "/" or entered[0] in ENDING:
        return SCRIPT
    return TYPED if prompt == entered[1:] else COMMAND_FILE  # of a skill the words behind its name come alone


def _with_name(event: Event) -> Event:
    """With ``/limpet`` before the prompt, where that was typed: of a skill the words behind its name come alone, in the
    transcript too."""
    message = payload_text_of(_last_entered(event), "message")
    own = message.split(None, 1)[:1] == [COMMAND] and not event.prompt.startswith(COMMAND)
    prompt = f"{COMMAND} {event.prompt}".rstrip()
    return event.replace(prompt=prompt, announced=tuple(filter(None, [event.prompt]))) if own else event


def _last_entered(event: Event) -> Mapping[str, object]:
    return last_entered(os.path.dirname(os.path.dirname(event.transcript)))


def _typed(prompt: str) -> str:
    """What another hook added ends where the last of its marks does: it could hold one itself."""
    if prompt.startswith(ADDED):
        prompt = prompt.rpartition(ADDED_END)[2].lstrip()
    return without_blocks(prompt.partition(REFERENCED)[0])
