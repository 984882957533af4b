"""What comes next in the work, in every bracket: a few words and one command, which is whole or not there."""

from __future__ import annotations

from limpet.context.block import render_line
from limpet.context.values import Piece
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Request

# Why it is silent where there is nothing to make a piece of.
SILENT = "no work is active"
WHERE = "limpet work status"
STEP = "limpet work status --step"
_EMPTY = "<next></next>\n"
# How words end after which the command is due; they are shortened before it.
THEN = ", then"
# Characters below which words say nothing.
_LEAST = 12
# Characters below which the last of several things does not say enough.
_WORTH = 24


def pieces(request: Request) -> Iterator[Piece]:
    """Yield the one ``<next>``, its words shortened until it keeps to its ceiling."""
    if request.work.following:
        ceiling, reserve = request.settings["ceilings"]["next"], request.settings["reserve"]
        room = ceiling - estimate_tokens(_EMPTY, reserve) - 1
        yield Piece(
            layer="next",
            tag="next",
            name="next",
            lines=(("", _line(*request.work.following, room, reserve)),),
            rank=0,
            ceiling=ceiling,
            again=request.settings["repeat_after"],
            where=WHERE,
        )


def _line(words: str, command: str, tokens: int, reserve: float) -> str:
    """Return words and command in so many tokens, at least the command; a command too long gives way to one that shows
    it. No path is cut: the words give way to where it stands."""
    then = THEN if words.endswith(THEN) else ""
    words = words.removesuffix(then)
    length = len(words)
    while length >= _LEAST:
        short = _shorten(words, length)
        if "/" in short.split()[-1] and not words.startswith(short):
            short = f"see {STEP}"
        line = f"{short}{then}: {command}"
        if _cost(line, reserve) <= tokens:
            return line
        length = length * 9 // 10
    return command if _cost(command, reserve) <= tokens else WHERE


def _shorten(words: str, length: int) -> str:
    """Return so many characters of the words. What they say last, or in brackets, goes wholly where little of it would
    be left."""
    short = clip(words, length)
    for sign in ("; ", " ("):
        first, _, last = short.rpartition(sign)
        if first and short != words and len(last) < _WORTH:
            return first
    return short


def _cost(line: str, reserve: float) -> int:
    return estimate_tokens(render_line(("", line)), reserve)
