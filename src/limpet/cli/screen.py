"""The screen: whether output goes to a terminal, how wide and coloured it is, and progress on stderr.

The one module that imports rich, which it does only where a terminal is there to print to.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Literal, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

# A line for people: plain, or rich's with styles.
Line: TypeAlias = "str | Text"
# Columns that the last column of a table keeps; the ones before it are cut in its favour.
LEAST_LAST = 20
_GAP = 2
BRACKET_COLOURS = {"FRESH": "green", "MODERATE": "green", "DEPLETED": "yellow", "CRITICAL": "red"}
# A line that is a command: as the terminal itself wraps it, it can be copied.
_PROGRAM = r"(?:\$|git|npm|npx|pip|pipx|uv|python3?|cd|export|echo|claude) "
_IS_COMMAND = rf"\$ |\s+(?:{_PROGRAM}|limpet )"
# A command in a sentence: in backticks, after a colon where no further sentence follows, or from "limpet" to a
# punctuation mark or a word of prose.
_PROSE = "a|an|and|are|as|at|by|do|does|for|from|has|if|in|is|it|once|or|so|than|that|the|then|to|when|where|which|with"
_WORD = r"""(?:"[^"]*"|'[^']*'|[^\s"'])+"""
_AFTER_COLON = rf"(?<=[Rr]un: )\S.*|(?<=: ){_PROGRAM}(?!.*[.] [A-Z]).*"
_COMMAND = rf"`[^`]+`|{_AFTER_COLON}|(?<![\w./-])limpet(?:(?<![,;:.)]) (?!(?:{_PROSE})\b){_WORD})+"
_QUOTATION = r"""(?<!\w)"[^"]*"|(?<!\w)'[^']*'(?!\w)"""
# What a line is broken into, the largest first; what does not fit is broken by the next. The last two are for cells.
_PIECES = (
    rf"(?:{_COMMAND}|{_QUOTATION}|\S)+",
    rf"(?:{_COMMAND}|\S)+",
    r"\S+",
    r"[^/_.,:=-]+[/_.,:=-]*|[/_.,:=-]+",
)


def is_terminal(stream: IO[str] | None = None) -> bool:
    return (stream or sys.stdout).isatty()


def has_colour() -> bool:
    """Return whether to write colours: NO_COLOR forbids them, FORCE_COLOR demands them, else the terminal decides."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal() and os.environ.get("TERM") != "dumb")


def width() -> int:
    return shutil.get_terminal_size((80, 24)).columns


def styled(*parts: str | tuple[str, str]) -> Line:
    """Return one line of parts, each a text or ``(text, style)``; styles are rich's, such as ``bold`` or ``red``."""
    if not has_colour():
        return "".join(part if isinstance(part, str) else part[0] for part in parts)
    from rich.text import Text

    return Text.assemble(*parts)


def is_styled(line: object) -> TypeGuard[Text]:
    """Return whether the line is rich's; where rich was not imported none is."""
    rich = sys.modules.get("rich.text")
    return rich is not None and isinstance(line, rich.Text)


def render_lines(line: Line) -> str:
    if isinstance(line, str):
        return line
    if not has_colour():
        return line.plain
    console = _console(sys.maxsize)
    with console.capture() as capture:
        console.print(line, end="", soft_wrap=True)
    return capture.get()


def wrapped(text: str, room: int, is_cell: bool = False) -> list[str]:
    """Return a line as lines of at most ``room`` columns, broken between words, each with the indent of the first. A
    command and, where it fits on a line, a quotation stay in one piece; a line that is a command or has several lines
    stays as it is. In a cell what is too long is broken nevertheless, if need be after punctuation."""
    if _columns(text) <= room or "\n" in text or re.match(_IS_COMMAND, text):
        return [text]
    item = re.match(r"\s*(?:[-*+>!] |\d+\. )?", text)
    indent = item.end() if item and item.end() < room // 2 else 0
    found, begin, last = [], 0, 0
    for start, end in _pieces(text, (0, len(text)), room - indent, _PIECES if is_cell else _PIECES[:2]):
        if last and _columns(text[begin:end]) > room - (indent if begin else 0):
            found.append((begin, last))
            begin = start
        last = end
    return [" " * (indent if start else 0) + text[start:end] for start, end in (*found, (begin, last))]


def fit_width(
    rows: Sequence[Sequence[Line]], indent: int, styles: Sequence[str], heading: bool, spare: Sequence[str] = ()
) -> Iterator[Text]:
    """The columns ``spare`` go where there is no room; the first stays whole where it can, the last one wraps between
    words, those between are cut."""
    from rich.segment import Segment
    from rich.text import Text

    room = max(width() - indent, LEAST_LAST)
    kept = _kept_columns(rows, room, spare)
    rows = [[row[place] for place in kept] for row in rows]
    styles = [styles[place] for place in kept if place < len(styles)]
    for segments in _console(room).render_lines(_grid(rows, room, styles, heading), pad=False):
        line = Text(" " * indent)
        for text, style, _ in Segment.simplify(segments):
            line.append(text, style)
        line.rstrip()
        yield line


@contextmanager
def show_progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on stderr, where that is a terminal, what is under way; yield what takes ``(done, total)``."""
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield lambda done, total: None
        return
    shown = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal shown
        if total and (done >= total or time.monotonic() - shown >= 0.1):
            shown = time.monotonic()
            _show(f"{what}: {done:,} of {total:,} ({100 * done // total}%)")

    _show(f"{what}...")
    try:
        yield report
    finally:
        _show("")


@contextmanager
def live_screen() -> Iterator[tuple[Callable[[Sequence[Line]], None], Callable[[float], str]]]:
    """Yield what draws lines on a terminal's whole screen in place of those before, and what waits for a key. What was
    on the screen is there again at the end."""
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    def draw(lines: Sequence[Line]) -> None:
        console.width = width()
        live.update(Group(*(Text(line) if isinstance(line, str) else line for line in lines)), refresh=True)

    console = _console(width(), moving=True)
    with Live(console=console, screen=True, auto_refresh=False) as live, single_keys() as next_key:
        yield draw, next_key


@contextmanager
def single_keys() -> Iterator[Callable[[float], str]]:
    """Yield what waits so many seconds for a key of the terminal, "" for none. Ctrl-C ends what is done with it."""
    if sys.platform == "win32":
        import msvcrt

        def next_key_of_windows(seconds: float) -> str:
            end = time.monotonic() + seconds
            while time.monotonic() < end and not msvcrt.kbhit():
                time.sleep(0.05)
            return msvcrt.getwch() if msvcrt.kbhit() else ""

        with suppress(KeyboardInterrupt):
            yield next_key_of_windows
        return
    import select
    import termios
    import tty

    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)

    def next_key(seconds: float) -> str:
        if not select.select([keyboard], [], [], seconds)[0]:
            return ""
        key = os.read(keyboard, 1) or b"\x04"
        if key == b"\x1b" and select.select([keyboard], [], [], 0)[0]:
            key += os.read(keyboard, 2)
        return key.decode("utf-8", "replace")

    try:
        tty.setcbreak(keyboard, termios.TCSADRAIN)  # what was typed already counts
        with suppress(KeyboardInterrupt):
            yield next_key
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)


def _pieces(text: str, span: tuple[int, int], room: int, patterns: Sequence[str]) -> Iterator[tuple[int, int]]:
    for match in re.compile(patterns[0]).finditer(text, *span):
        if len(patterns) == 1 or _columns(match[0]) <= room:
            yield match.span()
        else:
            yield from _pieces(text, match.span(), room, patterns[1:])


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _show(text: str) -> None:
    sys.stderr.write(f"\r\x1b[K{text[: width() - 1]}")
    sys.stderr.flush()


def _kept_columns(rows: Sequence[Sequence[Line]], room: int, spare: Sequence[str]) -> list[int]:
    widths = [max(_columns(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    names, kept = list(map(str, rows[0])), list(range(len(widths)))
    widths[-1] = min(widths[-1], LEAST_LAST)
    for name in spare:
        if name in names and sum(widths[place] + _GAP for place in kept) - _GAP > room:
            kept.remove(names.index(name))
    return kept


def _grid(rows: Sequence[Sequence[Line]], room: int, styles: Sequence[str], heading: bool) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    texts = []
    for row in rows:
        texts.append([Text(cell) if isinstance(cell, str) else cell for cell in row])
    widest, longest = [], []
    for column in zip(*texts, strict=True):
        widest.append(max(1, *(cell.cell_len for cell in column)))
        words = " ".join(cell.plain for cell in column).split()
        longest.append(max(map(_columns, words), default=0))
    widths = _fitted(widest, longest, room)
    grid = Table(box=None, show_header=heading, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
    names = texts.pop(0) if heading else [Text()] * len(widths)
    outer = (0, len(widths) - 1)
    for place, (name, columns) in enumerate(zip(names, widths, strict=True)):
        style = styles[place] if place < len(styles) else ""
        overflow: Literal["fold", "ellipsis"] = "fold" if place in outer else "ellipsis"
        grid.add_column(name, style=style, width=columns, overflow=overflow, no_wrap=place not in outer)
    for row in texts:
        grid.add_row(*(_broken(cell, widths[place]) if place in outer else cell for place, cell in enumerate(row)))
    return grid


def _broken(cell: Text, room: int) -> Text:
    from rich.text import Text

    if cell.cell_len <= room:
        return cell
    lines: list[str] = []
    for line in cell.plain.split("\n"):
        lines += wrapped(line, room, is_cell=True)
    return Text("\n".join(lines), cell.style)


def _fitted(widths: Sequence[int], longest: Sequence[int], room: int) -> list[int]:
    """Return the columns' widths, cut down to the room without breaking a word of the outer ones, as far as it goes:
    the last one to LEAST_LAST, those of the middle, the first, the last; then whatever is widest."""
    fitted, last = list(widths), len(widths) - 1
    word = min(longest[last], room // 2)
    stages = (
        ([last], max(word, LEAST_LAST)),
        (range(1, last), 6),
        ([0], longest[0]),
        ([last], min(word, LEAST_LAST // 2)),
        (range(len(widths)), 1),
    )
    for places, least in stages:
        while sum(fitted) + _GAP * last > room and any(fitted[place] > least for place in places):
            fitted[max(places, key=fitted.__getitem__)] -= 1
    return fitted


def _console(columns: int, moving: bool = False) -> Console:
    """``moving``: the cursor is moved, also where no colour is wanted."""
    from rich.console import Console

    return Console(
        width=columns,
        force_terminal=has_colour() or moving,
        no_color=not has_colour(),
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={**os.environ, "COLUMNS": "", "LINES": ""},
    )
