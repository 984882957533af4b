"""Copilot CLI's log of a conversation, which has one JSON object a line (format as observed on 1.0.102): usage of the
context window and messages. The prompt hook imports it.

No event follows a compaction, which also comes in the midst of a turn, so one before the newest answer is told as well.
"""

from __future__ import annotations

import os

from limpet.ground.clock import iso, seconds_of
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.message import Message
from limpet.ground.text.escaping import clip
from limpet.transcripts import tail
from limpet.transcripts.messages import (
    LIMIT,
    LONGEST_INPUT,
    LONGEST_RESULT,
    ListedTask,
    UsageLine,
    clip_middle,
    cost_of,
    count_of,
    gather,
    mapping_of,
    records_of,
    text_of,
    without_tags,
)
from limpet.transcripts.tail import USAGE_SCAN, Reading, holds_since, lines_from, lines_from_end, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limpet.transcripts.messages import Record

LOG = "events.jsonl"
# Inside a JSON string a quotation mark is escaped, so text that merely mentions these words does not match.
USAGE, PROMPT = "session.usage_record", "user.message"
COMPACTED, TRUNCATED, INFORMED = "session.compaction_complete", "session.truncation", "session.info"
_USAGE, _PROMPT = f'"{USAGE}"'.encode(), f'"{PROMPT}"'.encode()
_BOUNDARIES = tuple(f'"{kind}"'.encode() for kind in (COMPACTED, TRUNCATED, INFORMED))
# What an answer cost.
COSTS = ("inputTokens", "cacheWriteTokens", "cacheReadTokens", "outputTokens")
# Milliseconds since 1970 that are no time.
FAR = 10**14
BEGUN, ENDED, TYPED, SAID = "hook.start", "hook.end", "user.message", "assistant.message"
CALLED, DONE, ANSWERED = "tool.execution_start", "tool.execution_complete", "human_response.recorded"
_MARKS = tuple(f'"{kind}"'.encode() for kind in (BEGUN, ENDED, TYPED, SAID, CALLED, DONE, ANSWERED))
# The client's arguments -> ours; its tools -> what its hooks call them.
INPUTS = {"path": "file_path", "command": "command", "description": "description", "pattern": "pattern", "url": "url"}
TOOLS = {
    **{"bash": "Bash", "powershell": "PowerShell", "view": "Read", "create": "Write", "edit": "Edit"},
    **{"apply_patch": "Edit", "grep": "Grep", "rg": "Grep", "glob": "Glob", "task": "Agent"},
}
# A task's status in the list that the model keeps -> ours.
STATUS = {"done": "completed", "blocked": "pending"}


def copilot_home() -> str:
    return os.environ.get("COPILOT_HOME") or os.path.join(os.path.expanduser("~"), ".copilot")


def conversations() -> str:
    """Has a folder for each conversation, named by its id."""
    return os.path.join(copilot_home(), "session-state")


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    """The newest compaction counts since the prompt that led to the last answer; before it, none is new."""
    found = Reading(size=size_of(path))
    for offset, line in lines_from_end(path, limit=limit):
        if offset < since or (found.used and _PROMPT in line and main_agents_lines(line, PROMPT)):
            break
        if is_boundary(line):
            return found.replace(boundary=offset)
        if not found.used and _USAGE in line:
            usage = mapping_of(main_agents_lines(line, USAGE).get("usage"))
            # The tokens that were cached are among those that went in.
            used = count_of(usage, "inputTokens") + count_of(usage, "outputTokens")
            window = count_of(usage, "maxPromptTokens")
            if used:
                found = found.replace(used=used, model=text_of(usage, "model"), window=window or None, at=offset)
    return found


def read_answers(path: str) -> Iterator[UsageLine]:
    for _, _, line in lines_from(path, 0, LIMIT):
        usage = mapping_of(main_agents_lines(line, USAGE).get("usage")) if _USAGE in line else {}
        if count_of(usage, "inputTokens") and usage.get("initiator") != "sub-agent":
            at = seconds_of(read_object(line).get("timestamp"))
            yield cost_of(usage, COSTS, id=text_of(usage, "apiCallId"), at=at)


def find_parent(path: str, used: int = 0) -> str:
    return ""


def holds(path: str, needle: bytes) -> bool:
    return holds_since(path, needle, is_boundary)


def session_of(path: str) -> str:
    return os.path.basename(os.path.dirname(path))


def is_boundary(line: bytes) -> bool:
    """A compaction that was made, messages that the model is sent no more, or the person went back in the conversation:
    what came later is out of the log too."""
    if not any(mark in line for mark in _BOUNDARIES):
        return False
    made, cut = main_agents_lines(line, COMPACTED).get("success"), main_agents_lines(line, TRUNCATED)
    is_back = main_agents_lines(line, INFORMED).get("infoType") == "rewind"
    return made is True or is_back or count_of(cut, "messagesRemovedDuringTruncation") > 0


def main_agents_lines(line: bytes, kind: str) -> Record:
    """Nothing for a line of another kind, a broken one, or one of a subagent's."""
    record = read_object(line)
    return mapping_of(record.get("data")) if record.get("type") == kind and not record.get("agentId") else {}


def read_messages(
    path: str, since: int = 0, limit: int = LIMIT, root: str = "", left: bool = False
) -> tuple[list[Message], int]:
    """Of what the person went back before the log has nothing any more."""
    known: dict[str, Message] = {}
    lines = lines_from(path, since, limit)
    return gather(lines, since, root, lambda at, line: _read_line(known, at, line), (), left)


def epoch_start(path: str) -> int:
    return tail.epoch_start(path, lambda line: is_boundary(line) and not main_agents_lines(line, INFORMED))


def holds_prompts(path: str, ids: Collection[str]) -> bool:
    """The ids are the times at which the prompts' hooks were called."""
    lines = (line for _, _, line in lines_from(path, 0, LIMIT) if b'"userPromptSubmitted"' in line)
    return any(_prompt_id(read_object(line)) in ids for line in lines)


def read_task_list(path: str) -> tuple[ListedTask, ...]:
    import sqlite3
    from contextlib import closing

    place = os.path.join(os.path.dirname(path), "session.db")
    if not os.path.isfile(place):
        return ()
    try:
        with closing(sqlite3.connect(f"file:{place.replace('?', '%3f').replace('#', '%23')}?mode=ro", uri=True)) as db:
            rows = db.execute("SELECT title, status FROM todos ORDER BY rowid").fetchall()
    except sqlite3.Error:
        return ()
    tasks = ((clip(str(title), LONGEST_INPUT), STATUS.get(status, str(status))) for title, status in rows if title)
    return tuple(ListedTask(*task) for task in tasks)


def _prompt_id(record: Record) -> str:
    data = mapping_of(record.get("data"))
    at = mapping_of(data.get("input")).get("timestamp")
    is_told = record.get("type") == BEGUN and data.get("hookType") == "userPromptSubmitted"
    return f"{iso(at // 1000)[:-1]}.{at % 1000:03}Z" if is_told and isinstance(at, int) and 0 < at < FAR else ""


def _read_line(known: dict[str, Message], offset: int, line: bytes) -> Iterator[Message]:
    """``known``: the calls under way by their ids, and under "" what hooks told: the id of the prompt, and the words
    with which one kept the agent going, which come as a prompt."""
    record = read_object(line) if any(mark in line for mark in _MARKS) else {}
    if not record or record.get("agentId"):
        return
    kind, data, hooks = record.get("type"), mapping_of(record.get("data")), known.get("", Message(role=""))
    at, said = seconds_of(record.get("timestamp")), text_of(data, "content")
    origin = Message(role="", at=at, offset=offset, id=text_of(record, "id"), prompt=hooks.prompt)
    if kind == BEGUN:
        known[""] = hooks.replace(prompt=_prompt_id(record) or hooks.prompt)
    elif kind == ENDED:
        known[""] = hooks.replace(text=text_of(mapping_of(data.get("output")), "reason") or hooks.text)
    elif kind == TYPED and not data.get("source"):
        known[""], words = hooks.replace(text=""), without_tags(said, ("limpet-context",)).strip()
        if words and said != hooks.text:
            yield origin.replace(role="user", text=clip_middle(words))
    elif kind == SAID and said.strip():
        yield origin.replace(role="assistant", text=clip_middle(said.strip()))
    elif kind == CALLED:
        given, tool, call = mapping_of(data.get("arguments")), text_of(data, "toolName"), text_of(data, "toolCallId")
        short = {ours: clip(text_of(given, key), LONGEST_INPUT) for key, ours in INPUTS.items() if text_of(given, key)}
        known[f"call {call}"] = origin.replace(tool=TOOLS.get(tool, tool), tool_input=short)
    elif kind == DONE:
        yield from _read_outcome(data, origin, known)
    elif kind == ANSWERED:
        yield from _read_answer(mapping_of(data.get("response")), origin)


def _read_outcome(data: Record, origin: Message, known: dict[str, Message]) -> Iterator[Message]:
    call = text_of(data, "toolCallId")
    begun = known.pop(f"call {call}", origin)
    done = origin.replace(role="tool", tool=begun.tool, tool_input=begun.tool_input, tool_use_id=call)
    error, output = mapping_of(data.get("error")), text_of(mapping_of(data.get("result")), "content")
    ended = mapping_of(data.get("shellExecution")).get("exitCode")
    if data.get("isUserRequested") or error.get("code") == "denied":
        return
    if data.get("success") is not True or (isinstance(ended, int) and ended):
        yield done.replace(failed=True, error=clip_middle(text_of(error, "message") or output, LONGEST_RESULT))
        return
    files = [text_of(edit, "path") for edit in records_of(data, "fileEdits")]
    for path in files or [""]:
        given = {**done.tool_input, **({"file_path": path} if path else {})}
        yield done.replace(text=clip_middle(output, LONGEST_RESULT), edited=path, tool_input=given)


def _read_answer(response: Record, origin: Message) -> Iterator[Message]:
    given = mapping_of(response.get("content")).values()
    answer = "\n".join(value if isinstance(value, str) else dumps(value) for value in given)
    for role, said in (("assistant", text_of(response, "message")), ("user", answer)):
        if said.strip():
            yield origin.replace(role=role, text=clip_middle(said.strip()))
