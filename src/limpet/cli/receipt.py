"""A conversation again: ``limpet log --receipt``, what it cost and how much of it was ours; ``limpet replay``, its
blocks as they were."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click

from limpet.cli.caller import open_project
from limpet.cli.output import SHORT_ID, emit, json_option, minute, paragraph, plain_data, show, table
from limpet.cli.screen import Line, is_terminal, single_keys, styled, width
from limpet.ground.text.escaping import clip
from limpet.operations.receipt_counting import ReceiptTurn
from limpet.operations.receipts import Receipt, ReceiptSum, ReplayedTurn, conversation_receipt, replay
from limpet.transcripts.messages import UsageLine

# Rows of what was dearest.
SHOWN = 12
# Seconds for which a key is waited for at once.
PATIENCE = 600.0
BACK, END = ("\x1b[D", "\x1b[A", "p", "b"), ("q", "\x04", "\x1b")
NAMES = {"session_start": "start", "subagent_start": "subagent", "unrecorded": "earlier", "tool_before": "file"}
SILENT = {
    "nothing": "Nothing was sent: nothing applied that the conversation did not hold already.",
    "failed": "The hook failed. Run: limpet log --hook",
    "gone": "Its text is not kept, or is another conversation's.",
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
    with single_keys() as next_key:
        while place < len(turns):
            show([*_replayed_lines(turns, place), styled(("next: any key, back: left arrow, end: q", "dim"))])
            key = ""
            while not key:
                key = next_key(PATIENCE)
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
    rows: list[tuple[object, ...]] = [("", "answers", "sent", "ours read", "other", "client's count")]
    for turn in receipt.turns:
        read = sum(one.fresh + one.cached for one in turn.pieces) + turn.carried_fresh + turn.carried_cached
        rows.append((_name(turn), turn.answers, turn.block, *_told(read, turn.other, turn.usage)))
    answers, read = sum(turn.answers for turn in receipt.turns), receipt.fresh + receipt.cached
    rows.append(("all", answers, f"{receipt.sent:,}", *_told(read, receipt.other, receipt.usage)))
    yield from table(rows, heading=True, styles=("cyan",), spare=("answers",))
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


def _told(read: int, other: int | None, usage: UsageLine | None) -> tuple[str, ...]:
    return (f"{read:,}", f"{other:,}", f"{usage.total:,}") if usage and other is not None else ("-", "-", "-")


def _sum_lines(title: str, sums: Sequence[ReceiptSum]) -> Iterator[Line]:
    if not sums:
        return
    is_rules = sums[0].kind == "rule"
    yield from ("", styled((title, "bold")))
    rows: list[tuple[object, ...]] = [("read", "cached", "sent", "")]
    for one in sums[:SHOWN]:
        what = f"{one.name}, {one.kept}: {one.said}" if is_rules else f"{one.said}, {one.reason}"
        rows.append((f"{one.fresh + one.cached:,}", f"~{one.cached:,}", f"{one.tokens:,}", what))
    yield from table(rows, indent="  ", heading=True, spare=("sent",))
    if len(sums) > SHOWN:
        yield f"  and {len(sums) - SHOWN} more: --json"


def _name(turn: ReceiptTurn | ReplayedTurn) -> str:
    return f"prompt {turn.prompt}" if turn.event == "prompt" else NAMES.get(turn.event, turn.event)
