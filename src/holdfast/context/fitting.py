"""The budget: which lines of which pieces go in, so that the finished block never exceeds its tokens and characters."""

from __future__ import annotations

from holdfast.context.block import LEFT_OUT_CHARACTERS, render_line, render_open
from holdfast.context.values import Choice, Piece
from holdfast.ground.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COMMAND_LAYER = "L7"


class Room:
    """Tokens and characters still free."""

    def __init__(self, tokens: int, characters: int) -> None:
        self.tokens = tokens
        self.characters = characters

    def takes(self, tokens: int, characters: int) -> bool:
        """Whether this much fits; if so it is used up."""
        if tokens > self.tokens or characters > self.characters:
            return False
        self.tokens -= tokens
        self.characters -= characters
        return True


def fit(
    pieces: list[Piece], tokens: int, characters: int, reserve: float, assemble: Callable[[list[Choice]], str]
) -> list[Choice]:
    """A choice for each piece, in the given order; fixed facts first, then typed commands, then by rank.

    ``assemble`` renders the whole block; while the whole is still too large, lines fall from the last in rank.
    """
    room = Room(tokens - _overhead(reserve), characters - LEFT_OUT_CHARACTERS)
    by_rank = sorted(
        range(len(pieces)), key=lambda place: (not pieces[place].ceiling, pieces[place].rank, place)
    )
    choices: dict[int, Choice] = {place: _choose(pieces[place], room, reserve) for place in by_rank}
    for place in reversed(by_rank):
        while choices[place].lines and _too_large(assemble, choices, tokens, characters, reserve):
            choices[place] = _without_last_line(choices[place])
    return [choices[place] for place in range(len(pieces))]


def _overhead(reserve: float) -> int:
    return estimate_tokens("x" * 200, reserve) // 2 + 120


def _choose(piece: Piece, room: Room, reserve: float) -> Choice:
    """As many of the piece's lines, from the first, as fit in its ceiling or in the room that is left."""
    frame = render_open(piece) + f"</{piece.tag}>\n"
    frame_tokens = estimate_tokens(frame, reserve)
    inside = Room(piece.ceiling or room.tokens, room.characters)
    if not inside.takes(frame_tokens, len(frame)):
        return Choice(piece=piece, lines=(), tokens=0, why="no room left in the budget")
    taken: list[tuple[str, str]] = []
    spent, length = frame_tokens, len(frame)
    for line in piece.lines:
        text = render_line(line)
        cost = estimate_tokens(text, reserve)
        if not inside.takes(cost, len(text)):
            break
        taken.append(line)
        spent, length = spent + cost, length + len(text)
    if piece.lines and not taken:
        return Choice(piece=piece, lines=(), tokens=0, why="no room left in the budget")
    room.tokens -= spent
    room.characters -= length
    return Choice(piece=piece, lines=tuple(taken), tokens=spent, why=_why(piece, len(taken)))


def _why(piece: Piece, taken: int) -> str:
    missing = len(piece.lines) - taken
    return f"cut: {missing} of {len(piece.lines)} lines left out" if missing else "in"


def _without_last_line(choice: Choice) -> Choice:
    lines = choice.lines[:-1]
    why = _why(choice.piece, len(lines)) if lines else "no room left in the budget"
    return choice.replace(lines=lines, why=why)


def _too_large(
    assemble: Callable[[list[Choice]], str],
    choices: dict[int, Choice],
    tokens: int,
    characters: int,
    reserve: float,
) -> bool:
    block = assemble([choices[place] for place in range(len(choices))])
    return len(block) > characters or estimate_tokens(block, reserve) > tokens
