"""Who began the newest turn, which Codex CLI's hooks are not told (format observed on 0.169.0), and what stands in the
person's name that they did not type. Separate, because the prompt hook imports it."""

from __future__ import annotations

from limpet.ground.formats.json_text import read_object
from limpet.transcripts.messages import mapping_of, text_of
from limpet.transcripts.tail import lines_from_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.transcripts.messages import Record

# Bytes from the end within which the beginning of the turn is looked for.
TURN_SCAN = 8 * 1024 * 1024
# A turn begins; a tool is called. Inside a JSON string a quotation mark is escaped, so mere words do not match.
BEGUN, CALL = b'"task_started"', b'"function_call"'
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


def newest(path: str, mark: bytes, limit: int) -> Iterator[Record]:
    """Yield what the lines with a mark hold, the newest first."""
    lines = (line for _, line in lines_from_end(path, limit=limit) if mark in line)
    return (mapping_of(read_object(line).get("payload")) for line in lines)
