"""What a sentence chooses, for what, and what it turns down: by these two sentences contradict each other or not."""

from __future__ import annotations

import re

from holdfast.ground.likeness import root
from holdfast.ground.stop_words import STOP_WORDS
from holdfast.ground.values import Value
from holdfast.ground.words import fold, split_words

LONGEST = 400

# Words that say that something is chosen, never what.
_ENGLISH = """
    let lets decide decided decision choose chose chosen pick picked adopt adopted settle settled agree agreed opt opted
    go going went switch switched switching move moved moving migrate migrated stick sticking stay keep kept standardise
    standardize prefer preferred said told actually please final team want like run runs running call
    we i you ll ve re d us instead anymore longer now already also here yes
"""
_PORTUGUESE = """
    vamos decidimos decidido decidi decisao optamos optado optei escolhemos escolhi escolhido adotar adotamos usar
    usaremos usamos utilizar utilizaremos mudar migrar ficar ficamos manter prefiro disse verdade equipe vou ja
"""
_SPANISH = """
    decision elegimos elegido elegi escogimos escogido adoptar adoptamos utilizaremos cambiar quedamos mantener prefiero
    dije realidad equipo uses usen
"""
_FRENCH = """
    decide choisi choisir opte retenu adopter utiliser utilisons utiliserons utilise utilisez passer garder gardons
    restons reste partons part prefere equipe fait
    nous va allons vais
"""
CHOOSING = frozenset(" ".join((_ENGLISH, _PORTUGUESE, _SPANISH, _FRENCH)).split())
# A no or yes to what was said before, and the French "on", which to English is a preposition.
_OPENING = re.compile(r"^(?:(?:no|nope|nao|non|yes|yeah|sim|si|oui|ok|okay|well|so)[,.:;!] |(?:on|actually,?) )+")
_NEGATIVE = re.compile(
    r"\b(?:don't|do not|doesn't|does not|not to|never|no longer|not|stop|avoid|without|won't|isn't|aren't|shouldn't"
    r"|nao|nunca|jamais|pare de|evite|deixe de|no (?:uses|use|usen|usar|usamos|usaremos|mas)|ya no|deja de|evita|sin"
    r"|sem|ne|n'\w+ (?:pas|plus|jamais)|arrete[zs]?|plus de|pas)\b"
)
_CONTRAST = re.compile(
    r"\b(?:instead of|rather than|in place of|over|em vez d\w+|ao inves d\w+|no lugar d\w+|en lugar de|en vez de"
    r"|plutot qu\w+|au lieu d\w*|replac(?:es|ing)|away from|(?<=switch )from|(?<=switched )from|(?<=move )from"
    r"|(?<=moved )from)\b"
    r"|(?:,| and| e| y| et) (?:not|nao|no|pas|non)\b"
)
_FOR = re.compile(
    r"\b(?:for|as|in|on|with|when|while|at|inside|during|para|na|no|nas|nos|em|como|quando|en|cuando|pour|dans|comme|sur|sous"
    r"|quand|to (?:store|handle|manage|parse|build|run|test|send|keep|format|lint))\b"
)
_CHANGE = re.compile(
    r"\b(?:no longer|not any ?more|switch(?:ed|ing)?|mov(?:e|ed|ing) (?:to|from|away)|migrat\w+ (?:to|from)|replac\w+"
    r"|instead|rather than|changed (?:our|my) mind|ja nao|nao \w+ mais|em vez d\w+|ao inves|mudamos|trocamos|ya no"
    r"|en lugar de|en vez|cambiamos|plutot qu\w+|au lieu|ne \w+ plus|n'\w+ plus|on passe a)\b"
)
_ADDS = re.compile(r"\b(?:also|too|as well|besides|in addition|tambem|tambien|ademas|alem disso|aussi|en plus)\b")
_NUMBER = re.compile(r"^v?\d+[\w.]*$")


class Choice(Value):
    """What a sentence settles: the roots of what is ``chosen`` (turned down where it is ``negative``), of what it is
    ``about``, and of what it names only to have it ``rejected``; ``numbers`` stand apart. ``changes`` where it says
    that something was otherwise, ``adds`` where it says that something comes in addition."""

    chosen: frozenset[str]
    about: frozenset[str]
    rejected: frozenset[str]
    numbers: frozenset[str]
    negative: bool
    changes: bool
    adds: bool


def read_choice(sentence: str) -> Choice:
    """The choice in a sentence of any of four languages; where none can be told apart, all its words are ``chosen``."""
    folded = _folded(sentence)
    kept, turned = _cut(_CONTRAST, folded)
    rejected, about_rejected = _cut(_FOR, turned)
    negative = _NEGATIVE.search(kept)
    chosen, about = _cut(_FOR, kept[negative.end() :] if negative else kept)
    if not _roots(chosen):
        chosen, about = f"{chosen} {about}", ""
    return Choice(
        chosen=_roots(chosen),
        about=_roots(f"{about} {about_rejected}"),
        rejected=_roots(rejected),
        numbers=frozenset(word for word in split_words(kept) if _NUMBER.match(word)),
        negative=negative is not None,
        changes=_CHANGE.search(folded) is not None,
        adds=_ADDS.search(folded) is not None,
    )


def substance(sentence: str) -> str:
    """The sentence without the words that only say that something is chosen, every negation alike."""
    words = split_words(_NEGATIVE.sub("not", _folded(sentence)))
    return " ".join(word for word in words if word == "not" or _tells(word))


def contradicts(new: Choice, old: Choice) -> bool:
    """Whether both cannot hold at once."""
    if new.adds:
        return False
    return _reverses(new, old) or _replaces(new, old) or _renumbers(new, old)


def _reverses(new: Choice, old: Choice) -> bool:
    """Use it - do not use it."""
    if new.negative == old.negative or not new.chosen & old.chosen:
        return False
    if new.changes and new.chosen <= old.chosen | old.about:
        return True
    return _alike(new.chosen | new.about, old.chosen | old.about)


def _replaces(new: Choice, old: Choice) -> bool:
    """This for the purpose - that for the same purpose; this instead of that."""
    if new.negative or old.negative or not new.chosen or not old.chosen or new.chosen & old.chosen:
        return False
    if new.rejected & old.chosen:
        return not new.about or not old.about or bool(new.about & old.about)
    return bool(new.about) and _alike(new.about, old.about)


def _renumbers(new: Choice, old: Choice) -> bool:
    """The same with another number."""
    if new.negative != old.negative or not new.numbers or not old.numbers or new.numbers & old.numbers:
        return False
    return _alike(new.chosen | new.about, old.chosen | old.about)


def _alike(a: frozenset[str], b: frozenset[str]) -> bool:
    return len(a & b) >= 0.6 * len(a | b) > 0


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    found = pattern.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


def _folded(sentence: str) -> str:
    return _OPENING.sub("", fold(sentence[:LONGEST]).replace("\u2019", "'"))


def _roots(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in split_words(text) if _tells(word) and not _NUMBER.match(word))


def _tells(word: str) -> bool:
    return len(word) > 1 and word not in STOP_WORDS and word not in CHOOSING
