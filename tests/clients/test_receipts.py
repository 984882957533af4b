"""What a receipt says of a conversation with a real client, beside what the model reported to that client."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .clients import Client
from .test_every_client import REFUND, client, converse, limpet, project, set_up
from .test_memory import blocks

__all__ = ["client", "project"]
pytestmark = pytest.mark.client

# What the model reports of each request: all that went in, and how much of that came from the cache.
USED, CACHED = (20_000, 21_000, 23_000), (0, 19_000, 21_000)
OUT = 7


def test_our_pieces_and_everything_else_are_what_the_client_was_billed(client: Client, project: Path) -> None:
    """Turn by turn and in all; what came once is read again with every answer, from the cache where the model says so;
    the blocks are those that the model was sent."""
    set_up(project, client)
    limpet(client, project, "rules", "add", "payments", "--recall", "invoice, refund", "--rule", REFUND)
    words = ["hello", f"look {client.shell('echo seen')}", "what does a refund cost?"]
    figures = [f"[[usage:{used}]] [[cached:{cached}]]" for used, cached in zip(USED, CACHED, strict=True)]
    asked = [f"{text} {said}" for text, said in zip(words, figures, strict=True)]
    runs = converse(client, project, asked)
    answers = [len(run.requests) for run in runs]
    receipt = json.loads(limpet(client, project, "log", "--receipt", runs[-1].conversation, "--json"))
    prompts = [turn for turn in receipt["turns"] if turn["event"] == "prompt"]
    billed = [number * (used + OUT) for number, used in zip(answers, USED, strict=True)]

    assert answers == [1, 2, 1]
    assert [turn["answers"] for turn in prompts] == answers
    assert [_total(turn["usage"]) for turn in prompts] == billed
    assert [turn["usage"]["cache_read"] for turn in prompts] == [0, 2 * CACHED[1], CACHED[2]]
    for turn in prompts:
        ours = sum(one["fresh"] + one["cached"] for one in turn["pieces"])
        assert ours + turn["carried_fresh"] + turn["carried_cached"] + turn["other"] == _total(turn["usage"])
        assert turn["other"] > 0
    assert _total(receipt["usage"]) == sum(billed)
    assert receipt["fresh"] + receipt["cached"] + receipt["other"] == sum(billed)
    assert sum(one["fresh"] + one["cached"] for one in receipt["by_piece"]) == receipt["fresh"] + receipt["cached"]

    (basic,) = [one for one in receipt["by_piece"] if one["name"] == "CONSTITUTION"]
    assert basic["fresh"] + basic["cached"] == sum(answers) * basic["tokens"]
    assert 0 < basic["cached"] <= 3 * basic["tokens"]
    (rule,) = [one for one in receipt["by_rule"] if one["name"] == "PAYMENTS_RULE_0"]
    assert (rule["said"], rule["kept"], rule["cached"]) == (REFUND, "not judged", 0)

    replayed = json.loads(limpet(client, project, "replay", runs[-1].conversation, "--json"))
    for turn in replayed:
        assert turn["block"] in blocks(runs[-1].requests[-1])
    assert [turn["block"] for turn in replayed if REFUND in turn["block"]]


def _total(usage: dict[str, int]) -> int:
    return sum(usage[name] for name in ("input", "cache_write", "cache_read", "output"))
