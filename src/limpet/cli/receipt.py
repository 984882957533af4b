"""A conversation again: ``limpet log --receipt``, what it cost and how much of it was ours; ``limpet replay``, its
blocks as they were."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from limpet.cli.caller import open_project
from limpet.cli.output import SHORT_ID, emit, json_option, minute, paragraph, plain_data, show, table
from limpet.cli.screen import Line, is_terminal, styled, width
from limpet.ground.text.escaping import clip
from limpet.operations.receipt_counting import ReceiptTurn
from limpet.operations.receipts import Receipt, ReceiptSum, ReplayedTurn, conversation_receipt, replay

# Rows of what was dearest.
SHOWN = 12
BACK, END = ("\x1b[D", "\x1b[A", "p", "b"), ("q", "\x03", "\x04", "\x1b")
NAMES = {"session_start": "start", "subagent_start": "subagent", "unrecorded": "before us", "tool_before": "file"}
SILENT = {
    "nothing": "Nothing was sent: nothing applied that the conversation did not hold already.",
    "failed": "The hook failed. Run: limpet log --hook",
    "gone": "Its text is not kept.",
}


def show_receipt(conversation: str, as_json: bool) -> None:
    receipt = conversation_receipt(open_project(), conversation)
    emit(plain_data(receipt), _receipt_lines(receipt), as_json)


@click.command("replay")
@click.argument("conversation", metavar="[CONVERSATION]", default="")
@json_option
def replay_blocks(conversation: str, as_json: bool) -> None:
    """Step through a conversation's blocks as they were.

    In a terminal any key shows the next block, an arrow to the left the one before, and q ends. Elsewhere all of them
    are printed. Without CONVERSATION, of the newest one.

    \b
    Examples:
      limpet replay
      limpet replay 5f0c2a
      limpet replay --json
    """
    turns = replay(open_project(), conversation)
    if as_json or not (is_terminal() and sys.stdin.isatty()):
        lines: list[Line] = []
        for place in range(len(turns)):
            lines += _replayed_lines(turns, place)
        emit(plain_data(turns), lines, as_json)
        return
    place = 0
    while 0 <= place < len(turns):
        show([*_replayed_lines(turns, place), styled(("next: any key, back: left arrow, end: q", "dim"))])
        key = click.getchar()
        if key in END:
            return
        place = max(place - 1, 0) if key in BACK else place + 1


def _replayed_lines(turns: Sequence[ReplayedTurn], place: int) -> Iterator[Line]:
    turn = turns[place]
    left = "" if turn.remaining is None else f", {turn.bracket}, {turn.remaining:g}% left"
    yield styled((f"{place + 1} of {len(turns)}: {_name(turn)} at {minute(turn.at)}{left}", "bold"))
    if turn.text:
        yield styled((f'"{clip(" ".join(turn.text.split()), width() - 2)}"', "cyan"))
    yield from turn.block.splitlines() or paragraph(SILENT[turn.state])
    yield ""


def _receipt_lines(receipt: Receipt) -> Iterator[Line]:
    title = f' "{clip(receipt.title, 40)}"' if receipt.title else ""
    yield styled((f"Conversation {receipt.conversation[:SHORT_ID]}{title}", "bold"))
    ours = f"{receipt.fresh + receipt.cached:,} tokens of ours were read"
    if receipt.usage:
        share = 100 * (receipt.fresh + receipt.cached) / max(receipt.usage.total, 1)
        ours += f", {share:.1f}% of {receipt.usage.total:,}; some {receipt.cached:,} of them from the cache"
    else:
        ours = f"{receipt.sent:,} tokens of ours were sent"
    yield from paragraph(f"{ours}.")
    yield ""
    heading = ("", "answers", "ours new", "ours again", "other", "client's count")
    rows = [heading, *map(_turn_row, receipt.turns)]
    yield from table([*rows, _whole_row(receipt)], heading=True, styles=("cyan",), spare=("answers",))
    if receipt.usage:
        one = receipt.usage
        said = f"in {one.input:,}, cache written {one.cache_write:,}, read {one.cache_read:,}, out {one.output:,}"
        yield from paragraph(f"The client's count: {said}.")
    yield from _sum_lines("Pieces", receipt.by_piece)
    yield from _sum_lines("Rules among them", receipt.by_rule)
    yield ""
    for note in receipt.notes:
        yield from paragraph(note)
    yield styled(("What one prompt got, and why: limpet why NUMBER", "dim"))


def _turn_row(turn: ReceiptTurn) -> tuple[object, ...]:
    new = sum(one.fresh + one.cached for one in turn.pieces) if turn.usage else turn.block
    again = turn.carried_fresh + turn.carried_cached
    return _row(_name(turn), turn.answers, new, again, turn.other, turn.usage.total if turn.usage else None)


def _whole_row(receipt: Receipt) -> tuple[object, ...]:
    new = 0
    for turn in receipt.turns:
        new += sum(one.fresh + one.cached for one in turn.pieces) if turn.usage else 0
    again = receipt.fresh + receipt.cached - new
    answers = sum(turn.answers for turn in receipt.turns)
    if receipt.usage is None:
        new = receipt.sent
    return _row("all", answers, new, again, receipt.other, receipt.usage.total if receipt.usage else None)


def _row(name: str, answers: int, new: int, again: int, other: int | None, told: int | None) -> tuple[object, ...]:
    figures = ("-" if each is None else f"{each:,}" for each in (new, again, other, told))
    return (name, answers, *figures)


def _sum_lines(title: str, sums: Sequence[ReceiptSum]) -> Iterator[Line]:
    if not sums:
        return
    is_rules = sums[0].kind == "rule"
    yield from ("", styled((title, "bold")))
    rows: list[tuple[object, ...]] = [("read", "cached", "sent", "kept" if is_rules else "kind", "")]
    for one in sums[:SHOWN]:
        what = f"{one.name}: {one.said}" if is_rules else one.said
        row = (f"{one.fresh + one.cached:,}", f"~{one.cached:,}", f"{one.sent}x")
        rows.append((*row, one.kept if is_rules else one.kind, what))
    yield from table(rows, indent="  ", heading=True, spare=("cached", "sent"))
    if len(sums) > SHOWN:
        yield f"  and {len(sums) - SHOWN} more: --json"


def _name(turn: ReceiptTurn | ReplayedTurn) -> str:
    return f"prompt {turn.prompt}" if turn.event == "prompt" else NAMES.get(turn.event, turn.event)
