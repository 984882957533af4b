"""A token for one call that we make ourselves: nobody else can issue it, and it ends with the call."""

from __future__ import annotations

from holdfast.ground.trust.key import is_signed, read_key, sign


def issue_token(purpose: str, until: float) -> str:
    """Return a token that counts for ``purpose`` until then, in seconds since 1970; "" where the user has no key."""
    key, end = read_key(), f"{until:.0f}"
    return f"{end}.{sign(_text(purpose, end), key)}" if key else ""


def is_valid(token: str, purpose: str, now: float) -> bool:
    """Return whether we issued the token for this purpose, and it has not ended."""
    end, _, mark = token.partition(".")
    return is_signed(_text(purpose, end), mark) and now < int(end)


def _text(purpose: str, end: str) -> bytes:
    return f"{purpose}\n{end}".encode("utf-8", "replace")
