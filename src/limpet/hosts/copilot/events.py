"""Reads Copilot CLI's hook payloads as events and renders replies as its JSON (contract observed on 1.0.102).

An empty answer with exit code 0 leaves all to the client. Any other code denies a tool call, also that of a program
that is not found; elsewhere it is ignored, as a late answer is at every event. The person is shown nothing of ours.

A start is not answered, and all comes with the first prompt: what a start adds stands before the conversation, and only
until it is resumed; the prompt's hook does not wait for it either. Nor is a tool that failed: the log of the
conversation tells it, with the id of the call, and of commands too.
"""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.event import AGENT, SCHEDULED, SCRIPT, SYSTEM, TYPED
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.storage.files import read_text
from limpet.hosts.copilot import HOST
from limpet.hosts.payload import BLOCK, BLOCK_END, made_visible, payload_text_of, read_common, without_blocks
from limpet.transcripts.copilot import LOG, conversations, copilot_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from limpet.ground.event import Event, Reply

PROJECT = "COPILOT_PROJECT_DIR"
SHOWS = False
CARRIES = ""
CONFIRMS = True
# Characters of an answer that the client cuts off: none of 40,000.
CAP = 0
KINDS = {
    "UserPromptSubmit": "prompt",
    "PreToolUse": "tool_before",
    "SubagentStart": "subagent_start",
    "PreCompact": "pre_compact",
    "Stop": "stop",
    "SessionEnd": "session_end",
}
# The events that are answered, in the order of a conversation, with the seconds that the client is told to give each.
TIMEOUTS = {"UserPromptSubmit": 5, "PreToolUse": 5, "SubagentStart": 5, "PreCompact": 20, "Stop": 60, "SessionEnd": 5}
# Subagents have the other events too, prompts among them: their conversation is not concerned.
OF_SUBAGENTS = ("tool_before", "subagent_start")
# The client submits these itself: a command in the background ended, or the work goes on by itself.
SYNTHETIC = ("<system_notification>", "You have not yet marked the task as complete using the task_complete tool.")
# How a scheduled prompt begins, and one that was typed in plan mode, before the words themselves.
TIMED, PLANNED, REQUEST = "[Scheduled prompt #", "[[PLAN]]", "My request:"
# What the environment has in a terminal, and wherever the client runs; and what was entered in the terminal.
IN_TERMINAL, RUNNING, HISTORY = "COPILOT_LOADER_PID", "COPILOT_CLI", "command-history-state.json"
# What comes for a skill that the person called, and what is theirs of it.
SKILL, ARGUMENTS, SKILL_END = 'The user explicitly invoked the "/', "\nARGUMENTS: ", "\n</skill-context>"
# Options with which the client takes prompts from elsewhere than a terminal, beside ``-p``.
PRINTING = ("--prompt", "--acp", "--environment-host")


def is_headless() -> bool:
    from limpet.hosts.surroundings import is_attended

    return not is_attended(HOST, _prints)


def read_event(name: str, payload: dict[str, Any], environment: Mapping[str, str]) -> Event:
    event = _read_event(name, payload)
    origin = _find_origin(event, payload_text_of(payload, "prompt"), environment)
    return event.replace(origin=origin, entry=HOST if origin == SCRIPT else "")


def _read_event(name: str, payload: dict[str, Any]) -> Event:
    kind, subagent = KINDS.get(name, "other"), payload_text_of(payload, "agent_id")
    session = payload_text_of(payload, "parent_agent_id", "session_id", "sessionId")
    given, at = payload_text_of(payload, "prompt"), payload_text_of(payload, "timestamp")
    prompt, tool_input = _typed(given), payload.get("tool_input")
    own_log = os.path.join(conversations(), session, LOG) if session else ""
    if isinstance(tool_input, str):  # a patch
        tool_input = {"input": payload_text_of(payload, "tool_input")}
    event = read_common("other" if subagent and kind not in OF_SUBAGENTS else kind, HOST, payload)
    return event.replace(
        session=session,
        prompt=prompt,
        prompt_id=at,
        transcript=event.transcript or own_log,
        source=payload_text_of(payload, "trigger", "reason"),
        agent_id=subagent,
        agent_type=payload_text_of(payload, "agent_type") if subagent else "",
        tool_input=tool_input if isinstance(tool_input, dict) else None,
        tool_use_id=_call_id(at, tool_input) if kind == "tool_before" else "",
    )


def render_reply(name: str, reply: Reply) -> str:
    kind, reply = KINDS.get(name), made_visible(reply)
    answer: dict[str, object] = {}
    if kind == "tool_before" and reply.verdict:
        answer = {"permissionDecision": reply.verdict, "permissionDecisionReason": reply.reason}
    elif kind == "stop" and reply.unfinished:
        # The agent gets it as a prompt, for which the prompt's event comes again: as a block it is known for ours.
        answer = {"decision": "block", "reason": f"{BLOCK}>\n{reply.unfinished}\n{BLOCK_END}"}
    if reply.block and kind in ("prompt", "tool_before", "subagent_start"):
        answer["additionalContext"] = reply.block
    return dumps(answer) if answer else ""


def _find_origin(event: Event, given: str, environment: Mapping[str, str]) -> str:
    """What was typed in a terminal is the newest entry of the history when the hook runs."""
    if event.prompt.startswith(SYNTHETIC) or (given and not event.prompt.strip()):
        return SYSTEM
    if event.agent_id:
        return AGENT
    if given.startswith(TIMED):
        return SCHEDULED
    if not environment.get(RUNNING) or not given:
        return TYPED
    # Where it was not installed by npm, no loader may be there in a terminal either.
    is_attended = environment.get(IN_TERMINAL) or not is_headless()
    return TYPED if is_attended and _is_entered(given) else SCRIPT


def _is_entered(given: str) -> bool:
    entered = read_object(read_text(os.path.join(copilot_home(), HISTORY), STATE_BYTES)).get("commandHistory")
    newest = str(entered[0]).strip() if isinstance(entered, list) and entered else ""
    is_command = newest.startswith("/") and given.startswith((SKILL, PLANNED))
    return not newest or newest == given.strip() or is_command


def _typed(prompt: str) -> str:
    """Return what was typed of a prompt. Of a skill it is its name and what follows; as the skill's own text could end
    like that, no star-command is heard in it."""
    if prompt.startswith(PLANNED):
        return without_blocks(prompt.partition(REQUEST)[2].lstrip() or prompt)
    if not prompt.startswith(SKILL):
        return without_blocks(prompt)
    name, _, rest = prompt.removeprefix(SKILL).partition('"')
    given = rest.rpartition(ARGUMENTS)[2].removesuffix(SKILL_END) if rest.endswith(SKILL_END) else ""
    is_typed = ARGUMENTS in rest and not given.endswith("\n")
    return f"/{name} {given.replace('*', '') if is_typed else ''}".rstrip()


def _call_id(at: str, given: object) -> str:
    from limpet.ground.digest import digest

    try:
        return f"{at} {digest(dumps(given))}"
    except ValueError:  # nested too deeply
        return at


def _prints(word: str) -> bool:
    """Return whether a word of the client's command line says so; letters may share one ``-``."""
    return (word[:1] == "-" != word[1:2] and "p" in word) or word.partition("=")[0] in PRINTING
