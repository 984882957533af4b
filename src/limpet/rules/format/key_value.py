"""Reads the KEY=VALUE grammar of CARL and SYNAPSE, which manifest and domain files share."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Line = tuple[int, str, str | None]

TRUE_WORDS = ("active", "true", "yes", "1", "on")
FALSE_WORDS = ("inactive", "false", "no", "0", "off")


def read_lines(text: str) -> list[Line]:
    """Return (line number, key, value) of each meaningful line; a line without ``=`` has its text as key and None as
    value.

    Blank lines and lines that begin with ``#`` are skipped; the first ``=`` divides; there is no quoting and
    no continuation.
    """
    found: list[Line] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        if not content or content[0] == "#":
            continue
        key, divider, value = content.partition("=")
        found.append((number, key.strip(), value.strip() if divider else None))
    return found


def is_key(text: str) -> bool:
    """Return whether the text before an ``=`` is a key, and not the beginning of a sentence that happens to hold
    one."""
    return text[:1].isalpha() and text == text.upper() and all(c.isalnum() or c in "_-" for c in text)


def is_true(value: str) -> bool:
    """Return whether a value switches something on."""
    return value.lower() in TRUE_WORDS


def read_list(value: str) -> tuple[str, ...]:
    """Return the entries of a comma list, trimmed; empty ones dropped."""
    return tuple(filter(None, map(str.strip, value.split(","))))
