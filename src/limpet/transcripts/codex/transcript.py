"""Codex CLI's transcript as a ``Transcript`` (format as observed on 0.169.0). Separate from ``usage``, which the prompt
hook imports.

Of what stands there the items are read that came to an end: they tell what a person typed from what client and hooks
wrote, and name the tools that a script calls. A call that was denied or could not be run leaves none.
"""

from __future__ import annotations

import os

from limpet.ground.clock import seconds_of
from limpet.ground.formats.json_text import read_object
from limpet.ground.text.escaping import clip
from limpet.transcripts import tail
from limpet.transcripts.codex.turn import BEGUN, CALL, SYNTHETIC, newest, without_editor
from limpet.transcripts.codex.usage import first_record, is_boundary, payload_of
from limpet.transcripts.messages import (
    LIMIT,
    LONGEST_INPUT,
    LONGEST_RESULT,
    ListedTask,
    Message,
    clip_middle,
    gather,
    mapping_of,
    records_of,
    text_of,
    without_tags,
)
from limpet.transcripts.tail import EPOCH, lines_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limpet.transcripts.base import TokenUsage, Transcript
    from limpet.transcripts.codex import transcript, usage
    from limpet.transcripts.messages import Record

    hot: TokenUsage = usage
    cold: Transcript = transcript

# Of the transcripts of all projects so many are looked at, the newest.
NEWEST = 1000
_ITEM = b'"item_completed"'


def read_messages(path: str, since: int = 0, limit: int = LIMIT, root: str = "") -> tuple[list[Message], int]:
    """Return the messages from byte ``since``, at most of some ``limit`` bytes, and the byte at which to continue."""
    return gather(path, since, limit, root, lambda at, line: _read_item(read_object(line), at) if _ITEM in line else ())


def epoch_start(path: str) -> int:
    """Return the byte of the line that begins the newest context epoch, or the newest part of a long one."""
    return tail.epoch_start(path, is_boundary)


def find_transcripts(root: str) -> list[str]:
    """Return the paths of the transcripts of conversations begun in ``root``, but not of subagents', newest first."""
    home = os.environ.get("CODEX_HOME") or os.path.join(os.path.expanduser("~"), ".codex")
    days = os.walk(os.path.join(home, "sessions"))  # folders and files are named after their time
    paths = sorted((os.path.join(folder, name) for folder, _, names in days for name in names), reverse=True)
    begun = ((path, first_record(path)) for path in paths[:NEWEST])
    own = ((path, text_of(each, "cwd")) for path, each in begun if each.get("thread_source") != "subagent")
    return [path for path, folder in own if folder and os.path.realpath(folder) == os.path.realpath(root)]


def holds_prompts(path: str, ids: Collection[str]) -> bool:
    begun = (payload_of(line, "event_msg") for _, _, line in lines_from(path, 0, LIMIT) if BEGUN in line)
    return any(text_of(each, "turn_id") in ids for each in begun)


def read_task_list(path: str) -> tuple[ListedTask, ...]:
    """Return the plan that the model wrote last, where the user's settings give it the tool for it."""
    plan = next((each for each in newest(path, CALL, EPOCH) if each.get("name") == "update_plan"), {})
    steps = records_of(read_object(text_of(plan, "arguments")), "plan")
    told = ((clip(text_of(step, "step"), LONGEST_INPUT), text_of(step, "status")) for step in steps)
    return tuple(ListedTask(text=text, status=status) for text, status in told if text)


def _read_item(record: Record, offset: int) -> Iterator[Message]:
    payload = mapping_of(record.get("payload"))
    item, at = mapping_of(payload.get("item")), seconds_of(record.get("timestamp"))
    kind, name = item.get("type"), text_of(item, "id")
    origin = Message(role="", at=at, offset=offset, id=name, prompt=text_of(payload, "turn_id"))
    said = "\n".join(filter(None, (text_of(part, "text") for part in records_of(item, "content"))))
    if kind == "UserMessage":
        typed = without_tags(without_editor(said), ("limpet-context",)).strip()
        if typed and not typed.startswith(SYNTHETIC):
            yield origin.replace(role="user", text=clip_middle(typed))
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
