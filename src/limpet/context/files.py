"""The block that a tool call brings: rules of its file's domains and memories, each once an epoch, within a budget of
their own."""

from __future__ import annotations

from limpet.context.block import describe_left_out, render_block
from limpet.context.fitting import fit
from limpet.context.layers.memory import MARK
from limpet.context.repetition import after_sending
from limpet.context.values import AS_DATA, Piece, Result, piece_of
from limpet.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.context.values import Choice, Memory, Request, Rules

LAYER = "L6"
SHOWN_GLOBS = 3


def build_file_block(request: Request, called: list[Rules]) -> Result:
    """Return the block with the rules that a file called, ``matched`` of each its globs, and with the memories that the
    call brings."""
    pieces = [
        piece_of(rules, LAYER, rank=4, more=(("files", ", ".join(rules.matched[:SHOWN_GLOBS])),)) for rules in called
    ]
    settings, memory = request.settings, request.memory
    tokens = settings["files"]["tokens"]
    if memory:
        pieces.append(_memories(memory))
        tokens += memory.tokens

    def assemble(choices: list[Choice]) -> str:
        return render_block(request, choices, describe_left_out(choices), ())

    choices = fit(pieces, tokens, settings["characters"], settings["reserve"], assemble)
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


def _memories(memory: Memory) -> Piece:
    return Piece(
        layer="memory",
        tag="memory",
        name="memory",
        attributes=(("called-by", ", ".join(memory.called_by)), ("note", AS_DATA)),
        lines=tuple(("", line) for _, line in memory.entries),
        marks=tuple(MARK + key for key, _ in memory.entries),
        rank=3,
        most=memory.tokens,
    )
