"""What in a statement's words makes it a wish that holds for the work to come, and for which practices of work.
Separate from the terms, because a wish and the prompt that it is for name one practice by different words: "run the
linter on the whole project" is wanted where "static analysis is red"."""

from __future__ import annotations

from limpet.ground.text.folding import fold
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import split_words
from limpet.memory.index.terms import about, terms
from limpet.memory.model.entry import WISH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.memory.model.entry import Card

_WORDS = read_words("words/usual")
_BY_TERM: dict[str, str] = {}
for _line in _WORDS["practices"]:
    _practice, _, _terms = _line.partition(": ")
    _BY_TERM.update(dict.fromkeys(_terms.split(), _practice))
# Those that a tool call shows to begin, so that wishes about them can come with it.
BY_DEEDS = frozenset(" ".join(_WORDS["deeds"]).split())
# Pairs of terms that name one beside them.
_BY_PAIR = {("static", "analys"): "linting", ("pull", "request"): "committing"}
_GENERAL, _REFUSING, _ASKING = (frozenset(" ".join(_WORDS[name]).split()) for name in ("general", "refusing", "asking"))
# Terms at the beginning of a statement among which it may ask for a piece of work.
_BEGINNING = 7


def name_practices(found: Iterable[str]) -> frozenset[str]:
    named: set[str] = set()
    before = ""
    for term in found:
        named.update(filter(None, (_BY_TERM.get(term), _BY_PAIR.get((before, term)))))
        before = term
    return frozenset(named)


def generality(text: str) -> int:
    """Return how many different words of the text make it one for all times or for all things."""
    words = split_words(fold(text))
    if text.isascii():
        return len(_GENERAL.intersection(words))
    from limpet.ground.text.scripts import GENERAL

    return len((_GENERAL | GENERAL).intersection(words))


def refuses(text: str) -> bool:
    return not _REFUSING.isdisjoint(split_words(fold(text)))


def seems_kept(wish: str, text: str) -> bool | None:
    """Whether a text is as a wish wants it, by what that quotes: it has something of the shape of each, or nothing of
    it where that is refused; None where it quotes nothing."""
    import re  # which most calls do without

    found = re.findall(r"`([^`]+)`|[\"\u201c]([^\"\u201d]+)[\"\u201d]|(?<!\w)'([^']+)'(?!\w)", wish)
    quoted = [said.strip() for parts in found for said in parts if said.strip()]
    if not quoted:
        return None
    if refuses(wish):
        return not any(said.casefold() in text.casefold() for said in quoted)
    at = 0
    for said in quoted:
        # "module: what" is meant of any module, a bare word of itself.
        words = re.split(r"(\w+)", said)
        is_shape = any(part.strip() for part in words[::2])
        shape = "".join(r"[\w./-]+" if part.isalnum() else re.escape(part) for part in words if part)
        match = re.compile(shape if is_shape else re.escape(said), re.IGNORECASE).search(text, at)
        if not match:
            return False
        at = match.end()
    return True


def count_requests(text: str) -> int:
    """Return how many words at its beginning ask for a piece of work, which is over once it is done."""
    return len(_ASKING.intersection(terms(text)[:_BEGINNING]))


def count_names(text: str) -> int:
    count = 0
    for word in text.split():
        bare = word.strip(".,;:!?()[]{}<>`'\"*")
        joined = any(sign in bare for sign in "_/.") or bare.startswith("--") or word.endswith("()")
        count += joined or (bare[1:] != bare[1:].lower() and bare != bare.upper())
    return count


def is_of_practice(text: str) -> bool:
    return len(name_practices(terms(text))) > count_names(text)


def practices_of(type: str, title: str) -> tuple[str, ...]:
    """Return the practices that a wish is about, () for what is none."""
    return tuple(sorted(name_practices(terms(title)))) if type == WISH and is_of_practice(title) else ()


def practice_terms(card: Card) -> tuple[str, ...]:
    """Return the terms under which a wish is found by the practices that it is about."""
    return tuple(map(practice_term, practices_of(card.type, card.title)))


def practice_term(practice: str) -> str:
    return about(about(practice))
