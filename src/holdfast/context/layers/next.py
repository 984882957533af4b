"""What comes next in the work, in every bracket: a few words and one command, which is whole or not there."""

from __future__ import annotations

from holdfast.context.block import render_line
from holdfast.context.values import Piece
from holdfast.ground.text.escaping import clip
from holdfast.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.context.values import Request

# Why it is silent where there is nothing to make a piece of.
SILENT = "no work is active"
WHERE = "holdfast work status"
_EMPTY = "<next></next>\n"
# How words end after which the command is due; they are shortened before it.
THEN = ", then"
# Characters below which words say nothing.
_LEAST = 12


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
    it."""
    then = THEN if words.endswith(THEN) else ""
    words = words.removesuffix(then)
    length = len(words)
    while length >= _LEAST:
        line = f"{clip(words, length)}{then}: {command}"
        if _cost(line, reserve) <= tokens:
            return line
        length = length * 9 // 10
    return command if _cost(command, reserve) <= tokens else WHERE


def _cost(line: str, reserve: float) -> int:
    return estimate_tokens(render_line(("", line)), reserve)
