"""What Codex CLI's hooks must know of the newest turn and are not told: who began it, and where its commands run
(format observed on 0.169.0). Separate, because the hook of a tool call imports it."""

from __future__ import annotations

from holdfast.ground.formats.json_text import dumps, read_object
from holdfast.transcripts.records import mapping_of, text_of
from holdfast.transcripts.tail import lines_from_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.transcripts.records import Record

# Bytes from the end within which the beginning of the turn is looked for, and the call, which is the newest.
TURN_SCAN, CALL_SCAN = 8 * 1024 * 1024, 1024 * 1024
# A turn begins; a tool is called; so is the one whose scripts call the others, with ids of their own.
BEGUN, CALL, SCRIPT, OF_SCRIPTS = b'"task_started"', b'"function_call"', b'"custom_tool_call"', "exec-"
# What an editor puts before the person's words, and what stands between the two; and what ``/init`` submits.
EDITOR, REQUEST = "# Context from my IDE setup:", "## My request for Codex:"
SYNTHETIC = "Generate a file named AGENTS.md that serves as a contributor guide"


def without_editor(prompt: str) -> str:
    """Return the person's words of a prompt."""
    return prompt.partition(REQUEST)[2].lstrip() if prompt.startswith(EDITOR) and REQUEST in prompt else prompt


def read_trigger(path: str, turn: str) -> str:
    """Return what began the newest turn, if that is ``turn``: ``user``, ``exec``, ``queue`` or ``goal``; else ""."""
    begun = next((each for each in newest(path, BEGUN, TURN_SCAN) if each.get("type") == "task_started"), {})
    return text_of(mapping_of(begun.get("turn_attribution")), "turn_trigger") if begun.get("turn_id") == turn else ""


def read_folder(path: str, call: str, command: str) -> str:
    """Return the folder that a call names for its command, "" for none.

    Of a call that a script makes only the script is known: there it counts where it stands as a plain text, beside the
    command if that can be told.
    """
    if not call.startswith(OF_SCRIPTS):
        given = next(newest(path, CALL, CALL_SCAN, call.encode()), {}) if call else {}
        return text_of(read_object(text_of(given, "arguments")), "workdir")
    script = next((text_of(each, "input") for each in newest(path, SCRIPT, CALL_SCAN)), "")
    calls = script.split("exec_command")[1:]
    beside = [each for each in calls if command in each or dumps(command)[1:-1] in each]
    found = {_plain_text(each.partition("workdir")[2]) for each in beside or calls}
    return found.pop() if len(found) == 1 else ""


def newest(path: str, mark: bytes, limit: int, needle: bytes = b"") -> Iterator[Record]:
    """Yield what the lines with both marks hold, the newest first."""
    lines = (line for _, line in lines_from_end(path, limit=limit) if mark in line and needle in line)
    return (mapping_of(read_object(line).get("payload")) for line in lines)


def _plain_text(script: str) -> str:
    """Return the text that stands behind a name in a script, "" for what is none."""
    value = script.lstrip(" \t\n\"'").removeprefix(":").lstrip()
    return value[1:].partition(value[0])[0] if value.startswith(('"', "'")) else ""
