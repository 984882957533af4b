"""Makes text safe for the block: escaped, without characters that XML forbids, and on one line for attributes."""

from __future__ import annotations

# Letters that nobody sees but a model: they part a word. They go.
UNSEEN_LETTERS = (
    *(0xAD, 0x34F, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x2060, 0x2065), *range(0x206A, 0x2070), 0xFEFF),
    *range(0xFFF9, 0xFFFC),
)
# What XML forbids, what steers a terminal, and the tags block, which says what nobody reads: control characters,
# overrides of the direction. U+0085 is a white space.
_STEERING = (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080))
# They join signs of an emoji and letters of some scripts; beside a letter of ASCII they join nothing.
_JOINERS = "\u200c\u200d"
HIDDEN: dict[int, str | None] = {
    **{code: "\ufffd" for code in (*_STEERING, 0xFFFE, 0xFFFF) if code not in (9, 10, 13, 0x85)},
    **{code: None for code in UNSEEN_LETTERS if chr(code) not in _JOINERS},
}
_ESCAPES = HIDDEN | {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_ATTRIBUTE_ESCAPES = _ESCAPES | {ord('"'): "&quot;", ord("\n"): " ", ord("\r"): " ", ord("\t"): " "}
_UNSTEERED = HIDDEN | {ord("\r"): "\ufffd", 0x85: "\ufffd"}

# Letters of a word that is not cut; characters below which the words before a command say nothing.
_LONGEST_WORD = 24
_LEAST_WORDS = 12


def escape(text: str) -> str:
    return _printable(text).translate(_ESCAPES)


def escape_attribute(text: str) -> str:
    return _printable(text).translate(_ATTRIBUTE_ESCAPES)


def clip(text: str, characters: int) -> str:
    """With an ellipsis where it was cut, between two words if it can be."""
    if len(text) <= characters:
        return text
    end = max(0, characters - 3)
    space = end if text[end].isspace() else text.rfind(" ", max(end // 2, end - _LONGEST_WORD), end)
    return text[: space if space > 0 else end].rstrip() + "..."


def clip_words(text: str, characters: int) -> str:
    """A command at its end, in backticks or brackets, stays whole, or goes wholly."""
    if len(text) <= characters:
        return text
    start = text.rfind("(") if text.endswith(")") else -1
    if text.endswith("`"):
        start = text.rfind("`", 0, -1)
    if start < 0:
        return clip(text, characters)
    words, command = text[:start].rstrip(), text[start:]
    room = characters - len(command) - 1
    return f"{clip(words, room)} {command}" if room >= _LEAST_WORDS else clip(f"{words}...", characters)


def visible(text: str) -> str:
    """Without control characters, which could steer a terminal or reverse the direction of a line."""
    return _printable(text).translate(_UNSTEERED)


def on_one_line(text: str) -> str:
    """Without line breaks either, so that a name in it is no line of its own; no tag is closed."""
    return visible(" ".join(text.splitlines())).replace("</", "< /")


def _printable(text: str) -> str:
    if text.isascii():
        return text
    text = text.encode("utf-8", "replace").decode("utf-8")
    if not any(joiner in text for joiner in _JOINERS):
        return text
    around = zip(text, f" {text}", f"{text[1:]} ", strict=False)
    return "".join(c for c, before, after in around if c not in _JOINERS or not (before.isascii() or after.isascii()))
