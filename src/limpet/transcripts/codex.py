"""Codex CLI's transcript, which has one JSON object a line (format as observed on 0.169.0): usage of the context
window, who began the newest turn, which hooks are not told, and messages. The prompt hook imports it.

Of the messages those items are read that came to an end: they tell what a person typed from what client and hooks
wrote, and name the tools that a script calls. A call that was denied or could not be run leaves none.
"""

from __future__ import annotations

import os

from limpet.ground.clock import seconds_of
from limpet.ground.formats.json_text import read_object
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
from limpet.transcripts.tail import EPOCH, USAGE_SCAN, Reading, holds_since, lines_from, lines_from_end, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from limpet.transcripts.messages import Record, Span

# Bytes of a first line, and letters of an id.
FIRST_LINE, ID = 1024 * 1024, 36
# Inside a JSON string a quotation mark is escaped, so text that merely mentions these words does not match.
USAGE_MARK, MODEL_MARK, BOUNDARY_MARK = b'"token_count"', b'"turn_context"', b'"compacted"'
# The person went back by so many turns.
BACK = "thread_rolled_back"
WINDOW = "model_context_window"
# What an answer cost.
COSTS = ("input_tokens", "cache_write_input_tokens", "cached_input_tokens", "output_tokens")
# Bytes from the end within which the beginning of the turn is looked for.
TURN_SCAN = 8 * 1024 * 1024
# A turn begins; a tool is called.
BEGUN, CALL = b'"task_started"', b'"function_call"'
# Somebody said something, in newer rollouts and in older ones.
SAID = (b'"UserMessage"', b'"user_message"')
# What an editor puts before the person's words, and what stands between the two; what ``/init`` submits; and
EDITOR, REQUEST = "# Context from my IDE setup:", "## My request for Codex:"
# what it submits for a person who chose to carry out a plan.
SYNTHETIC = "Generate a file named AGENTS.md that serves as a contributor guide"
PLANS = ("Implement the plan.", "Read the approved plan at ")
_ITEM = b'"item_completed"'
# What rollouts before 0.151 have in its place.
_OLDER = {b'"user_message"': "UserMessage", b'"agent_message"': "AgentMessage"}


def read_usage(path: str, since: int = 0, limit: int = USAGE_SCAN) -> Reading:
    found = Reading(size=size_of(path))
    for offset, line in lines_from_end(path, limit=limit):
        if offset < since or (found.used and found.model):
            break
        if is_boundary(line):
            return found if found.used else Reading(size=found.size, boundary=offset)
        if MODEL_MARK in line and not found.model:
            found = found.replace(model=text_of(payload_of(line, "turn_context"), "model") or None)
        elif USAGE_MARK in line and not found.used:
            used, window = _figures(line)
            found = found.replace(used=used, window=window, at=offset) if used else found
    return found if found.used else Reading(size=found.size)


def find_parent(path: str, used: int = 0) -> str:
    begun = first_record(path)
    session, folder = text_of(begun, "forked_from_id"), os.path.dirname(path)
    days = os.path.dirname(os.path.dirname(os.path.dirname(folder)))
    if len(session) != ID:
        return ""
    paths = _files_below(days if os.path.basename(days) == "sessions" else folder)
    return next((each for each in paths if each.endswith(f"{session}.jsonl")), "")


def holds(path: str, needle: bytes) -> bool:
    return holds_since(path, needle, is_boundary)


def session_of(path: str) -> str:
    return os.path.splitext(path)[0][-ID:]


def is_boundary(line: bytes) -> bool:
    """A compaction, or the person went back."""
    return _turns_back(line) > 0 or (BOUNDARY_MARK in line and read_object(line).get("type") == "compacted")


def first_record(path: str) -> Record:
    line = next((line for _, _, line in lines_from(path, 0, 1, FIRST_LINE)), b"")
    return payload_of(line, "session_meta")


def payload_of(line: bytes, kind: str) -> Record:
    record = read_object(line)
    return mapping_of(record.get("payload")) if record.get("type") == kind else {}


def without_editor(prompt: str) -> str:
    """What is selected in the editor stands before the last request."""
    return prompt.rpartition(REQUEST)[2].lstrip() if prompt.startswith(EDITOR) and REQUEST in prompt else prompt


def read_attribution(path: str, turn: str) -> Record | None:
    """Return what began the newest turn: ``turn_trigger`` (``user``, ``exec``, ``queue``, ``goal``, None for a program)
    and ``parent_turn_id``, which older clients did not write. None where that is another turn than ``turn``."""
    begun = next((each for each in newest(path, BEGUN, TURN_SCAN) if each.get("type") == "task_started"), {})
    return None if begun and begun.get("turn_id") != turn else mapping_of(begun.get("turn_attribution"))


def newest(path: str, mark: bytes, limit: int) -> Iterator[Record]:
    lines = (line for _, line in lines_from_end(path, limit=limit) if mark in line)
    return (mapping_of(read_object(line).get("payload")) for line in lines)


def read_messages(
    path: str, since: int = 0, limit: int = LIMIT, root: str = "", left: bool = False
) -> tuple[list[Message], int]:
    begun: dict[str, Record] = {}
    is_older = not any(SAID[0] in line for _, _, line in lines_from(path, 0, LIMIT))
    if is_older and first_record(path).get("source") == "exec":
        begun[""] = {"turn_trigger": "exec"}

    def read(offset: int, line: bytes) -> Iterable[Message]:
        if BEGUN in line:
            turn = payload_of(line, "event_msg")
            begun[text_of(turn, "turn_id")] = mapping_of(turn.get("turn_attribution"))
        if is_older and any(mark in line for mark in _OLDER):
            return _read_item(_as_item(read_object(line)), offset, begun)
        return _read_item(read_object(line), offset, begun) if _ITEM in line else ()

    return gather(lines_from(path, since, limit), since, root, read, find_branches(path), left)


def find_branches(path: str) -> list[Span]:
    """Going back takes away the newest turns in which a person said something."""
    turns: list[int] = []
    spans: list[Span] = []
    newest = said = ""
    for offset, _, line in lines_from(path, 0, LIMIT):
        if BEGUN in line:
            newest = text_of(payload_of(line, "event_msg"), "turn_id")
        elif any(mark in line for mark in SAID) and (said != newest or not newest):
            said = newest
            turns.append(offset)
        elif count := _turns_back(line):
            spans.append((min(turns[-count:], default=offset), offset))
            del turns[-count:]
    return spans


def epoch_start(path: str) -> int:
    return tail.epoch_start(path, lambda line: is_boundary(line) and not _turns_back(line))


def holds_prompts(path: str, ids: Collection[str]) -> bool:
    begun = (payload_of(line, "event_msg") for _, _, line in lines_from(path, 0, LIMIT) if BEGUN in line)
    return any(text_of(each, "turn_id") in ids for each in begun)


def read_task_list(path: str) -> tuple[ListedTask, ...]:
    """Where the user's settings give the model the tool for it."""
    plan = next((each for each in newest(path, CALL, EPOCH) if each.get("name") == "update_plan"), {})
    steps = records_of(read_object(text_of(plan, "arguments")), "plan")
    told = ((clip(text_of(step, "step"), LONGEST_INPUT), text_of(step, "status")) for step in steps)
    return tuple(ListedTask(text=text, status=status) for text, status in told if text)


def read_answers(path: str) -> Iterator[UsageLine]:
    """The sum of all answers tells them apart: the client writes one again with news of its limits."""
    turn = ""
    for _, _, line in lines_from(path, 0, LIMIT):
        if BEGUN in line:
            turn = text_of(payload_of(line, "event_msg"), "turn_id") or turn
        if USAGE_MARK not in line or not _figures(line)[0]:
            continue
        record, info = read_object(line), mapping_of(payload_of(line, "event_msg").get("info"))
        at, total = seconds_of(record.get("timestamp")), mapping_of(info.get("total_token_usage"))
        told = mapping_of(info.get("last_token_usage"))
        yield cost_of(told, COSTS, id=str(total.get("total_tokens")), at=at, prompt=turn)


def _turns_back(line: bytes) -> int:
    payload = payload_of(line, "event_msg") if BACK.encode() in line else {}
    return count_of(payload, "num_turns") if payload.get("type") == BACK else 0


def _figures(line: bytes) -> tuple[int, int | None]:
    """(Tokens of an answer, of the window); 0 for none: after a compaction an estimate without any input is told."""
    payload = payload_of(line, "event_msg")
    info = mapping_of(payload.get("info"))
    told = mapping_of(info.get("last_token_usage"))
    asked, used, window = count_of(told, "input_tokens"), count_of(told, "total_tokens"), count_of(info, WINDOW)
    return used if payload.get("type") == "token_count" and asked else 0, window or None


def _files_below(folder: str) -> Iterator[str]:
    for place, _, names in os.walk(folder):
        for name in names:
            yield os.path.join(place, name)


def find_entry(attribution: Record) -> str | None:
    """Return by what program a prompt came, "" where a person typed it, None for what an agent sent."""
    trigger = attribution.get("turn_trigger", "user")
    if attribution.get("parent_turn_id") or trigger in ("queue", "goal"):
        return None
    return "" if trigger == "user" else str(trigger or "app-server")


def _as_item(record: Record) -> Record:
    said = mapping_of(record.get("payload"))
    kind = _OLDER.get(f'"{said.get("type")}"'.encode(), "")
    item = {"type": kind, "id": said.get("client_id"), "content": [{"text": said.get("message")}]}
    return {**record, "payload": {"item": item}}


def _read_item(record: Record, offset: int, begun: Mapping[str, Record]) -> Iterator[Message]:
    payload = mapping_of(record.get("payload"))
    item, at = mapping_of(payload.get("item")), seconds_of(record.get("timestamp"))
    kind, name = item.get("type"), text_of(item, "id")
    origin = Message(role="", at=at, offset=offset, id=name, prompt=text_of(payload, "turn_id"))
    said = "\n".join(filter(None, (text_of(part, "text") for part in records_of(item, "content"))))
    if kind == "UserMessage":
        typed = without_tags(without_editor(said), ("limpet-context",)).strip()
        entry = find_entry(begun.get(origin.prompt, {}))
        if typed and entry is not None and not typed.startswith((SYNTHETIC, *PLANS)):
            yield origin.replace(role="user", text=clip_middle(typed), entry=entry)
    elif kind == "AgentMessage" and said.strip():
        yield origin.replace(role="assistant", text=clip_middle(said.strip()))
    elif item.get("status") in ("completed", "failed"):
        yield from _read_call(item, origin.replace(role="tool", tool_use_id=name))


def _read_call(item: Record, call: Message) -> Iterator[Message]:
    kind, failed = item.get("type"), item.get("status") == "failed"
    said, calls = text_of(item, "stderr" if failed else "stdout"), list[Message]()
    if kind == "CommandExecution":
        words = item.get("command")
        command = str(words[-1]) if isinstance(words, list) and words else ""
        calls = [call.replace(tool="Bash", tool_input={"command": clip(command, LONGEST_INPUT)})]
        said = text_of(item, "aggregated_output").strip() or f"exit code {item.get('exit_code')}"
    elif kind == "FileChange":
        named = ((path, "" if failed else path) for path in mapping_of(item.get("changes")))
        calls = [call.replace(tool="apply_patch", tool_input={"file_path": path}, edited=to) for path, to in named]
    elif kind == "McpToolCall":
        calls = [call.replace(tool=f"mcp__{item.get('server')}__{item.get('tool')}")]
        said = text_of(mapping_of(item.get("error")), "message")
    told = {"failed": failed, "error" if failed else "text": clip_middle(said, LONGEST_RESULT)}
    yield from (each.replace(**told) for each in calls)
