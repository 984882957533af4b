"""How alike what is being written and what is there are, by their words. Pure: who asks hands in table and texts."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.registry.symbols.symbol import (
    Definition,
    Symbol,
    is_compared,
    make_symbol,
    name_words,
    shared_words,
    with_body,
    words_of,
)
from limpet.registry.symbols.written import find_written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from limpet.registry.symbols.table import SymbolTable

# Of what name, signature and purpose say, the share that one must have to be compared.
LEAST_SHARE = 0.25
# Symbols that are compared in full, and the score from which two are alike.
MOST_COMPARED, ALIKE = 8, 1.2
# Definitions that all lie in one file: that is being moved.
MOVED = 3
SHOWN_WORDS = 5


class Match(Value):
    """``words``: those that names, signatures and purposes share. ``line``: as it is told."""

    symbol: Symbol
    score: float
    words: tuple[str, ...] = ()
    is_namesake: bool = False
    parts: tuple[float, ...] = ()

    @property
    def line(self) -> str:
        symbol = self.symbol
        both = f"both: {', '.join(self.words[:SHOWN_WORDS])}" if self.words else ""
        why = "; ".join(filter(None, ("same name" if self.is_namesake else "", both))) or "alike in their code"
        return f"{symbol.name} in {symbol.path}:{symbol.line} looks like what you add ({why}): use or adapt it?"


def find_known(text: str, before: str, path: str, table: SymbolTable, source: Callable[[str], str]) -> list[Match]:
    """What exists of the definitions that ``text`` adds to ``path``, the most alike first, each once; ``source``: a
    path -> its text as it is now."""
    there = {one.name for one in find_written(before, path)}
    added = [one for one in find_written(text, path) if one.name not in there and is_compared(one)]
    found: dict[tuple[str, str], Match] = {}
    for one in added:
        for match in find_alike(one, table):
            symbol = match.symbol
            if match.score >= ALIKE and symbol.path != path and symbol.name in source(symbol.path):
                found.setdefault((symbol.path, symbol.name), match)
                break
    places = {place for place, _ in found}
    if len(added) >= MOVED and len(found) == len(added) and len(places) == 1:
        return []
    return sorted(found.values(), key=lambda match: -match.score)


def find_alike(written: Definition, table: SymbolTable) -> list[Match]:
    """The most alike first; none where name, signature and purpose are like nothing."""
    symbol = make_symbol(written)
    finding = {*symbol.keywords, *words_of(symbol.purpose)}
    weights: dict[str, int] = {}
    sums: dict[int, int] = {}
    for word in finding:
        weight, numbers = table.find(word)
        weights[word] = weight or table.rarest
        for number in numbers:
            sums[number] = sums.get(number, 0) + weight
    least = LEAST_SHARE * sum(weights.values())
    best = sorted((number for number, found in sums.items() if found >= least), key=lambda number: -sums[number])
    if not best:
        return []
    symbol = with_body(symbol, written)
    for word in symbol.body:
        if word not in weights:
            weights[word] = table.find(word)[0] or table.rarest
    matches = [_compare(symbol, table.symbol_of(number), weights, table.rarest) for number in best[:MOST_COMPARED]]
    return sorted(matches, key=lambda match: -match.score)


def _compare(written: Symbol, known: Symbol, weights: dict[str, int], rarest: int) -> Match:
    def share(one: Iterable[str], other: Iterable[str]) -> float:
        ones, others = {*one}, {*other}
        both = sum(weights.get(word, rarest) for word in ones & others)
        every = sum(weights.get(word, rarest) for word in (*ones, *others))
        return 2 * both / every if every else 0.0

    ones, others = name_words(written.name), name_words(known.name)
    names = share(ones, others)
    heads = share(set(written.keywords).difference(ones), set(known.keywords).difference(others))
    purposes = share(words_of(written.purpose), words_of(known.purpose))
    bodies = share(written.body, known.body)
    own, its = {*ones, *written.keywords, *written.body}, {*others, *known.keywords, *known.body}
    whole = share(own, its)
    parts = (names, heads, purposes, bodies, whole)
    return Match(known, names + whole, shared_words(known, written), ones == others, parts)
