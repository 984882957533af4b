"""The pages of conversations: the list, the receipt of one, and a prompt of it piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.operations.conversations import find_conversation
from limpet.operations.project import Project
from limpet.operations.receipts import ReceiptTurn, conversation_receipt
from limpet.operations.timeline import list_conversations, read_timeline
from limpet.operations.why import explain_prompt, sent_block
from limpet.page.charts import Bar, stacked_bars

SHOWN, EVENTS = 100, 200
# Turns of the chart: more are not told apart.
CHARTED = 60
START = "session_start"


def view_conversations(project: Project, asked: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    found = list_conversations(project.workspace)
    return "conversations.html", {"conversations": found[:SHOWN], "total": len(found)}


def view_conversation(project: Project, asked: Mapping[str, str], key: str) -> tuple[str, dict[str, Any]]:
    receipt = conversation_receipt(project, find_conversation(project.workspace, key))
    turns = [turn for turn in receipt.turns if turn.pieces or turn.usage]
    events = read_timeline(project.workspace, project.caller, EVENTS, receipt.conversation)
    sent, cost = stacked_bars(map(_sent_bar, turns[-CHARTED:])), stacked_bars(map(_cost_bar, turns[-CHARTED:]))
    told = {"receipt": receipt, "turns": turns[::-1], "sent": sent, "cost": cost, "events": events[::-1]}
    return "conversation.html", told


def view_prompt(project: Project, asked: Mapping[str, str], key: str, number: int) -> tuple[str, dict[str, Any]]:
    """Number 0 is the last start."""
    workspace, caller = project.workspace, project.caller
    name = find_conversation(workspace, key)
    found = explain_prompt(workspace, caller, name, number, starting=not number)
    block = ""
    with suppress(LimpetError):
        block = sent_block(workspace, caller, name, number, starting=not number)
    return "prompt.html", {"found": found, "block": block}


def _sent_bar(turn: ReceiptTurn) -> Bar:
    parts: dict[str, int] = {}
    for piece in turn.pieces:
        group = piece.kind if piece.kind in ("rules", "memory") else "other"
        parts[group] = parts.get(group, 0) + piece.tokens
    return Bar(_label(turn), tuple(parts.items()))


def _cost_bar(turn: ReceiptTurn) -> Bar:
    if turn.usage is None:
        return Bar(_label(turn), ())
    ours = sum(piece.fresh for piece in turn.pieces) + turn.carried_fresh
    cached = sum(piece.cached for piece in turn.pieces) + turn.carried_cached
    return Bar(_label(turn), (("ours", ours), ("ours from the cache", cached), ("all else", max(0, turn.other or 0))))


def _label(turn: ReceiptTurn) -> str:
    return "start" if turn.event == START else turn.event.partition("_")[0] + f" {turn.prompt or ''}".rstrip()
