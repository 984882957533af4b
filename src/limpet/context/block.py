"""The ``<limpet-context>`` element: choices to text. Everything that is not ours is escaped here and nowhere else."""

from __future__ import annotations

from limpet.ground.text.escaping import clip, clip_words, escape, escape_attribute
from limpet.ground.text.tokens import RESERVE, estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.context.values import Choice, Piece, Request

TAG = "limpet-context"
LISTS = frozenset(
    "rules command article continuation spec standing-wishes memory contents candidates directory".split()
)
# (characters, tokens): bounded in both, because a name in a rare script costs several tokens a character.
LEFT_OUT_LIMITS = (380, 120)
NOTES_LIMITS = (240, 100)
# Characters of one phrase of them.
PHRASE = 120


def render_block(request: Request, choices: list[Choice], left_out: tuple[str, ...], notes: tuple[str, ...]) -> str:
    window = request.window
    remaining = "" if window.source == "start" else f' remaining="{int(window.remaining)}%"'  # nothing was measured yet
    parts = [f'<{TAG} bracket="{escape_attribute(window.bracket)}"{remaining}>\n']
    parts += [render_choice(choice) for choice in choices if choice.shown]
    if left_out:
        parts.append(f"<left-out>{_joined(left_out, LEFT_OUT_LIMITS)}</left-out>\n")
    if notes:
        parts.append(f"<notes>{_joined(notes, NOTES_LIMITS)}</notes>\n")
    parts.append(f"</{TAG}>")
    return "".join(parts)


def render_failure(what: str) -> str:
    """Return the block that stands in for one that could not be made, so that nothing fails in silence."""
    note = f"no rules for this event ({escape(what)}): run `limpet doctor`"
    return f"<{TAG}>\n<notes>{note}</notes>\n</{TAG}>"


def render_open(piece: Piece) -> str:
    """Return the start tag with its attributes, and the line break after it."""
    attributes = "".join(f' {name}="{escape_attribute(clip(value, 200))}"' for name, value in piece.attributes)
    return f"<{piece.tag}{attributes}>\n"


def render_line(line: tuple[str, str]) -> str:
    """Return one line of a piece, as a child element or as text."""
    tag, text = line
    content = escape(text.replace("\r\n", "\n").replace("\r", "\n"))
    return f"<{tag}>{content}</{tag}>\n" if tag else f"{content}\n"


def line_cost(text: str, reserve: float = RESERVE) -> int:
    """Return the tokens of a line of text in a piece."""
    return estimate_tokens(render_line(("", text)), reserve)


def describe_left_out(choices: list[Choice]) -> tuple[str, ...]:
    """Return a phrase for each piece that is out or cut, with where to read it; the list may be cut, so wishes come
    first, then what is out."""
    found = []
    for choice in sorted(choices, key=lambda choice: (not choice.piece.worth, bool(choice.lines), choice.piece.rank)):
        if choice.why != "in":
            pointer = f" ({choice.piece.where})" if choice.piece.where else ""
            found.append(f"{choice.piece.name}: {choice.why}{pointer}")
    return tuple(found)


def render_choice(choice: Choice) -> str:
    """Return the element; a single short fact stands on one line with its tags."""
    if len(choice.lines) == 1 and choice.piece.tag not in LISTS:
        return (
            render_open(choice.piece).rstrip("\n")
            + render_line(choice.lines[0]).rstrip("\n")
            + f"</{choice.piece.tag}>\n"
        )
    return render_open(choice.piece) + "".join(map(render_line, choice.lines)) + f"</{choice.piece.tag}>\n"


def _shortened(phrase: str, tokens: int) -> str:
    """Return the first phrase, cut to the tokens: in a rare script, or as a path, few characters are many of them."""
    length = PHRASE
    while length > 20 and estimate_tokens(escape(clip_words(phrase, length))) > tokens:
        length = length * 4 // 5
    return escape(clip_words(phrase, length))


def _joined(phrases: tuple[str, ...], limits: tuple[int, int]) -> str:
    characters, tokens = limits
    text, used = "", 0
    for phrase in phrases:
        longer = f"{text}; {escape(clip_words(phrase, PHRASE))}" if text else _shortened(phrase, tokens - 12)
        if len(longer) > characters - 24 or estimate_tokens(longer) > tokens - 12:
            break
        text, used = longer, used + 1
    rest = len(phrases) - used
    if not rest:
        return text
    return f"{text}; +{rest} more" if text else f"{rest} pieces"
