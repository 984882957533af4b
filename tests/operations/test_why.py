"""A block as data for programs."""

from limpet.engine.explanation import preview
from limpet.ground.clock import Clock
from limpet.operations.why import describe_block

from ..conversation import write_rules


def test_every_layer_is_told_by_its_pieces_or_by_the_reason_for_its_silence(workspace):
    """The tokens of the pieces that are in are within the bracket's budget."""
    write_rules(workspace, "QA_RECALL=test\n", qa="QA_RULE_0=Write tests.\n")
    seen = preview(workspace, "add a failing test", clock=Clock())
    data = describe_block(seen.request, seen.result)
    assert data["block"] == seen.result.block and data["characters"] == len(data["block"])
    assert sum(piece["tokens"] for piece in data["pieces"] if piece["state"] == "in") <= data["budget"]
    assert "Write tests." in data["block"] and data["bracket"] == "FRESH"
    assert data["silent"]["L4"] and "L4" not in {piece["layer"] for piece in data["pieces"]}
    assert all(data["silent"].values())
