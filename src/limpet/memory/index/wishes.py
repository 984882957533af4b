"""What in a statement's words makes it a wish that holds for the work to come, and for which practices of work.
Separate from the terms, because a wish and the prompt that it is for name one practice by different words: "run the
linter on the whole project" is wanted where "static analysis is red"."""

from __future__ import annotations

from limpet.ground.text.folding import fold
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import split_words
from limpet.memory.index.terms import about, terms
from limpet.memory.model.entry import CAPTURED, MODEL, PERSON, STATED_TYPES, WISH

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
_BOUNDED = frozenset(" ".join(_WORDS["bounded"]).split())
# Words before what is wanted, around it, and before what is no longer wanted.
_WANTING, _SCOPING, _ENDING = (frozenset(" ".join(_WORDS[name]).split()) for name in ("wanting", "scoping", "ending"))
_REVERSING = tuple(tuple(one.split()) for one in "|".join(_WORDS["reversing"]).split("|"))
_BEGIN_REVERSING = frozenset(one[0] for one in _REVERSING)
_ARTICLES = frozenset("the a an den die das le la les el los o os as".split())
# Words before a verb, in which a wish says that it is not to be.
_NEAR = 3
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
    return len(_general_words(text))


def holds_for_all(text: str) -> bool:
    """Whether one of these makes it one for all times."""
    return not _general_words(text) <= _BOUNDED


def refuses(text: str) -> bool:
    return not _REFUSING.isdisjoint(split_words(fold(text)))


def reverses(later: str, earlier: str, wholly: bool = False) -> bool:
    """Whether the later wish names as not wanted the one thing that the earlier asks for: "use ruff, not flake8" after
    "run flake8". Not for another part of the work; ``wholly``: nor for a part alone of what the earlier holds for."""
    new, old = _spoken(later), _spoken(earlier)
    scope, other = _scope(new), _scope(old)
    if scope != other and scope and (other or wholly):
        return False
    return any(_wants(old, name) for name in _refused(new))


def without_reversed(cards: list[Card]) -> list[Card]:
    """Leave out the person's statements that a later one of theirs reverses."""
    refused = {one.id: _refused(_spoken(one.title)) for one in cards if one.type in STATED_TYPES}
    names = frozenset().union(*refused.values())
    later = [one for one in cards if refused.get(one.id)]
    # Few titles have a name that another one refuses, and only these are read closely.
    near = {one.id for one in cards if later and not names.isdisjoint(_spoken(one.title))}
    return [one for one in cards if one.id not in near or not any(is_reversed(one, other) for other in later)]


def is_reversed(card: Card, by: Card, wholly: bool = True) -> bool:
    """By words that the person said, or had written down, later."""
    is_theirs = by.source == PERSON or by.source.startswith((CAPTURED, MODEL))
    is_later = card.type in STATED_TYPES and by.created > card.created and by.owner == card.owner
    return is_theirs and is_later and not (by.author or by.flags) and reverses(by.title, card.title, wholly)


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


def _general_words(text: str) -> frozenset[str]:
    words = split_words(fold(text))
    if text.isascii():
        return _GENERAL.intersection(words)
    from limpet.ground.text.scripts import GENERAL

    return (_GENERAL | GENERAL).intersection(words)


def _spoken(text: str) -> list[str]:
    """Words, with a comma for each sign that ends or parts them."""
    found = []
    for word in fold(text).replace("'", "").replace("\u2019", "").split():
        bare = word.strip('"`()').rstrip(",.;:!?")
        found += [bare] if bare == word.strip('"`()') else [bare, ","]
    return found


def _refused(words: list[str]) -> set[str]:
    found = set()
    for at in [place for place, word in enumerate(words) if word in _BEGIN_REVERSING]:
        phrase = next((one for one in _REVERSING if tuple(words[at : at + len(one)]) == one), ())
        named = words[at + len(phrase) :] if phrase else []
        named = named[1:] if named and named[0] in _ARTICLES else named
        if named and _ends(named[1:2]):
            found.add(named[0])
    return found


def _wants(words: list[str], name: str) -> bool:
    for at, word in enumerate(words):
        verb = at - 2 if at and words[at - 1] in _ARTICLES else at - 1
        is_wanted = verb >= 0 and words[verb] in _WANTING and _REFUSING.isdisjoint(words[max(0, verb - _NEAR) : verb])
        if word == name and is_wanted and _ends(words[at + 1 : at + 2]):
            return True
    return False


def _ends(behind: list[str]) -> bool:
    return not behind or behind[0] in _ENDING or behind[0] in _SCOPING


def _scope(words: list[str]) -> list[str]:
    place = next((at for at, word in enumerate(words) if word in _SCOPING), len(words))
    return [word for word in words[place:] if word != ","]
