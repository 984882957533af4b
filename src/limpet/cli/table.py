"""Rows as aligned columns, and numbers with their noun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from limpet.cli.output import visible_line
from limpet.cli.screen import Line, fit, is_terminal, width, wrapped
from limpet.ground.text.escaping import visible


def table(
    rows: Sequence[Sequence[object]], indent: str = "", *, heading: bool = False, styles: Sequence[str] = ()
) -> Iterator[Line]:
    """Yield the rows as aligned columns, with the first row as ``heading``; ``styles`` has rich's style of each column.

    In a terminal they fit its width: the first column stays whole, the last wraps, the others are cut, and a line of
    its own within a cell stays one. Elsewhere every row is one uncut line.
    """
    cells = [[visible_line(cell) for cell in row] for row in rows]
    if not cells:
        return
    if is_terminal():
        yield from fit(cells, len(indent), styles, heading)
        return
    texts = [[str(cell).replace("\n", " ") for cell in row] for row in cells]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)][:-1]
    for row in texts:
        padded = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield (indent + "  ".join([*padded, row[-1]])).rstrip()


def paragraph(text: str) -> Iterator[str]:
    """Yield a text as the lines that a terminal gets of it, for whoever counts them; elsewhere it stays one line."""
    yield from wrapped(visible(text), width()) if is_terminal() else [visible(text)]


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 error``, ``2 errors``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def minute(stamp: str) -> str:
    """Return an ISO timestamp to the minute, as people read it."""
    return stamp[:16].replace("T", " ")
