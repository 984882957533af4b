"""Makes text safe for the block: escaped, without characters that XML forbids, and on one line for attributes."""

from __future__ import annotations

from limpet.ground.text.unseen import RANGES

# What XML forbids, what steers a terminal, and the tags block, which says what nobody reads: control characters,
# overrides of the direction. U+0085 is a white space.
_STEERING = (*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0xE0000, 0xE0080))
# Letters that nobody sees but a model go: they part words, and carry what nobody reads. Those of this plane are
# thousands, and looked for by themselves.
_LAST_PLANE, _PAST_TAGS, _PLANE_END = 0xE0000, "\U000e0080", "\U000e1000"
# But for those that join letters of some scripts and signs of an emoji, or choose between two looks, where they do.
_JOINERS, _LOOKS = "\u200c\u200d", "\ufe0e\ufe0f"
_MONGOLIAN, _HANGUL = "\u180b\u180c\u180d\u180f", "\u115f\u1160"
_KEPT = frozenset(_JOINERS + _LOOKS + _MONGOLIAN + _HANGUL)
# Arabic to Indic, Khmer and Mongolian, and the forms of Arabic: here letters are joined, and kept from it.
_JOINED = ((0x600, 0x1B00), (0xFB50, 0xFE00), (0xFE70, 0xFEFF))


def is_unseen(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in RANGES) or "\U000e0000" <= letter < _PAST_TAGS


def _hidden() -> dict[int, str | None]:
    found: dict[int, str | None] = {
        code: "\ufffd" for code in (*_STEERING, 0xFFFE, 0xFFFF) if code not in (9, 10, 13, 0x85)
    }
    for first, last in RANGES:
        if first < _LAST_PLANE:
            found.update(dict.fromkeys(code for code in range(first, last + 1) if chr(code) not in _KEPT))
    return found


HIDDEN = _hidden()
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
    if max(text) >= _PAST_TAGS:
        text = "".join(c for c in text if not _PAST_TAGS <= c < _PLANE_END)
    if _KEPT.isdisjoint(text):
        return text
    around = zip(text, f" {text}", f"{text[1:]} ", strict=False)
    return "".join(c for c, before, after in around if c not in _KEPT or _has_use(c, before, after))


def _has_use(letter: str, before: str, after: str) -> bool:
    if letter in _LOOKS:
        return _is_sign(before) or after == "\u20e3"  # a key: 1️⃣
    if letter in _HANGUL:
        return any("\u1100" <= each < "\u1200" for each in (before, after))
    if letter in _MONGOLIAN:
        return "\u1820" <= before < "\u18b0"
    if _is_sign(after):
        return letter == "\u200d" and (_is_sign(before) or before in _LOOKS)
    is_alone = after in _KEPT or (after.isascii() and after.isalnum())
    return not is_alone and any(first <= ord(before) < last for first, last in _JOINED)


def _is_sign(letter: str) -> bool:
    return "\u2100" <= letter < "\u2800" or "\u2900" <= letter < "\u3300" or letter >= "\U0001f000" or letter in "©®‼⁉"
