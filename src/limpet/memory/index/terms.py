"""The terms by which entries are indexed and searched: stems of words, the parts of identifiers, pairs of characters in
scripts without spaces."""

from __future__ import annotations

from itertools import chain

from limpet.ground.late import Late
from limpet.ground.text.folding import fold
from limpet.ground.text.stems import stem
from limpet.ground.text.words import ASCII_WORDS, STOP_WORDS, is_stop_word, keep_only, split_spaced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.ground.text import scripts
else:
    scripts = Late("limpet.ground.text.scripts")

_LONGEST = 40
_MOST_PIECES = 6
_MEMO_SIZE = 50_000
_SIGNED = {"c++": "cpp", "c#": "csharp", "f#": "fsharp"}
_CLITICS = frozenset(("s", "d", "m", "ll", "re", "ve"))
_ABOUT = "\u00a4"
# What stands in questions and commands beside the words that the rules' keywords leave out.
_MORE_STOPS_TEXT = "am at be by come comes did going gone got he him himself i me mine my myself she us we went"
_MORE_STOPS = frozenset(_MORE_STOPS_TEXT.split())
_EDGES = ".,;:!?()[]{}<>`'\"*"
# Of an ASCII chunk: what joins the pieces of an identifier stays, all other signs part.
_JOINERS = b"_-.@"
_SIGNS = keep_only(ASCII_WORDS + _JOINERS)
_JOINTS = bytes.maketrans(_JOINERS, b" " * len(_JOINERS))
_memo: dict[str, tuple[str, ...]] = {}


def terms(text: str) -> list[str]:
    """Return the terms in order, with repetitions; an identifier gives its parts and then itself in one word."""
    found: list[str] = []
    for chunk in text.split():
        known = _memo.get(chunk)
        if known is None:
            known = tuple(_analyse(chunk))
            if len(_memo) >= _MEMO_SIZE:
                _memo.clear()
            if len(chunk) <= _LONGEST:
                _memo[chunk] = known
        found += known
    return found


def about(term: str) -> str:
    """Return the term as one that does not stand in an entry's words but tells of them: who recorded it, and when."""
    return _ABOUT + term


def is_stop(term: str) -> bool:
    """The term says nothing about a subject, so that no query looks for it."""
    if term.isascii():
        return term in STOP_WORDS or term in _MORE_STOPS or (len(term) == 1 and term.isalpha())
    return is_stop_word(term)


def split_scripts(chunk: str) -> list[str]:
    """Cut where Latin and other scripts take turns: identifiers stand in the midst of Japanese."""
    runs = [""]
    for before, sign in zip(chunk[:1] + chunk, chunk, strict=False):
        if _is_latin(sign) != _is_latin(before):
            runs.append("")
        runs[-1] += sign
    return runs


def group_terms(run: str) -> list[tuple[str, ...]]:
    """Return the terms of each word of a run that is no ASCII, that which says most first."""
    found: list[tuple[str, ...]] = []
    for word in split_spaced(fold(run)):
        if not scripts.is_cut(word):
            found.append((_term(word),))
        else:
            found += scripts.group_terms(word)
    return found


def _analyse(chunk: str) -> list[str]:
    bare = chunk.replace("\u2019", "'").strip(_EDGES)
    if bare.isascii() and bare.isalpha() and (bare.islower() or bare.istitle()):
        return [_stem(bare.lower()[:_LONGEST])]
    if bare.lower() in _SIGNED:
        return [_SIGNED[bare.lower()]]
    if "'" in bare:
        bare = _without_clitic(bare)
    return _analyse_ascii(bare) if bare.isascii() else _analyse_script(bare)


def _without_clitic(chunk: str) -> str:
    """Of "Anna's": Anna; nothing is left of "don't" and its like."""
    head, _, clitic = chunk.rpartition("'")
    if clitic.lower() == "t" and head[-1:].lower() == "n":
        return ""
    return head if clitic.lower() in _CLITICS else chunk


def _analyse_ascii(chunk: str) -> list[str]:
    found: list[str] = []
    for compound in chunk.encode("ascii").translate(_SIGNS).decode("ascii").split():
        pieces = _pieces(compound)
        found += map(_term, pieces)
        found += _joined(pieces)
    return found


def _joined(pieces: list[str]) -> list[str]:
    """The identifier in one word, and each two pieces of it: "username" meets "user_name.py" and "getUserName"."""
    if not 1 < len(pieces) <= _MOST_PIECES:
        return []
    pairs = [first + second for first, second in zip(pieces, pieces[1:], strict=False)]
    return [_term(word) for word in (*pairs, *(["".join(pieces)] if len(pieces) > 2 else []))]


def _pieces(compound: str) -> list[str]:
    """In small letters: cut at joints and where capitals say so."""
    found: list[str] = []
    for part in compound.encode("ascii").translate(_JOINTS).decode("ascii").split():
        found += [part.lower()] if part.islower() or part.isupper() or part.isdigit() else _humps(part)
    return found


def _humps(part: str) -> list[str]:
    """Of "getHTTPUrl2": get, http, url2."""
    starts = [0]
    for at in range(1, len(part)):
        after = part[at + 1 : at + 2]
        if part[at].isupper() and (not part[at - 1].isupper() or (after.isalpha() and after.islower())):
            starts.append(at)
    return [part[start:end].lower() for start, end in zip(starts, [*starts[1:], len(part)], strict=True)]


def _term(piece: str) -> str:
    if piece.isdigit():
        return piece.lstrip("0")[:_LONGEST] or "0"
    return _stem(piece[:_LONGEST])


def _stem(word: str) -> str:
    """A stop word is its own stem and no other word becomes one: what it says would be lost."""
    found = stem(word)
    if word.isascii():
        return word if word in STOP_WORDS or found in STOP_WORDS else found
    return word if is_stop_word(word) or is_stop_word(found) else found


def _analyse_script(chunk: str) -> list[str]:
    found: list[str] = []
    for run in split_scripts(chunk):
        found += _analyse(run) if run.isascii() else chain.from_iterable(group_terms(run))
    return found


def _is_latin(sign: str) -> bool:
    return sign < "\u0370" or "\u1e00" <= sign <= "\u1eff"
