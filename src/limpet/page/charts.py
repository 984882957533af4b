"""Charts as values: names, sizes and what they are called. Where their parts lie the templates reckon."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.ground.values import Value


class Bar(Value):
    """``parts``: (name, tokens), from below; all bars of a chart have the same names in the same order."""

    label: str
    parts: tuple[tuple[str, int], ...]


class BarChart(Value):
    """``most``: tokens of the highest bar."""

    bars: tuple[Bar, ...]
    most: int


def chart_of(given: Iterable[Bar]) -> BarChart:
    """Without the bars that nothing is known of."""
    bars = tuple(bar for bar in given if bar.parts)
    return BarChart(bars, max((sum(tokens for _, tokens in bar.parts) for bar in bars), default=0))
