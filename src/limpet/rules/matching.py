"""Keyword matching: an index made once from all domains, and one pass over the prompt whatever their number."""

from __future__ import annotations

from limpet.ground.text.folding import fold, is_unspaced
from limpet.ground.text.stems import stem
from limpet.ground.text.words import SYMBOLS, split_words

RECALL = 0
EXCLUDE = 1
# The roles of a domain's first line of hints and first line of doubts; each further line's is two more.
HINT = 2
DOUBT = 3
# So many more lines of hints than of doubts call a domain.
ENOUGH = 2
EVERYWHERE = -1
# How keywords match, the usual way first.
WAYS = ("words", "word", "substring")
KIN = "~"
BLOCK = 64
# What a domain may come with beside words: a check that failed, a story under way.
FAILED_CHECK, STORY = DEEDS = ("failed-check", "story")
# In front of a keyword: it has to open a sentence. Inside one: other words may stand there.
OPENING = "^"
GAP = "..."
WIDEST_GAP = 4
# What ends a sentence, and how many of a prompt's are looked at.
_STOPS = ("\n", ". ", "! ", "? ", ": ", "; ", "... ")
_SENTENCES = 200
# So many characters of a sentence can belong to the keyword that opens it.
_OPENING_CHARACTERS = 200
# What may stand around a word in writing.
_AROUND = ".,;:!?()[]{}<>\"'`*"
# So many different words of a plan have families: a manifest of nothing but keywords must not hold up a prompt.
FAMILIES = 5000

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol, TypedDict

    from limpet.rules.format.manifest import Domain

    class Index(TypedDict):
        """Few long texts rather than many small objects, of which a prompt needs a few: the cost is the same for 10
        domains and for 1,000.

        ``entries``: lines "owner role keyword" in blocks of 64, by the block's number; an entry's number is what
        ``terms`` and ``literals`` lead to. ``terms``: first two letters -> lines "term, tab, numbers": a stem, or ``=``
        and a word meant exactly; ``^`` before either where it has to open a sentence; a number of a phrase is followed
        by ``:`` and the stems or words that must come next, ``...`` for up to four others;
        ``~`` stands before the number of a keyword to whose family the term belongs.
        ``literals``: first two characters -> lines "number, 1 when bounded by non-letters, text".
        """

        entries: Texts
        terms: Texts
        literals: dict[str, str]

    class Texts(Protocol):
        """Texts by key."""

        def get(self, key: str, default: str, /) -> str: ...

    Draft = dict[str, list[str]]


def keywords_of(domain: Domain) -> Iterator[tuple[int, str]]:
    lists = [(RECALL, domain.recall), (EXCLUDE, domain.exclude)]
    lists += [(HINT + 2 * place, line) for place, line in enumerate(domain.hints)]
    lists += [(DOUBT + 2 * place, line) for place, line in enumerate(domain.doubts)]
    for role, keywords in lists:
        for keyword in keywords:
            yield role, keyword


def build_index(keywords: Iterable[tuple[int, int, str, str]]) -> Index:
    """Return the index of (owner, role, keyword, way). The way is words, word or substring; ``=`` in front of a keyword
    means word, ``^`` that it opens a sentence. A word meant exactly stands on its own: not in a path, a file name, an
    address or an option, unless the keyword is one. A single word that calls a domain by words stands for its family
    too; a phrase, a word with a sign in front and what excludes, hints or doubts do not."""
    entries: list[str] = []
    terms: Draft = {}
    literals: Draft = {}
    families: dict[str, tuple[str, ...]] = {}
    for owner, role, keyword, way in keywords:
        plain = " ".join(keyword.split())
        signs, bare = split_signs(plain)
        folded = " ".join(fold(bare).split())
        opening = OPENING if OPENING in signs else ""
        _add(terms, literals, str(len(entries)), folded, "word" if "=" in signs else way, opening)
        if role == RECALL and way == "words" and not signs:
            _add_family(terms, families, str(len(entries)), folded)
        entries.append(f"{owner} {role} {plain}")
    return {
        "entries": {str(n // BLOCK): "\n".join(entries[n : n + BLOCK]) for n in range(0, len(entries), BLOCK)},
        "terms": _shards(terms),
        "literals": {key: "\n".join(lines) for key, lines in literals.items()},
    }


def find_matches(index: Index, prompt: str) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """({owner: recall keywords found}, {owner: exclude keywords found}); owner -1 excludes every keyword. A keyword
    that only its family stands for in the prompt is named where its owner has no other, and hints where no keyword
    calls it."""
    folded = fold(prompt)
    hits = set(_word_hits(index["terms"], split_words(folded), split_words(_prose(folded))))
    hits.update(_opening_hits(index["terms"], folded))
    if index["literals"]:
        hits.update(_literal_hits(index["literals"], folded))
    found: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
    weighed: dict[int, dict[int, str]] = {}
    for kin, number in sorted((hit[0] == KIN, int(hit.lstrip(KIN))) for hit in hits):
        block = index["entries"].get(str(number // BLOCK), "")
        owner, role, keyword = block.split("\n")[number % BLOCK].split(" ", 2)
        if int(role) > EXCLUDE:
            weighed.setdefault(int(owner), {}).setdefault(int(role), keyword)
        elif not (kin and int(owner) in found[int(role)]):
            found[int(role)].setdefault(int(owner), []).append(keyword)
    for hinted, words in weighed.items():
        if hints := _calling_hints(words):
            found[RECALL].setdefault(hinted, hints)
    return found


def _calling_hints(words: dict[int, str]) -> list[str]:
    hints = [word for role, word in words.items() if role % 2 == HINT % 2]
    doubts = len(words) - len(hints)
    return hints if len(hints) - doubts >= ENOUGH else []


def split_signs(keyword: str) -> tuple[str, str]:
    bare = keyword.lstrip(f"= {OPENING}")
    return keyword[: len(keyword) - len(bare)], bare


def _add(terms: Draft, literals: Draft, number: str, keyword: str, way: str, opening: str) -> None:
    if not keyword:
        return
    words = _phrase_words(keyword)
    unspaced = is_unspaced(keyword)
    written = any(symbol in keyword for symbol in SYMBOLS) or (way == "word" and _prose(keyword) != keyword)
    if way == "substring" or unspaced or not words or written:
        bounded = int(way != "substring" and not unspaced)
        literals.setdefault(keyword[:2], []).append(f"{number} {bounded} {keyword}")
        return
    mark, (first, *rest) = ("=", words) if way == "word" else ("", list(map(stem, words)))
    terms.setdefault(f"{opening}{mark}{first}", []).append(f"{number}:{' '.join(rest)}" if rest else number)


def _phrase_words(keyword: str) -> list[str]:
    words: list[str] = []
    for part in map(split_words, keyword.split(GAP)):
        words += [GAP, *part] if words and part else part
    return words


def _add_family(terms: Draft, families: dict[str, tuple[str, ...]], number: str, keyword: str) -> None:
    """A prompt that compiles nothing never comes here, nor imports the families."""
    if keyword not in families and len(families) < FAMILIES:
        from limpet.ground.text.families import relatives

        families[keyword] = relatives(keyword)
    for relative in families.get(keyword, ()):
        terms.setdefault(relative, []).append(f"{KIN}{number}")


def _shards(terms: Draft) -> dict[str, str]:
    shards: Draft = {}
    for term, numbers in terms.items():
        shards.setdefault(term.lstrip(f"={OPENING}")[:2], []).append("\t".join((term, *numbers)))
    return {key: "\n" + "\n".join(lines) + "\n" for key, lines in shards.items()}


def _look_up(shards: Texts, mark: str, word: str) -> list[str]:
    shard = shards.get(word[:2], "")
    term = f"\n{mark}{word}\t"
    start = shard.find(term)
    if start < 0:
        return []
    start += len(term)
    return shard[start : shard.index("\n", start)].split("\t")


def _prose(folded: str) -> str:
    return " ".join(piece for piece in folded.split() if not _is_name(piece.strip(_AROUND)))


def _is_name(piece: str) -> bool:
    if piece.isalnum():
        return False
    if piece.startswith(("--", "@")) or "/" in piece or "_" in piece or "\\" in piece:
        return True
    parts = piece.split(".")
    return any(before[-1:].isalnum() and after[:1].isalnum() for before, after in zip(parts, parts[1:], strict=False))


def _word_hits(terms: Texts, words: list[str], alone: list[str]) -> Iterator[str]:
    stems = {word: stem(word) for word in dict.fromkeys(words)}
    for mark, texts in (("=", alone), ("", [stems[word] for word in words])):
        phrases: dict[str, list[tuple[str, list[str]]]] = {}
        for text in dict.fromkeys(texts):
            for found in _look_up(terms, mark, text):
                number, _, rest = found.partition(":")
                if rest:
                    phrases.setdefault(text, []).append((number, rest.split(" ")))
                else:
                    yield number
        if phrases:
            yield from _phrase_hits(phrases, texts)


def _phrase_hits(phrases: dict[str, list[tuple[str, list[str]]]], texts: list[str]) -> Iterator[str]:
    for place, text in enumerate(texts, 1):
        for number, rest in phrases.get(text, ()):
            if texts[place : place + len(rest)] == rest or (GAP in rest and _follows(texts, place, rest)):
                yield number


def _follows(texts: list[str], place: int, rest: list[str]) -> bool:
    places, widest = {place}, 0
    for text in rest:
        if text == GAP:
            widest = WIDEST_GAP
            continue
        reached = set[int]()
        for start in places:
            reached.update(range(start, min(start + widest + 1, len(texts))))
        places = {at + 1 for at in reached if texts[at] == text}
        widest = 0
    return bool(places)


def _opening_hits(terms: Texts, folded: str) -> Iterator[str]:
    for stop in _STOPS:
        folded = folded.replace(stop, "\n")
    for sentence in folded.split("\n", _SENTENCES)[:_SENTENCES]:
        words = split_words(sentence[:_OPENING_CHARACTERS])
        for mark, form in ((f"{OPENING}=", str), (OPENING, stem)) if words else ():
            for found in _look_up(terms, mark, form(words[0])):
                number, _, rest = found.partition(":")
                if not rest or _follows([form(word) for word in words], 1, rest.split(" ")):
                    yield number


def _literal_hits(literals: dict[str, str], folded: str) -> Iterator[str]:
    text = " ".join(folded.split())
    for place in range(len(text)):
        for key in (text[place : place + 2], text[place]):
            if key in literals:
                yield from _literals_at(literals[key], text, place)


def _literals_at(lines: str, text: str, place: int) -> Iterator[str]:
    for line in lines.split("\n"):
        number, bounded, literal = line.split(" ", 2)
        if text.startswith(literal, place) and not (bounded == "1" and _is_inside_word(text, place, len(literal))):
            yield number


def _is_inside_word(text: str, place: int, length: int) -> bool:
    before, after = text[place - 1 : place], text[place + length : place + length + 1]
    return before.isalnum() or after.isalnum() or after in tuple(SYMBOLS)
