"""Quotes a handoff as data: lines that read as orders to the model are not repeated to it."""

from __future__ import annotations

from collections.abc import Sequence

from limpet.ground.safety.instructions.find import flags_of


def without_orders(lines: Sequence[str], command: str) -> tuple[str, ...]:
    """Return the lines that read as no order; the first says how many are left out, and the command that shows them.

    An order may go over two lines, which then are left out both.
    """
    bad = {place for place, line in enumerate(lines) if flags_of(line)}
    for place, (line, after) in enumerate(zip(lines, lines[1:], strict=False)):
        if not bad & {place, place + 1} and flags_of(f"{line} {after}"):
            bad |= {place, place + 1}
    if not bad:
        return tuple(lines)
    noun = "line reads like an instruction and is" if len(bad) == 1 else "lines read like instructions and are"
    told = f"{len(bad)} {noun} left out: `{command}`"
    return (told, *(line for place, line in enumerate(lines) if place not in bad))
