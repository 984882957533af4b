"""L6: the domains that the prompt's words or a deed called, and in the stable part those that the agent may read by
itself and the names of those that no word called."""

from __future__ import annotations

from limpet.context.brackets import active_layers
from limpet.context.fitting import SPARE, shorten
from limpet.context.values import Piece, piece_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.context.values import Request

SHOWN_KEYWORDS = 3
MOST_WORDS = 5
LEAST_WORDS = 2

# Why it is silent where there is nothing to make a piece of.
SILENT = "no keyword matched"


def pieces(request: Request) -> Iterator[Piece]:
    """Yield each matched domain with the keywords that called it, then the directory of the others."""
    for rules in request.rules.domains:
        matched = (("matched", ", ".join(rules.matched[:SHOWN_KEYWORDS])),)
        yield piece_of(rules, "L6", rank=4, more=matched, again=request.settings["repeat_after"])
    if _has_directory(request):
        yield _directory(request)


def _has_directory(request: Request) -> bool:
    """Return whether the stable part has a directory: once an epoch, and where it names anything."""
    return (
        request.settings["directory"]["tokens"] > 0
        and bool(request.rules.fetched or _listed(request))
        and request.epoch.get("stable") is None
        and "L6" in active_layers(request.window.bracket, request.executor, request.settings)
    )


def _listed(request: Request) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the domains that a keyword could call, where there are so many that they are worth naming."""
    return request.rules.directory if request.rules.listed >= request.settings["directory"]["domains"] else ()


def _directory(request: Request) -> Piece:
    """Return the directory with as many words of each domain as let all be named; where the fewest are too many, only
    the first domains fit."""
    for width in range(MOST_WORDS, LEAST_WORDS, -1):
        piece = _with_words(request, width)
        if len(shorten(piece, request.settings["reserve"]).lines) == len(piece.lines):
            return piece
    return _with_words(request, LEAST_WORDS)


def _with_words(request: Request, width: int) -> Piece:
    fetched = (f"Before you {when}, read: limpet rules show {name}" for name, when in request.rules.fetched)
    listed = [f"{name}: {' '.join(words[:width])}" for name, words in _listed(request)]
    about = (("of", str(request.rules.listed)), ("open", "limpet rules show NAME")) if listed else ()
    return Piece(
        layer="L1",
        tag="directory",
        name="directory",
        attributes=about,
        lines=tuple(("", line) for line in (*fetched, *listed)),
        rank=SPARE,
        most=request.settings["directory"]["tokens"],
        stable=True,
        where="limpet rules list",
    )
