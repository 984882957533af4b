"""The block that a file calls: the rules of its domains, each once an epoch, within a budget of their own."""

from __future__ import annotations

from holdfast.context.block import describe_left_out, render_block
from holdfast.context.fitting import fit
from holdfast.context.repetition import after_sending
from holdfast.context.values import Result, piece_of
from holdfast.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.context.values import Choice, Request, Rules

LAYER = "L6"
SHOWN_GLOBS = 3


def build_file_block(request: Request, called: list[Rules]) -> Result:
    """Return the block with the rules that a file called; ``matched`` of each are its globs."""
    pieces = [
        piece_of(rules, LAYER, rank=4, more=(("files", ", ".join(rules.matched[:SHOWN_GLOBS])),)) for rules in called
    ]
    settings = request.settings

    def assemble(choices: list[Choice]) -> str:
        return render_block(request, choices, describe_left_out(choices), (), "")

    choices = fit(pieces, settings["files"]["tokens"], settings["characters"], settings["reserve"], assemble)
    block = assemble(choices)
    sent = [choice for choice in choices if choice.shown]
    return Result(
        block=block,
        tokens=estimate_tokens(block, settings["reserve"]),
        epoch=after_sending(request, sent, [choice.piece for choice in choices if not choice.shown]),
        choices=tuple(choices),
        notes=(),
        timings={},
    )
