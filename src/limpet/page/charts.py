"""Charts as values: what the templates draw as SVG, with nothing but numbers to place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from limpet.ground.values import Value

WIDTH, HEIGHT = 640, 160


class Bar(Value):
    """``parts``: (name, size), from below."""

    label: str
    parts: tuple[tuple[str, int], ...]


class DrawnPart(Value):
    """``tone``: which colour of the style sheet, 0 to 3; ``says``: what a pointer and a screen reader are told."""

    x: float
    y: float
    width: float
    height: float
    tone: int
    says: str


class Chart(Value):
    """``names``: of the tones, in their order. ``rows``: label -> (name, size), the same for who sees no picture."""

    parts: tuple[DrawnPart, ...] = ()
    names: tuple[str, ...] = ()
    most: int = 0
    rows: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()


class CurvePoint(Value):
    x: float
    y: float
    says: str


def stacked_bars(given: Iterable[Bar]) -> Chart:
    bars = [bar for bar in given if bar.parts]
    names = tuple(dict.fromkeys(name for bar in bars for name, _ in bar.parts))
    most = max((sum(size for _, size in bar.parts) for bar in bars), default=0)
    if not most:
        return Chart()
    step = WIDTH / len(bars)
    drawn: list[DrawnPart] = []
    for place, bar in enumerate(bars):
        drawn += _stack(bar, names, place * step, min(step * 0.8, 48.0), HEIGHT / most)
    return Chart(tuple(drawn), names, most, tuple((bar.label, bar.parts) for bar in bars))


def confidence_curve(start: float, steps: Sequence[tuple[float, str]]) -> tuple[CurvePoint, ...]:
    """``steps``: (confidence after it, what it was). Confidence is 0 to 1."""
    told = [(start, f"start: {start:g}"), *((after, f"{says}: {after:g}") for after, says in steps)]
    step = WIDTH / max(1, len(told) - 1)
    return tuple(CurvePoint(round(at * step, 1), round(HEIGHT * (1 - y), 1), says) for at, (y, says) in enumerate(told))


def _stack(bar: Bar, names: Sequence[str], x: float, width: float, scale: float) -> list[DrawnPart]:
    top, drawn = float(HEIGHT), list[DrawnPart]()
    for name, size in bar.parts:
        height = size * scale
        top -= height
        says = f"{bar.label}: {name}, {size:,} tokens"
        tone = names.index(name)
        drawn.append(DrawnPart(round(x, 1), round(top, 1), round(width, 1), round(height, 1), tone, says))
    return drawn
