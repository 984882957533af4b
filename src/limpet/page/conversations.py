"""The pages of conversations: the list, the receipt of one, and a prompt of it piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limpet.operations.conversations import find_conversation
from limpet.operations.project import Project
from limpet.operations.receipt_counting import ReceiptTurn
from limpet.operations.receipts import conversation_receipt, replay
from limpet.operations.timeline import list_conversations, read_timeline
from limpet.operations.why import explain_prompt
from limpet.page.charts import Bar, chart_of

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
    sent, cost = (chart_of(map(bar, turns[-CHARTED:])) for bar in (_sent_bar, _cost_bar))
    told = {"receipt": receipt, "turns": turns[::-1], "sent": sent, "cost": cost, "events": events[::-1]}
    return "conversation.html", told


def view_prompt(project: Project, asked: Mapping[str, str], key: str, number: int) -> tuple[str, dict[str, Any]]:
    """Number 0 is the last start."""
    workspace, name = project.workspace, find_conversation(project.workspace, key)
    found = explain_prompt(workspace, project.caller, name, number, starting=not number)
    turns = [turn for turn in replay(project, name) if turn.event == found["event"] and turn.at == found["time"]]
    turn = next((turn for turn in turns[::-1] if not number or turn.prompt == number), None)
    return "prompt.html", {"found": found, "turn": turn}


def _sent_bar(turn: ReceiptTurn) -> Bar:
    parts = dict.fromkeys(("rules", "memory", "other"), 0)
    for piece in turn.pieces:
        parts[piece.kind if piece.kind in parts else "other"] += piece.tokens
    return Bar(_label(turn), tuple(parts.items()))


def _cost_bar(turn: ReceiptTurn) -> Bar:
    if turn.usage is None:
        return Bar(_label(turn), ())
    ours = sum(piece.fresh for piece in turn.pieces) + turn.carried_fresh
    cached = sum(piece.cached for piece in turn.pieces) + turn.carried_cached
    return Bar(_label(turn), (("ours", ours), ("ours from the cache", cached), ("all else", max(0, turn.other or 0))))


def _label(turn: ReceiptTurn) -> str:
    return "start" if turn.event == START else turn.event.partition("_")[0] + f" {turn.prompt or ''}".rstrip()
