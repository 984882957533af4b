"""The budget: which lines of which pieces go in, so that the finished block never exceeds its tokens and characters;
and the block as text."""

from __future__ import annotations

from limpet.context.usage import NAMES
from limpet.context.values import Choice, Piece
from limpet.ground.own_name import with_name
from limpet.ground.text.escaping import clip, clip_words, escape, escape_attribute
from limpet.ground.text.tokens import RESERVE, estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.context.values import Request

    Limits = tuple[int, int, float]

NO_ROOM = "over the token budget"
LEAST_TOKENS = 12
# The rank of a piece that takes what all others leave.
SPARE = 9

TAG = "limpet-context"
LISTS = frozenset(
    "rules command article continuation spec standing-wishes memory contents candidates directory".split()
)
# (characters, tokens): bounded in both, because a name in a rare script costs several tokens a character.
LEFT_OUT_LIMITS = (380, 120)
NOTES_LIMITS = (240, 100)
# Characters of one phrase of them.
PHRASE = 120


class Room:
    """Tokens and characters still free."""

    def __init__(self, tokens: int, characters: int) -> None:
        self.tokens = tokens
        self.characters = characters

    def takes(self, tokens: int, characters: int) -> bool:
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
    lines that have a worth and do not all fit, those of most are taken."""
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
            piece, lines = choices[place].piece, choices[place].lines[:-1]
            why = _why(piece, len(lines))
            cut = Choice(piece=piece, lines=lines, tokens=_cost(piece, lines, reserve)[0], why=why)
            choices[place] = cut if lines else _without(piece)
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
    Nothing else is dropped for them, and no note names the lines left out."""
    place = max((number for number, choice in enumerate(choices, 1) if choice.piece.stable), default=0)
    for taken in range(len(shorten(piece, reserve).lines), 0, -1):
        lines = piece.lines[:taken]
        added = Choice(piece=piece, lines=lines, tokens=_cost(piece, lines, reserve)[0], why="in")
        longer = [*choices[:place], added, *choices[place:]]
        if not _is_too_large(assemble(longer), (tokens, characters, reserve)):
            return longer
    return choices


def shorten(piece: Piece, reserve: float) -> Piece:
    """Keep the first lines that fit, with the element, in the tokens that the piece may have at most."""
    length = 0
    while length < len(piece.lines) and _cost(piece, piece.lines[: length + 1], reserve)[0] <= piece.most:
        length += 1
    return piece.replace(lines=piece.lines[:length])


def render_block(request: Request, choices: list[Choice], left_out: tuple[str, ...], notes: tuple[str, ...]) -> str:
    window = request.window
    level = ""
    if window.bracket != NAMES[0]:  # of a fresh window nobody has to think
        remaining = "" if window.source == "start" else f' remaining="{int(window.remaining)}%"'
        level = f' bracket="{escape_attribute(window.bracket)}"{remaining}'
    parts = [f"<{TAG}{level}>\n"]
    parts += [render_choice(choice) for choice in choices if choice.shown]
    if left_out:
        parts.append(f"<left-out>{_joined(left_out, LEFT_OUT_LIMITS)}</left-out>\n")
    if notes:
        parts.append(f"<notes>{_joined(notes, NOTES_LIMITS)}</notes>\n")
    parts.append(f"</{TAG}>")
    return name_own_command("".join(parts), request)


def name_own_command(text: str, request: Request) -> str:
    return with_name(text, escape_attribute(request.name))


def render_failure(what: str) -> str:
    """The block that stands in for one that could not be made, so that nothing fails in silence."""
    note = f"no rules for this event ({escape(what)}): run `limpet doctor`"
    return f"<{TAG}>\n<notes>{note}</notes>\n</{TAG}>"


def render_open(piece: Piece) -> str:
    attributes = "".join(f' {name}="{escape_attribute(clip(value, 200))}"' for name, value in piece.attributes)
    return f"<{piece.tag}{attributes}>\n"


def render_line(line: tuple[str, str]) -> str:
    tag, text = line
    content = escape(text.replace("\r\n", "\n").replace("\r", "\n"))
    return f"<{tag}>{content}</{tag}>\n" if tag else f"{content}\n"


def line_cost(text: str, reserve: float = RESERVE) -> int:
    return estimate_tokens(render_line(("", text)), reserve)


def describe_left_out(choices: list[Choice]) -> tuple[str, ...]:
    """With where to read each piece that is out or cut; the list may be cut, so wishes come first, then what is out."""
    found = []
    for choice in sorted(choices, key=lambda choice: (not choice.piece.worth, bool(choice.lines), choice.piece.rank)):
        if choice.why != "in":
            pointer = f" ({choice.piece.where})" if choice.piece.where else ""
            found.append(f"{choice.piece.name}: {choice.why}{pointer}")
    return tuple(found)


def render_choice(choice: Choice) -> str:
    """A single short fact stands on one line with its tags."""
    if len(choice.lines) == 1 and choice.piece.tag not in LISTS:
        return (
            render_open(choice.piece).rstrip("\n")
            + render_line(choice.lines[0]).rstrip("\n")
            + f"</{choice.piece.tag}>\n"
        )
    return render_open(choice.piece) + "".join(map(render_line, choice.lines)) + f"</{choice.piece.tag}>\n"


def _fill(pieces: list[Piece], frame: str, limits: Limits) -> list[Choice]:
    """In the order of the pieces, made in the order of their rank, in what the block's own frame leaves."""
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
    """The first line is shortened rather than lost: a fact that is never dropped keeps its beginning."""
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


def _without(piece: Piece) -> Choice:
    return Choice(piece=piece, lines=(), tokens=0, why=NO_ROOM)


def _is_too_large(block: str, limits: Limits) -> bool:
    tokens, characters, reserve = limits
    return len(block) > characters or estimate_tokens(block, reserve) > tokens


def _shortened(phrase: str, tokens: int) -> str:
    """In a rare script, or as a path, few characters are many tokens."""
    length = PHRASE
    while length > 20 and estimate_tokens(escape(clip_words(phrase, length))) > tokens:
        length = length * 4 // 5
    return escape(clip_words(phrase, length))


def count_notes(notes: tuple[str, ...]) -> int:
    """The number of them, from the first, that a block has room for."""
    return _join(notes, NOTES_LIMITS)[1]


def _join(phrases: tuple[str, ...], limits: tuple[int, int]) -> tuple[str, int]:
    """Return the phrases that fit, and their number."""
    characters, tokens = limits
    text = ""
    for used, phrase in enumerate(phrases):
        longer = f"{text}; {escape(clip_words(phrase, PHRASE))}" if text else _shortened(phrase, tokens - 12)
        if len(longer) > characters - 24 or estimate_tokens(longer) > tokens - 12:
            return text, used
        text = longer
    return text, len(phrases)


def _joined(phrases: tuple[str, ...], limits: tuple[int, int]) -> str:
    text, used = _join(phrases, limits)
    rest = len(phrases) - used
    if not rest:
        return text
    return f"{text}; +{rest} more" if text else f"{rest} pieces"
