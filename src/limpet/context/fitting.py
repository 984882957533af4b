"""The budget: which lines of which pieces go in, so that the finished block never exceeds its tokens and characters."""

from __future__ import annotations

from limpet.context.block import render_line, render_open
from limpet.context.values import Choice, Piece
from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Limits = tuple[int, int, float]

NO_ROOM = "over the token budget"
LEAST_TOKENS = 12
# The rank of a piece that takes what all others leave.
SPARE = 9


class Room:
    """Tokens and characters still free."""

    def __init__(self, tokens: int, characters: int) -> None:
        self.tokens = tokens
        self.characters = characters

    def takes(self, tokens: int, characters: int) -> bool:
        """Return whether this much fits; if so it is used up."""
        if tokens > self.tokens or characters > self.characters:
            return False
        self.tokens -= tokens
        self.characters -= characters
        return True


def fit(
    pieces: list[Piece], tokens: int, characters: int, reserve: float, assemble: Callable[[list[Choice]], str]
) -> list[Choice]:
    """Return a choice for each piece, in the given order; fixed facts first, then typed commands, then by rank.

    ``assemble`` renders the whole block. The first filling hopes that nothing need be left out; when something must,
    the second keeps room for saying so, and while the whole is still too large, lines fall from the last in rank. Of
    lines that have a worth and do not all fit, those of most are taken.
    """
    limits = (tokens, characters, reserve)
    choices = _fill(pieces, assemble([]), limits)
    if all(choice.why == "in" for choice in choices) and not _is_too_large(assemble(choices), limits):
        return choices
    frame = assemble([_without(piece) for piece in pieces])
    choices = _fill(pieces, frame, limits)
    if any(choice.piece.worth and choice.why != "in" for choice in choices):
        pieces = [_by_worth(piece) for piece in pieces]
        choices = _fill(pieces, frame, limits)
    for place in reversed(_by_rank(pieces)):
        while choices[place].lines and _is_too_large(assemble(choices), limits):
            choices[place] = _without_last_line(choices[place], reserve)
    return choices


def add_spare(
    choices: list[Choice],
    piece: Piece,
    tokens: int,
    characters: int,
    reserve: float,
    assemble: Callable[[list[Choice]], str],
) -> list[Choice]:
    """Return the choices with as many complete lines of the piece, from the first, as fit its ceiling and the block.

    Nothing else is dropped for them, and no note names the lines left out.
    """
    place = max((number for number, choice in enumerate(choices, 1) if choice.piece.stable), default=0)
    for taken in range(len(shorten(piece, reserve).lines), 0, -1):
        lines = piece.lines[:taken]
        added = Choice(piece=piece, lines=lines, tokens=_cost(piece, lines, reserve)[0], why="in")
        longer = [*choices[:place], added, *choices[place:]]
        if not _is_too_large(assemble(longer), (tokens, characters, reserve)):
            return longer
    return choices


def shorten(piece: Piece, reserve: float) -> Piece:
    """Return the piece with the first lines that fit, with its element, in the tokens it may have at most."""
    length = 0
    while length < len(piece.lines) and _cost(piece, piece.lines[: length + 1], reserve)[0] <= piece.most:
        length += 1
    return piece.replace(lines=piece.lines[:length])


def _fill(pieces: list[Piece], frame: str, limits: Limits) -> list[Choice]:
    """Choices in the order of the pieces, made in the order of their rank, in what the block's own frame leaves."""
    tokens, characters, reserve = limits
    room = Room(tokens - estimate_tokens(frame, reserve), characters - len(frame))
    choices = {place: _choose(pieces[place], room, reserve) for place in _by_rank(pieces)}
    return [choices[place] for place in range(len(pieces))]


def _by_rank(pieces: list[Piece]) -> list[int]:
    return sorted(range(len(pieces)), key=lambda place: (not pieces[place].ceiling, pieces[place].rank, place))


def _by_worth(piece: Piece) -> Piece:
    order = sorted(range(len(piece.worth)), key=lambda place: -piece.worth[place])
    if not order:
        return piece
    return piece.replace(
        lines=tuple(piece.lines[place] for place in order),
        marks=tuple(piece.marks[place] for place in order),
        worth=tuple(piece.worth[place] for place in order),
    )


def _choose(piece: Piece, room: Room, reserve: float) -> Choice:
    """As many of the piece's lines, from the first, as fit in its ceiling or in the room that is left."""
    frame_tokens, frame_length = _cost(piece, (), reserve)
    left = (piece.ceiling or room.tokens) - frame_tokens
    inside = Room(min(left, piece.most) if piece.most else left, room.characters - frame_length)
    lines = _fixed_lines(piece, inside, reserve) if piece.ceiling else _whole_lines(piece, inside, reserve)
    if inside.tokens < 0 or inside.characters < 0 or (piece.lines and not lines):
        return _without(piece)
    tokens, length = _cost(piece, lines, reserve)
    room.tokens -= tokens
    room.characters -= length
    return Choice(piece=piece, lines=lines, tokens=tokens, why=_why(piece, len(lines)))


def _cost(piece: Piece, lines: tuple[tuple[str, str], ...], reserve: float) -> tuple[int, int]:
    text = render_open(piece) + "".join(map(render_line, lines)) + f"</{piece.tag}>\n"
    return estimate_tokens(text, reserve), len(text)


def _whole_lines(piece: Piece, inside: Room, reserve: float) -> tuple[tuple[str, str], ...]:
    taken: list[tuple[str, str]] = []
    for line in piece.lines:
        text = render_line(line)
        if not inside.takes(estimate_tokens(text, reserve), len(text)):
            break
        taken.append(line)
    return tuple(taken)


def _fixed_lines(piece: Piece, inside: Room, reserve: float) -> tuple[tuple[str, str], ...]:
    """Like complete lines, but the first is shortened rather than lost: a fact that is never dropped keeps its
    beginning."""
    inside.tokens = max(inside.tokens, LEAST_TOKENS)
    taken = _whole_lines(piece, inside, reserve)
    if taken or not piece.lines:
        return taken
    tag, text = piece.lines[0]
    while len(text) > LEAST_TOKENS and estimate_tokens(render_line((tag, text)), reserve) > inside.tokens:
        text = clip(text, len(text) * 3 // 4)
    return ((tag, text),)


def _why(piece: Piece, taken: int) -> str:
    missing = len(piece.lines) - taken
    return f"cut: {missing} of {len(piece.lines)} lines left out" if missing else "in"


def _without_last_line(choice: Choice, reserve: float) -> Choice:
    lines = choice.lines[:-1]
    if not lines:
        return _without(choice.piece)
    tokens, _ = _cost(choice.piece, lines, reserve)
    return Choice(piece=choice.piece, lines=lines, tokens=tokens, why=_why(choice.piece, len(lines)))


def _without(piece: Piece) -> Choice:
    return Choice(piece=piece, lines=(), tokens=0, why=NO_ROOM)


def _is_too_large(block: str, limits: Limits) -> bool:
    tokens, characters, reserve = limits
    return len(block) > characters or estimate_tokens(block, reserve) > tokens
