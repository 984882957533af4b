"""The screen: whether output goes to a terminal, how wide and coloured it is, and progress on stderr.

The one module that imports rich, which it does only where a terminal is there to print to.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Literal, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

Line: TypeAlias = "str | Text"
"""A line for people: plain, or rich's with styles."""
LEAST_LAST = 24
"""Columns that the last column of a table keeps; the ones before it are cut in its favour."""
_LEAST_MIDDLE = 6
_GAP = 2
_CLEAR_LINE = "\r\x1b[K"
_REPORT_EVERY = 0.1  # seconds


def is_terminal(stream: IO[str] | None = None) -> bool:
    """Return whether a person sees the stream, stdout where none is given."""
    return (stream or sys.stdout).isatty()


def has_colour(stream: IO[str] | None = None) -> bool:
    """Return whether to write colours: NO_COLOR forbids them, FORCE_COLOR demands them, else the terminal decides."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (is_terminal(stream) and os.environ.get("TERM") != "dumb")


def width() -> int:
    """Return the columns of the terminal, 80 where it does not say; ``COLUMNS`` overrides."""
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


def render(line: Line) -> str:
    """Return the line as stdout can show it: with escape sequences where it has styles and there is colour."""
    if isinstance(line, str):
        return line
    if not has_colour():
        return line.plain
    console = _console(sys.maxsize)
    with console.capture() as capture:
        console.print(line, end="", soft_wrap=True)
    return capture.get()


def fit(rows: Sequence[Sequence[Line]], indent: int, styles: Sequence[str], heading: bool) -> Iterator[Text]:
    """Yield the rows as aligned columns that fit the terminal, each at least one line.

    The first column stays whole, the last one wraps between words, those between are cut with an ellipsis.
    """
    from rich.segment import Segment
    from rich.text import Text

    room = max(width() - indent, LEAST_LAST)
    for segments in _console(room).render_lines(_grid(rows, room, styles, heading), pad=False):
        line = Text(" " * indent)
        for text, style, _ in Segment.simplify(segments):
            line.append(text, style)
        line.rstrip()
        yield line


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show on stderr what is under way, such as ``Indexing memories``, and clear it at the end.

    Yield a function that takes ``(done, total)``. Where stderr is not a terminal nothing is shown.
    """
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        yield lambda done, total: None
        return
    shown = time.monotonic()

    def report(done: int, total: int) -> None:
        nonlocal shown
        if total and (done >= total or time.monotonic() - shown >= _REPORT_EVERY):
            shown = time.monotonic()
            _show(f"{what}: {done:,} of {total:,} ({100 * done // total}%)")

    _show(f"{what}...")
    try:
        yield report
    finally:
        _show("")


def _show(text: str) -> None:
    sys.stderr.write(f"{_CLEAR_LINE}{text[: width() - 1]}")
    sys.stderr.flush()


def _grid(rows: Sequence[Sequence[Line]], room: int, styles: Sequence[str], heading: bool) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    texts = [[Text(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    widths = _fitted([max(cell.cell_len for cell in column) for column in zip(*texts, strict=True)], room)
    grid = Table(box=None, show_header=heading, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="dim")
    names = texts.pop(0) if heading else [Text()] * len(widths)
    for place, (name, columns) in enumerate(zip(names, widths, strict=True)):
        is_last = place == len(widths) - 1
        style = styles[place] if place < len(styles) else ""
        overflow: Literal["fold", "ellipsis"] = "fold" if is_last or not place else "ellipsis"
        grid.add_column(name, style=style, width=columns, overflow=overflow, no_wrap=not is_last and bool(place))
    for row in texts:
        grid.add_row(*row)
    return grid


def _fitted(widths: list[int], room: int) -> list[int]:
    """Return the columns' widths, cut down to the room: the last one to LEAST_LAST, then the widest of the middle, then
    whatever is widest."""
    widths = list(widths)
    excess = sum(widths) + _GAP * (len(widths) - 1) - room
    cut = min(max(excess, 0), max(widths[-1] - LEAST_LAST, 0))
    widths[-1] -= cut
    for _ in range(excess - cut):
        middle = [place for place in range(1, len(widths) - 1) if widths[place] > _LEAST_MIDDLE]
        widest = max(middle or range(len(widths)), key=widths.__getitem__)
        widths[widest] -= 1
    return [max(columns, 1) for columns in widths]


def _console(columns: int) -> Console:
    from rich.console import Console

    return Console(
        width=columns,
        force_terminal=has_colour(),
        no_color=not has_colour(),
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        _environ={**os.environ, "COLUMNS": "", "LINES": ""},
    )
