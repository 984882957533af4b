"""The parts of a transcript's records, whatever a line holds in their place, and texts made of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Record = Mapping[str, object]


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


def question_of(asked: Record) -> str:
    """Return a dialog's question with its options, as a model would write them."""
    options = (
        f"{text_of(option, 'label')}: {text_of(option, 'description')}" for option in records_of(asked, "options")
    )
    lines = [f"{number}. {option.rstrip(': ')}" for number, option in enumerate(options, 1)]
    return "\n".join((*lines, text_of(asked, "question")))


def clip_middle(text: str, characters: int) -> str:
    """Return the beginning and the end of a long text: a request is found at the one, an error at the other."""
    if len(text) <= characters:
        return text
    half = characters // 2
    return f"{text[:half]}\n...\n{text[-half:]}"
