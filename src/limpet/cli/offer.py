"""What a project would bring if it were trusted, as lines for people and as data; paged where it is long."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from typing import Any

import click

from limpet.cli.screen import is_terminal
from limpet.cli.table import counted, paragraph
from limpet.ground.formats.yaml_edit import render_value
from limpet.ground.text.escaping import clip, visible
from limpet.operations.trust.survey import Offer
from limpet.operations.trust.texts import MEMORIES, RULES

LONGEST_LINE = 100
# So many lines that read as orders are named before the texts.
MOST_ORDERS = 20
NO_TEXT = "Nothing of its own: no rules, memories or agents but those that Limpet ships."


def summary(offer: Offer) -> Iterator[str]:
    """Yield how much there is of each kind, what reads as an order, and the settings that differ."""
    kinds = list(dict.fromkeys(text.kind for text in offer.texts))
    yield "If you trust it, your agents' conversations get:" if kinds else NO_TEXT
    for kind in kinds:
        texts = [text for text in offer.texts if text.kind == kind]
        rules = f"{counted(sum(len(text.lines) for text in texts), 'rule')} in " if kind == RULES else ""
        yield f"  {kind:<13} {rules}{counted(len(texts), 'file')}"
    if offer.packaged:
        copies = "is an unchanged copy" if offer.packaged == 1 else "are unchanged copies"
        yield f"  {counted(offer.packaged, 'file')} {copies} of what Limpet ships, and left out here."
    orders = [(text.file, line) for text in offer.texts for line in text.orders]
    if orders:
        yield "  These lines read like instructions to the model:"
        yield from (f"    {file}: {clip(line, LONGEST_LINE)}" for file, line in orders[:MOST_ORDERS])
        yield from (f"    and {len(orders) - MOST_ORDERS} more",) if len(orders) > MOST_ORDERS else ()
    if offer.settings:
        yield "  These settings differ from yours (! spends money, runs commands, writes, deletes or blocks):"
        yield from setting_lines(offer)


def setting_lines(offer: Offer) -> Iterator[str]:
    """Yield the settings, with the value that holds without the project's files."""
    for one in offer.settings:
        before = "" if one.instead_of is None else f" (now {render_value(one.instead_of)})"
        yield f"  {'!' if one.acts else ' '} {one.key}: {render_value(one.value)}{before}"


def text_lines(offer: Offer) -> Iterator[str]:
    """Yield the texts by file, memories by title; a ``!`` marks what reads like an order to the model."""
    kind = ""
    for text in offer.texts:
        if text.kind != MEMORIES or kind != MEMORIES:
            yield ""
            yield f"{text.file}{f' ({text.about})' if text.about else ''}" if text.kind != MEMORIES else "memories"
        kind = text.kind
        yield from (f"  {'!' if line in text.orders else ' '} {line}" for line in text.lines)
        if text.left_out:
            yield f"    ... {counted(text.left_out, 'more line')}"


def show_paged(lines: Iterable[str]) -> None:
    """Print the lines, without control characters; in the user's pager where the terminal has fewer."""
    shown = [part for line in lines for part in paragraph(visible(line))]
    if is_terminal() and len(shown) >= shutil.get_terminal_size().lines:
        click.echo_via_pager(f"{line}\n" for line in shown)
    else:
        click.echo("".join(f"{line}\n" for line in shown), nl=False)


def offer_data(offer: Offer) -> dict[str, Any]:
    """Return the same for programs."""
    return {
        "texts": [text.__dict__ for text in offer.texts],
        "orders": [{"file": text.file, "line": line} for text in offer.texts for line in text.orders],
        "packaged": offer.packaged,
        "settings": [one.__dict__ for one in offer.settings],
    }
