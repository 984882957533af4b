"""A block as data for programs: its figures, its pieces, and the layers that have nothing to say."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from limpet.context.values import Choice, Request, Result
from limpet.ground.config.defaults import LAYERS


def describe_block(request: Request, result: Result) -> dict[str, Any]:
    """Return the block that ``result`` made of ``request``.

    ``remaining``: percent of the window; ``usage`` names the source of that figure.
    ``tokens``, ``budget``: the block's estimated tokens, and the most that its bracket allows.
    ``characters``, ``character_limit``: the block's length, and the most that a host takes.
    ``pieces``: each with its layer, tokens, state (in, cut, out) and the reason for that.
    ``silent``: by layer the reason why it has no pieces.
    """
    return {
        "block": result.block,
        "bracket": request.window.bracket,
        "remaining": request.window.remaining,
        "usage": request.window.source,
        "tokens": result.tokens,
        "budget": request.settings["budgets"][request.window.bracket],
        "characters": len(result.block),
        "character_limit": request.settings["characters"],
        "pieces": [_piece(choice) for choice in sorted(result.choices, key=lambda choice: choice.piece.layer)],
        "silent": _silent_layers(request),
        "notes": list(result.notes),
    }


def _piece(choice: Choice) -> dict[str, Any]:
    state = "in" if choice.why == "in" else "cut" if choice.shown else "out"
    tokens = choice.tokens if choice.shown else 0
    return {
        "layer": choice.piece.layer,
        "name": choice.piece.name,
        "tokens": tokens,
        "state": state,
        "why": choice.why,
    }


def _silent_layers(request: Request) -> dict[str, str]:
    silent = {}
    for layer, module in sorted(LAYERS.items()):
        found = import_module(f"limpet.context.layers.{module}")
        why = getattr(found, "SILENT", "")  # a layer that always has something to say names no reason
        if why and not any(piece.layer == layer for piece in found.pieces(request)):
            silent[layer] = why
    return silent
