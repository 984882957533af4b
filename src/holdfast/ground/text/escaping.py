"""Makes text safe for the block: escaped, without characters that XML forbids, and on one line for attributes."""

from __future__ import annotations

# Letters that nobody sees but a model: they part a word, or say what a person does not read. They go.
UNSEEN_LETTERS = (
    *(0xAD, 0x34F, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x2060, 0x2065), *range(0x206A, 0x2070), 0xFEFF),
    *(*range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080)),
)
# What XML forbids, and what steers a terminal: control characters, overrides of the direction. U+0085 is a white space.
_STEERING = (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFFFE, 0xFFFF)
HIDDEN: dict[int, str | None] = {
    **{code: "\ufffd" for code in _STEERING if code not in (9, 10, 13, 0x85)},
    **dict.fromkeys(UNSEEN_LETTERS),
}
_ESCAPES = HIDDEN | {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_ATTRIBUTE_ESCAPES = _ESCAPES | {ord('"'): "&quot;", ord("\n"): " ", ord("\r"): " ", ord("\t"): " "}
_UNSTEERED = HIDDEN | {ord("\r"): "\ufffd", 0x85: "\ufffd"}

# Letters of a word that is not cut; characters below which the words before a command say nothing.
_LONGEST_WORD = 24
_LEAST_WORDS = 12


def escape(text: str) -> str:
    """Return the text as an element's content."""
    return _no_surrogates(text).translate(_ESCAPES)


def escape_attribute(text: str) -> str:
    """Return the text as an attribute's value in double quotes."""
    return _no_surrogates(text).translate(_ATTRIBUTE_ESCAPES)


def clip(text: str, characters: int) -> str:
    """Return at most ``characters`` of the text, with an ellipsis where it was cut, between two words if it can be."""
    if len(text) <= characters:
        return text
    end = max(0, characters - 3)
    space = end if text[end].isspace() else text.rfind(" ", max(end // 2, end - _LONGEST_WORD), end)
    return text[: space if space > 0 else end].rstrip() + "..."


def clip_words(text: str, characters: int) -> str:
    """Return at most ``characters`` of the text; a command at its end, in backticks or brackets, stays whole, or goes
    wholly."""
    if len(text) <= characters:
        return text
    start = text.rfind("`", 0, -1) if text.endswith("`") else text.rfind("(") if text.endswith(")") else -1
    if start < 0:
        return clip(text, characters)
    words, command = text[:start].rstrip(), text[start:]
    room = characters - len(command) - 1
    return f"{clip(words, room)} {command}" if room >= _LEAST_WORDS else clip(f"{words}...", characters)


def visible(text: str) -> str:
    """Return the text without control characters, which could steer a terminal or reverse the direction of a line."""
    return text.translate(_UNSTEERED)


def on_one_line(text: str) -> str:
    """Return the text without line breaks either, so that a name in it is no line of its own; no tag is closed."""
    return visible(" ".join(text.splitlines())).replace("</", "< /")


def _no_surrogates(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
