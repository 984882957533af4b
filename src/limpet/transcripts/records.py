"""The parts of a transcript's records, whatever a line holds in their place, and texts made of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    Record = Mapping[str, object]

# Characters that are kept of what somebody says.
LONGEST_TEXT = 20_000


def text_of(record: Record, key: str) -> str:
    """Return the text under a key, "" for anything else."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def mapping_of(value: object) -> Record:
    """Return the value, empty where it is no mapping."""
    return value if isinstance(value, dict) else {}


def records_of(record: Record, key: str) -> list[Record]:
    """Return the mappings in the list under a key."""
    found = record.get(key)
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def clip_middle(text: str, characters: int = LONGEST_TEXT) -> str:
    """Return the beginning and the end of a long text: a request is found at the one, an error at the other."""
    if len(text) <= characters:
        return text
    half = characters // 2
    return f"{text[:half]}\n...\n{text[-half:]}"


def without_tags(text: str, tags: Collection[str]) -> str:
    """Return the text without elements of these tags; one that is not closed takes the rest along."""
    for tag in tags:
        kept, at = [], 0
        while (start := text.find(f"<{tag}", at)) >= 0:
            kept.append(text[at:start])
            end = text.find(f"</{tag}>", start)
            at = len(text) if end < 0 else end + len(tag) + 3
        text = "".join(kept) + text[at:]
    return text
