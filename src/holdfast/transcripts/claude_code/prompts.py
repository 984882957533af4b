"""Finds prompts in Claude Code's transcript by the ids that a forked conversation's copy keeps."""

from __future__ import annotations

from holdfast.ground.formats.json_text import loads
from holdfast.transcripts.forward import lines_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

# Inside a JSON string a quotation mark is escaped, so text that merely mentions the key does not match.
_KEY = b'"promptId"'
# Bytes of a transcript that are searched.
LIMIT = 256 * 1024 * 1024


def holds_prompts(path: str, ids: Collection[str]) -> bool:
    """Return whether a line belongs to one of these prompts."""
    return any(_prompt_on(line) in ids for _, _, line in lines_from(path, 0, LIMIT) if _KEY in line)


def _prompt_on(line: bytes) -> object:
    try:
        record = loads(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    found = record.get("promptId") if isinstance(record, dict) else None
    return found if isinstance(found, str) else None
