"""How alike what is being written and what is there are, by their words. Pure: who asks hands in table and texts."""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.registry.symbols.symbol import Definition, Symbol, is_compared, make_symbol, name_words, shared_words
from limpet.registry.symbols.written import find_written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from limpet.registry.symbols.table import SymbolTable

# Definitions of one text that are compared, and symbols that each is compared with.
MOST_WRITTEN, MOST_COMPARED = 6, 4
# The share of what a definition says that a symbol must have to be compared, and of what the nearest one has.
LEAST_SHARE, LEAST_OF_NEAREST = 0.22, 0.5
# What a word of the name counts where rivals are looked for.
NAMED = 3
# What each likeness counts, and the sum from which two are alike (``bench/reimplementations.py``).
SIGNATURE, DOCUMENTATION, BODY, IDENTIFIERS, SAID, SAME_NAME = 4.0, 10.0, 10.0, 5.0, 5.0, 2.5
ALIKE = 8.6
# What they must say for half of their likeness to count, of what the rarest word says: few words are alike by chance.
DOUBT = 0.65
# So many bear a name by convention, as `New` of each package.
CONVENTION = 3
# Definitions that all lie in one file: that is being moved.
MOVED = 3
SHOWN_WORDS = 5


class Match(Value):
    """``symbol``: what is there. ``line``: as it is told."""

    symbol: Symbol
    written: Symbol
    score: float
    is_namesake: bool = False

    @property
    def line(self) -> str:
        symbol = self.symbol
        words = shared_words(symbol, self.written)
        both = f"both: {', '.join(words[:SHOWN_WORDS])}" if words else ""
        why = "; ".join(filter(None, ("same name" if self.is_namesake else "", both))) or "alike in their code"
        return f"{symbol.name} in {symbol.path}:{symbol.line} looks like what you add ({why}): use or adapt it?"


def find_known(text: str, before: str, path: str, table: SymbolTable, source: Callable[[str], str]) -> list[Match]:
    """What exists of the definitions that ``text`` adds to ``path``, the most alike first, each once; ``source``: a
    path -> its text as it is now."""
    there = {one.name for one in find_written(before, path)}
    added = [one for one in find_written(text, path) if one.name not in there and is_compared(one)]
    found: dict[tuple[str, str], Match] = {}
    for one in added[:MOST_WRITTEN]:
        for match in find_alike(one, table):
            symbol = match.symbol
            if match.score >= ALIKE and symbol.path != path and symbol.name in source(symbol.path):
                found.setdefault((symbol.path, symbol.name), match)
                break
    places = {place for place, _ in found}
    if len(added) >= MOVED and len(found) == len(added[:MOST_WRITTEN]) and len(places) == 1:
        return []
    return sorted(found.values(), key=lambda match: -match.score)


def find_alike(written: Definition, table: SymbolTable) -> list[Match]:
    """The most alike first."""
    symbol, name = make_symbol(written), name_words(written.name)
    weights: dict[str, int] = {}
    sums: dict[int, int] = {}
    for word in symbol.finding:
        weights[word], numbers = table.find(word)
        worth = weights[word] * (NAMED if word in name else 1)
        for number in numbers:
            sums[number] = sums.get(number, 0) + worth
    nearest = max(sums.values(), default=0)
    every = sum(weight or table.rarest for weight in weights.values())
    least = max(LEAST_SHARE * every, LEAST_OF_NEAREST * nearest)
    best = sorted((number for number, found in sums.items() if found >= least), key=lambda number: -sums[number])
    rivals = [each for each in map(table.symbol_of, best[:MOST_COMPARED]) if each.kind == symbol.kind]
    if sum({*name_words(each.name)} == {*name} for each in rivals) >= CONVENTION:
        return []
    scores = _Scores(symbol, weights, table)
    return sorted((scores.match(each) for each in rivals), key=lambda match: -match.score)


class _Scores:
    """What is written, beside whatever it is compared with."""

    def __init__(self, written: Symbol, weights: dict[str, int], table: SymbolTable) -> None:
        self.written, self.weights, self.table = written, weights, table
        self.name, self.doubt = name_words(written.name), DOUBT * table.rarest
        self.said = sum(map(self.weight, self.name))

    def weight(self, word: str) -> int:
        known = self.weights.get(word)
        if known is None:
            known = self.weights[word] = self.table.find(word)[0]
        return known or self.table.rarest

    def match(self, known: Symbol) -> Match:
        written, name = self.written, name_words(known.name)
        held = {*known.keywords, *known.documentation, *known.body}
        said = sum(self.weight(word) for word in self.name if word in held)
        is_namesake = {*self.name} == {*name}
        ours, theirs = {*written.keywords}.difference(self.name), {*known.keywords}.difference(name)
        score = (
            SIGNATURE * self.share(ours, theirs)
            + DOCUMENTATION * self.share(written.documentation, known.documentation)
            + BODY * self.share(written.body, known.body)
            + IDENTIFIERS * self.share(written.identifiers, known.identifiers)
            + SAID * said / (self.said + self.doubt / 2)
            + SAME_NAME * is_namesake * min(len(name), 2)
        )
        return Match(known, written, score, is_namesake)

    def share(self, ones: Iterable[str], others: Iterable[str]) -> float:
        """What both say, of what either says."""
        ones, others = {*ones}, {*others}
        both = ones & others
        if not both:
            return 0.0
        every = sum(map(self.weight, ones)) + sum(map(self.weight, others))
        return 2 * sum(map(self.weight, both)) / (every + self.doubt)
