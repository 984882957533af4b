"""Text made safe for the block: escaped, without characters that XML forbids, and on one line where a line is meant."""

from __future__ import annotations

_FORBIDDEN = {code: "\ufffd" for code in (*range(0x20), 0xFFFE, 0xFFFF) if code not in (9, 10, 13)}
_ESCAPES = _FORBIDDEN | {ord("&"): "&amp;", ord("<"): "&lt;", ord(">"): "&gt;"}
_ATTRIBUTE_ESCAPES = _ESCAPES | {ord('"'): "&quot;", ord("\n"): " ", ord("\r"): " ", ord("\t"): " "}


def escape(text: str) -> str:
    """Text for an element's content."""
    return _no_surrogates(text).translate(_ESCAPES)


def escape_attribute(text: str) -> str:
    """Text for an attribute in double quotes."""
    return _no_surrogates(text).translate(_ATTRIBUTE_ESCAPES)


def clip(text: str, characters: int) -> str:
    """At most ``characters`` of the text, an ellipsis at the end of what was cut."""
    return text if len(text) <= characters else text[: max(0, characters - 3)].rstrip() + "..."


def _no_surrogates(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
