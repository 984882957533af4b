"""Code cut into names, strings and marks, whatever the language."""

from __future__ import annotations

from holdfast.guard.shell.code.strings import STARTS, read_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    Token = tuple[str, str]

# Longer code is not read.
LONGEST = 100_000
NAME, STRING, MARK = "name", "string", "mark"
_BACKTICKS = frozenset(("perl", "ruby", "php", "julia"))
_WITH_PATTERNS = frozenset(("awk", "javascript", "perl", "ruby"))
_BEFORE_PATTERNS = frozenset("(,~!{;&|=:[") | {"return", "split", "if"}


def names_and_strings(text: str, language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names that code uses and the values of its strings."""
    tokens = tokens_of(text[:LONGEST], language)
    strings = tuple(dict.fromkeys(value for kind, value in tokens if kind == STRING))
    return frozenset(value for kind, value in tokens if kind == NAME), strings


def tokens_of(text: str, language: str) -> list[Token]:
    """Return names, strings and marks of code, whatever the language; comments and white space are left out."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        letter = text[at]
        string = read_string(text, at, language) if letter in STARTS else None
        if string is not None:
            kind, value, at = string
            found.append(("backtick" if kind == "`" and language in _BACKTICKS else STRING, value))
        elif letter.isalnum() or letter == "_":
            end = at
            while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                end += 1
            found.append((NAME, text[at:end]))
            at = end
        elif letter == "#" and _is_comment(text, at, language):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif letter == "/" and language in _WITH_PATTERNS and (not found or found[-1][1] in _BEFORE_PATTERNS):
            found.append((MARK, letter))
            at = _end_of_pattern(text, at)
        else:
            if not letter.isspace():
                found.append((MARK, letter))
            at += 1
    return found


def _is_comment(text: str, at: int, language: str) -> bool:
    """Return whether a comment starts here; in awk, Perl and Ruby a mark within a line may be part of a pattern."""
    if language in ("python", "r"):
        return True
    begin = text.rfind("\n", 0, at) + 1
    return language in ("perl", "ruby", "awk", "tcl") and not text[begin:at].strip()


def _end_of_pattern(text: str, at: int) -> int:
    """Return where a pattern such as ``/"/`` ends, or the next letter where it is a division."""
    end = at + 1
    while end < len(text) and text[end] not in "/\n":
        end += 2 if text[end] == "\\" else 1
    return end + 1 if text[end : end + 1] == "/" else at + 1
