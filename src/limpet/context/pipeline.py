"""The pipeline: layers yield pieces within their time, repetition and budget choose among them, and the block is
rendered."""

from __future__ import annotations

from limpet.context import repetition, rules_layers, work_layers
from limpet.context.fitting import SPARE, add_spare, count_notes, describe_left_out, fit, render_block
from limpet.context.repetition import after_sending
from limpet.context.usage import active_layers
from limpet.context.values import AS_DATA, Choice, Piece, Result, piece_of
from limpet.ground.config.defaults import PLACES
from limpet.ground.storage.user_folders import NAME
from limpet.ground.text.tokens import estimate_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.context.values import Request, Rules
    from limpet.ground.clock import Clock

    Layer = Callable[[Request], Iterator[Piece]]

# The layers, in the order in which they are asked; those of ``PLACES`` stand in the block where that says.
LAYERS: dict[str, Layer] = {
    "L0": rules_layers.constitution,
    "L1": rules_layers.mode,
    "L7": rules_layers.commands,
    "next": work_layers.following,
    "L2": rules_layers.agent,
    "L3": work_layers.pipeline,
    "L4": work_layers.task,
    "L5": rules_layers.squad,
    "L6": rules_layers.domains,
    "memory": work_layers.memory,
    "asked": work_layers.asked,
}
# Why a layer is silent that has nothing to make a piece of; the others always have something to say.
WHY_SILENT = {
    "L7": "no star-command in the prompt",
    "next": "no work is active",
    "L2": "no agent is active",
    "L3": "no workflow is active",
    "L4": "no task is set",
    "L5": "no squad's rules apply",
    "L6": "no keyword matched",
    "memory": "no memories",
    "asked": "nothing is left to write down",
}
STANDING = "already in the conversation"
NEVER_SKIPPED = ("L0", "L1", "L7", "next", "L2")
BINDING = ("L0", "L1")
LAYER = "L6"
SHOWN_GLOBS = 3
# Tokens of the lines on what exists of what a call adds.
EXISTING = 300


def build_block(request: Request, clock: Clock) -> Result:
    """Return "" when nothing is new. Deterministic but for what the clock cuts short."""
    pieces, notes, timings = _collect(request, clock)
    active = (*active_layers(request.window.bracket, request.executor, request.settings), *PLACES)
    silent = [piece for piece in pieces if piece.layer not in active]
    speaking = [piece for piece in pieces if piece.layer in active]
    speaking.sort(key=lambda piece: PLACES.get(piece.layer, piece.layer))
    due, standing = repetition.select_due(request, speaking)
    gone = repetition.withdrawn(request, speaking)
    request = repetition.with_stable(request, speaking, due)
    if request.debug:
        lines = tuple(("", line) for line in request.debug)
        due.append(Piece(layer="L7", tag="debug", name="debug", lines=lines, rank=8, again=1))
    told = (*request.notes, *notes)
    notes = repetition.new_notes(request, told)
    named = repetition.to_name(request, silent)
    if not due and not notes and not named and not gone:
        unsent = tuple(_unsent(silent, standing, request))
        epoch = repetition.with_notes(request.epoch, told)
        return Result(block="", tokens=0, epoch=epoch, choices=unsent, notes=(), timings=timings)
    notes = (*gone, *notes)
    choices, block = _fitted(request, due, named, notes)
    unshown = notes[count_notes(notes) :]
    told = tuple(note for note in told if note not in unshown)
    sent = [choice for choice in choices if choice.shown]
    return Result(
        block=block,
        tokens=estimate_tokens(block, request.settings["reserve"]),
        epoch=repetition.with_notes(repetition.after_sending(request, sent, named), told),
        choices=(*choices, *_unsent(silent, standing, request)),
        notes=notes,
        timings=timings,
    )


def build_file_block(request: Request, called: list[Rules]) -> Result:
    """With the rules that a file called, ``matched`` of each its globs, what there is of what the call adds, and the
    memories that it brings."""
    pieces = [
        piece_of(rules, LAYER, rank=4, more=(("files", ", ".join(rules.matched[:SHOWN_GLOBS])),)) for rules in called
    ]
    settings, memory = request.settings, request.memory
    tokens = settings["files"]["tokens"]
    if memory:
        piece = Piece(
            layer="memory",
            tag="memory",
            name="memory",
            attributes=(("called-by", ", ".join(memory.called_by)), ("note", AS_DATA)),
            lines=tuple(("", line) for _, line in memory.entries),
            marks=memory.marks,
            rank=3,
            most=memory.tokens,
        )
        pieces.append(piece)
        tokens += memory.tokens
    if request.existing:
        lines = tuple(("", line) for line in request.existing)
        note = (("note", AS_DATA),)
        pieces.append(Piece("existing", "existing", "existing", note, lines, rank=2, most=EXISTING))
        tokens += EXISTING

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


def _collect(request: Request, clock: Clock) -> tuple[list[Piece], tuple[str, ...], dict[str, float]]:
    pieces: list[Piece] = []
    notes: list[str] = []
    timings: dict[str, float] = {}
    is_late = clock.alarm(request.settings["total_ms"] / 1000)
    for name, layer in LAYERS.items():
        start = clock.timer()
        has_had_its_share = clock.alarm(request.settings["allowances_ms"].get(name, 20) / 1000)
        try:
            for piece in layer(request):
                pieces.append(piece)
                if name not in NEVER_SKIPPED and (is_late() or has_had_its_share()):
                    notes.append(f"{name} was cut short: out of time")
                    break
        except Exception as error:
            notes.append(f"{name} failed: {type(error).__name__}")
        timings[name] = round((clock.timer() - start) * 1000, 3)
    return pieces, tuple(notes), timings


def _fitted(request: Request, due: list[Piece], named: list[Piece], notes: tuple[str, ...]) -> tuple[list[Choice], str]:
    settings = request.settings
    off = tuple(f"{piece.name}: {_why_silent(request, piece)} ({piece.where})" for piece in named)

    def assemble(choices: list[Choice]) -> str:
        return render_block(request, choices, (*describe_left_out(choices), *off), notes)

    limits = (settings["budgets"][request.window.bracket], settings["characters"], settings["reserve"])
    choices = fit([piece for piece in due if piece.rank != SPARE], *limits, assemble)
    for piece in due:
        if piece.rank == SPARE:
            choices = add_spare(choices, piece, *limits, assemble)
    block, most = assemble(choices), limits[0]
    is_over = estimate_tokens(block, settings["reserve"]) > most or any(
        choice.piece.layer in BINDING and not choice.shown for choice in choices
    )
    # Where the command has so long a path that what binds does not fit beside it, its bare name has to do.
    if is_over and request.name != NAME:
        return _fitted(request.replace(name=NAME), due, named, notes)
    return choices, block


def _unsent(silent: list[Piece], standing: list[Piece], request: Request) -> list[Choice]:
    reasons = [(piece, _why_silent(request, piece)) for piece in silent]
    reasons += [(piece, STANDING) for piece in standing]
    return [Choice(piece=piece, lines=(), tokens=0, why=why) for piece, why in reasons]


def _why_silent(request: Request, piece: Piece) -> str:
    by_bracket = piece.layer not in request.settings["layers"][request.window.bracket]
    return f"{piece.layer} is off {f'in {request.window.bracket}' if by_bracket else f'for a {request.executor}'}"
