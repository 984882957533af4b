"""Whether a prompt asks to leave the session: the whole of it, in words or with a slash (decision 37)."""

from __future__ import annotations

from holdfast.ground.words import fold, split_words
from holdfast.work.exit_phrases import LANGUAGES, NAMES
from holdfast.work.slash import EXIT, EXITS, read_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.work.exit_phrases import Phrases

ASK, NOTHING = "ask", ""
LONGEST = 160
"""Characters of a prompt that can be nothing but a wish to leave."""

_INSIDE = "'\u2019-"
_DASHES = "-\u2013\u2014"
_AFTER = ",;:.!?"
_BEFORE = "\u00a1\u00bf"
_QUOTES = "\u00ab\u00bb\u2018\u201c\u201d\u201e\u2039\u203a"


def exit_of(prompt: str, aliases: tuple[str, ...] = ()) -> str:
    """``exit`` for a wish to leave the product by its name, ``ask`` for one to be asked back about, else ""."""
    return find_exit(prompt, aliases)[0]


def find_exit(prompt: str, aliases: tuple[str, ...] = ()) -> tuple[str, str]:
    """What ``exit_of`` finds, and the language that it was said in ("" for a slash and for nothing).

    ``aliases``: further names of the product, in lower case.
    """
    text = prompt.strip()
    names = (*NAMES, *aliases)
    if not text or len(text) > LONGEST:
        return NOTHING, ""
    if text[0] in "/*":
        return (EXIT if read_slash(f"/{text[1:]}", aliases)[0] == EXIT else NOTHING), ""
    words = _plain_words(text)
    if words:
        for language, phrases in LANGUAGES.items():
            kind = _kind(_sentence(words), "?" in text, phrases, names)
            if kind:
                return kind, language
    return NOTHING, ""


def _plain_words(text: str) -> list[str]:
    """The words of plain prose, folded; none of a text that quotes, or looks like code or a path."""
    folded = " " + fold(text).replace("chati.dev", "chati") + " "
    for place in range(1, len(folded) - 1):
        if not _is_prose(folded[place - 1], folded[place], folded[place + 1]):
            return []
    return split_words(folded)


def _is_prose(before: str, sign: str, after: str) -> bool:
    if sign.isalnum() or sign.isspace() or sign in _BEFORE:
        return True
    if sign in _DASHES and before.isspace() and after.isspace():
        return True
    if sign in _INSIDE:
        return before.isalnum() and after.isalnum()
    if sign in _AFTER:
        return not after.isalnum()
    return not sign.isascii() and sign not in _QUOTES


def _sentence(words: list[str]) -> str:
    """The words with one space around each, so that phrases are found as whole words."""
    return f" {' '.join(words)} "


def _kind(sentence: str, question: bool, phrases: Phrases, names: tuple[str, ...]) -> str:
    core = _without_last(sentence, phrases.fillers)
    rest = _without_first(core, phrases.fillers)
    asked, wished, requested = (
        _without_first(rest, (*phrases.fillers, *leading))
        for leading in (phrases.doubts, phrases.wishes, phrases.requests)
    )
    if asked != rest:
        return ASK if _named(asked, phrases, names) or _unnamed(asked, True, phrases) else NOTHING
    if requested != rest:
        return _named(_without_first(requested, phrases.wishes), phrases, names)
    kind = _named(wished, phrases, names) or _named(rest, phrases, names)
    if kind:
        return ASK if question else kind
    return ASK if _unnamed(wished, wished != rest, phrases) or _is_out(rest, phrases) else NOTHING


def _named(rest: str, phrases: Phrases, names: tuple[str, ...]) -> str:
    """What a verb with the product's name comes to, in either order."""
    first = _without_first(rest, names, once=True)
    if first != rest:
        return EXIT if first.strip() in (*phrases.alone, *EXITS) else NOTHING
    for verbs, kind in ((phrases.exits, EXIT), (phrases.doubtful, ASK)):
        for verb in verbs:
            if rest.startswith(f" {verb} ") and _is_name(rest[len(verb) + 1 :], phrases, names):
                return kind
    return NOTHING


def _is_name(rest: str, phrases: Phrases, names: tuple[str, ...]) -> bool:
    """Whether nothing but the product's name is left, with the small words that lead to it or follow it."""
    start = _without_first(rest, phrases.links)
    end = _without_first(start, names, once=True)
    return end != start and not _without_first(end, phrases.links).strip()


def _unnamed(rest: str, wished: bool, phrases: Phrases) -> bool:
    """Whether somebody says to leave and not what."""
    for verb in phrases.leaves:
        if rest.startswith(f" {verb} "):
            after = rest[len(verb) + 1 :]
            if after.strip() in phrases.places or (not after.strip() and (wished or verb in phrases.alone)):
                return True
    return False


def _is_out(rest: str, phrases: Phrases) -> bool:
    for out in phrases.outs:
        if rest.startswith(f" {out} ") and rest[len(out) + 1 :].strip() in ("", *phrases.places):
            return True
    return False


def _without_first(sentence: str, phrases: tuple[str, ...], once: bool = False) -> str:
    """The sentence after all of these phrases that open it, the longest first."""
    while found := [phrase for phrase in phrases if sentence.startswith(f" {phrase} ")]:
        sentence = sentence[max(map(len, found)) + 1 :]
        if once:
            break
    return sentence


def _without_last(sentence: str, phrases: tuple[str, ...]) -> str:
    while found := [phrase for phrase in phrases if sentence.endswith(f" {phrase} ")]:
        sentence = sentence[: -(max(map(len, found)) + 1)]
    return sentence
