"""Parses choices in sentences: the option that is chosen, its purpose, and the options turned down.

Two sentences contradict each other where these differ for the same purpose.
"""

from __future__ import annotations

import re

from holdfast.ground.text.stems import stem
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import fold, split_words
from holdfast.ground.values import Value
from holdfast.memory.capture.mutually_exclusive import exclude_each_other

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
    usaremos usamos utilizar utilizaremos mudar migrar ficar ficamos fica manter prefiro disse verdade equipe vou ja
    gente beleza
"""
_SPANISH = """
    decision elegimos elegido elegi escogimos escogido adoptar adoptamos utilizaremos cambiar quedamos mantener prefiero
    dije realidad equipo uses usen hemos he vale
"""
_FRENCH = """
    decide choisi choisir opte retenu adopter utiliser utilisons utiliserons utilise utilisez passer garder gardons
    restons reste partons part prefere equipe fait
    nous va allons vais avons
"""
CHOOSING = {"en": _ENGLISH, "pt": _PORTUGUESE, "es": _SPANISH, "fr": _FRENCH}
_CHOOSING = frozenset(" ".join(CHOOSING.values()).split())
# A no or yes to what was said before, and the French "on", which to English is a preposition.
_OPENING = re.compile(
    r"^(?:(?:no|nope|nao|non|yes|yeah|sim|si|oui|well|so)[,.:;!] "
    r"|(?:ok(?:ay)?|alright|fine|great|vale|beleza|bon)[,.:;!]? |(?:on|actually,?) "
    r"|(?:from (?:now|here) on|going forward|(?:de|a partir de) agora(?: em diante)?|(?:de|a partir de) ahora"
    r"(?: en adelante)?|desormais|dorenavant),? )+"
)
_NEGATIVE = re.compile(
    r"\b(?:don't|do not|doesn't|does not|not to|never|no longer|not|stop|avoid|without|won't|isn't|aren't|shouldn't"
    r"|nao|nunca|jamais|pare de|evite|deixe de|no (?:uses|use|usen|usar|usamos|usaremos|mas|vamos a)|ya no|deja de"
    r"|evita|sin|sem|ne|n'\w+ (?:pas|plus|jamais)|arrete[zs]?|plus de|pas|de[ij]x?amos de|paramos de"
    r"|stopped|drop(?:s|ped|ping)?|scrap(?:s|ped|ping)?"
    r"|ditch(?:es|ed|ing)?|abandon(?:s|ed|ing|ne|nons)?|descarta(?:do|mos)?)\b"
    r"|^no (?=\w+[ae]s\b)"
)
_CONTRAST = re.compile(
    r"\b(?:instead of|rather than|in place of|over|em vez d\w+|ao inves d\w+|no lugar d\w+|en lugar de|en vez de"
    r"|plutot qu\w+|au lieu d\w*|away from|plutot .{1,80}\bqu\w+)\b"
    r"|(?:,| and| e| y| et) (?:not|nao|no|pas|non)\b"
)
# "From X to Y", "X by Y" and "no more X, Y" are Y instead of X.
_SWAP = re.compile(
    r"\b(?:(?:switch|mov|migrat)\w* from|replac\w+|swap\w*|substitu\w+|troc\w+|mud\w+ d[eoa]s?|cambi\w+(?: de)?"
    r"|reemplaz\w+|remplac\w+|passe\w* de|migr\w+ d[eu]) (?P<old>.{1,80}?)"
    r" (?:to|with|by|por|pel[oa]s?|para|a|par|vers|pour) (?P<new>.+)"
    r"|\b(?:drop|scrap|ditch|abandonn?\w*|descart\w+|laisse\w* tomber) (?P<dropped>[^,;]{1,80})[,;]"
    r" (?:and )?(?P<taken>.+)"
)
_FOR = re.compile(
    r"\b(?:for|as|in|into|on|under|with|when|while|at|inside|during|para|na|no|nas|nos|em|como|quando|en|cuando|pour|dans|comme|sur|sous"
    r"|quand|to (?:store|handle|manage|parse|build|run|test|send|keep|format|lint))\b"
)
# Their little word belongs to the choosing, not to a purpose.
_CHOOSE_WITH = re.compile(
    r"\b(go|going|goes|went|stick\w*|stay\w*|vamos|vai|fica\w*|quedamos|seguimos|part\w*|rest\w*|gard\w*)"
    r" (?:with|on|com|con|sur|avec|en|em) "
)
# What follows tells why, not what.
_REASON = re.compile(
    r"(?:,? (?:because|since|so that|porque|ja que|pois|puesto que|ya que|parce que|car|puisque|otherwise|senao)\b"
    r"|,? sinon\b"
    r"|[,;:.] (?:i|it|it's|its|they|that's|we (?:need|already|have)|you|eu|ele|ela|yo|es|je|c'est|il|elle)\b)"
)
_CHANGE = re.compile(
    r"\b(?:no longer|not any ?more|switch(?:ed|ing)?|mov(?:e|ed|ing) (?:to|from|away)|migrat\w+ (?:to|from)|replac\w+"
    r"|instead|rather than|changed (?:our|my) mind|after all|ja nao|nao \w+ mais|em vez d\w+|ao inves|mudamos|trocamos"
    r"|ya no|de[ij]x?amos de"
    r"|en lugar de|en vez|cambiamos|plutot qu\w+|au lieu|ne \w+ plus|n'\w+ plus|on passe a)\b"
)
_ADDS = re.compile(
    r"\b(?:also|too|as well|besides|in addition|tambem|tambien|ademas|alem disso|aussi|en plus"
    r"|maybe|perhaps|might|could|talvez|quizas?|tal vez|peut-etre)\b"
)
# The thing is what was spoken of: "make it 8 workers".
_POINTS = re.compile(r"^(?:please )?(?:make|set|change|raise|lower|turn) (?:it|that|this|them)\b(?: to| at| into)?")
# Words that say that a thing lies somewhere: it lies in one place.
_PLACES = """
    put puts place places keep keeps store stores stored save saves saved write writes written go goes live lives belong
    belongs lie lies colocar coloque coloca guardar guarde guarda guardamos salvar salve fica ficam poner pon pone
    ponemos dejar deja va van mettre mets met mettons mettez ranger range rangeons garder garde gardons gardez vont
"""
_PLACING = frozenset(map(stem, _PLACES.split()))
_NUMBER = re.compile(r"^v?\d+[\w.]*$")


class Choice(Value):
    """A sentence's choice, as stems of words.

    ``chosen``: what is chosen; turned down where it is ``negative``.
    ``about``: what it is chosen for.
    ``rejected``: what is named only to have it rejected.
    ``changes``: it says that something was otherwise.
    ``adds``: it says that something comes in addition, or only may come.
    ``points``: it calls its thing "it", which was spoken of before.
    ``places``: it says where something is.
    """

    chosen: frozenset[str]
    about: frozenset[str]
    rejected: frozenset[str]
    numbers: frozenset[str]
    negative: bool
    changes: bool
    adds: bool
    points: bool
    places: bool


def read_choice(sentence: str) -> Choice:
    """Return the choice in a sentence of any of four languages; where none can be told apart, all its words are
    ``chosen``."""
    folded = _folded(sentence)
    pointing = _POINTS.match(folded)
    folded = folded[pointing.end() :] if pointing else folded
    kept, turned = _cut(_CONTRAST, _swapped(_cut(_REASON, folded)[0]))
    rejected, about_rejected = _cut(_FOR, turned)
    if not _stems(rejected):
        rejected, about_rejected = about_rejected, ""
    negative = _NEGATIVE.search(kept)
    chosen, about = _cut(_FOR, kept[negative.end() :] if negative else kept)
    if not _stems(chosen):
        chosen, about = f"{chosen} {about}", ""
    return Choice(
        chosen=_stems(chosen),
        about=_stems(f"{about} {about_rejected}"),
        rejected=_stems(rejected),
        numbers=frozenset(word for word in split_words(kept) if _NUMBER.match(word)),
        negative=negative is not None,
        changes=_CHANGE.search(folded) is not None,
        adds=_ADDS.search(folded) is not None,
        points=pointing is not None,
        places=any(stem(word) in _PLACING for word in split_words(chosen)),
    )


def substance(sentence: str) -> str:
    """Return the sentence without its reasons and the words that only say that something is chosen, every negation
    alike."""
    folded = _folded(sentence)
    words = split_words(_NEGATIVE.sub(" not ", _cut(_REASON, folded)[0] or folded))
    return " ".join(word for word in words if word == "not" or _tells(word) or len(word) == 1)


def contradicts(new: Choice, old: Choice, related: float) -> bool:
    """Return whether both surely cannot hold at once.

    Two choices for one purpose may well stand beside each other, so it takes a word that says so, or two things of
    which only one can be had. ``related`` is the share of what they name that two sentences about the same have in
    common.
    """
    if new.adds:
        return False
    rules = (_reverses, _turns_down, _replaces, _renumbers, _moves)
    return any(rule(new, old, related) for rule in rules)


def at_odds(new: Choice, old: Choice) -> bool:
    """Return whether the one names what the other turns down, or another number: however alike, they do not say the
    same."""
    if new.negative != old.negative or new.rejected & old.chosen or old.rejected & new.chosen:
        return True
    return bool(new.numbers and old.numbers) and new.numbers.isdisjoint(old.numbers)


def _reverses(new: Choice, old: Choice, related: float) -> bool:
    """Return whether the one is "use it" and the other "do not use it"."""
    if new.negative == old.negative or (new.numbers and old.numbers and new.numbers.isdisjoint(old.numbers)):
        return False
    if new.changes and new.chosen and not new.about:
        return new.chosen == old.chosen
    return _alike(new.chosen, old.chosen, related) and _same(new.about, old.about, related)


def _turns_down(new: Choice, old: Choice, related: float) -> bool:
    """Return whether the new one is "this instead of that", as wide as that was."""
    if new.negative or old.negative or not new.rejected:
        return False
    if new.chosen == old.chosen and old.about:
        return old.about <= new.rejected
    covered = not old.chosen & new.chosen and bool(old.chosen) and old.chosen <= new.rejected
    return covered and (not new.about or _same(new.about, old.about, related))


def _replaces(new: Choice, old: Choice, related: float) -> bool:
    """Return whether it is "this for the purpose" after "that for the same purpose"."""
    if new.negative or old.negative or new.chosen & old.chosen == new.chosen | old.chosen:
        return False
    purpose = bool(new.about) and _same(new.about, old.about, related)
    one_word = len(new.chosen) == len(old.chosen) == 1
    if purpose and new.changes and not new.rejected and one_word:
        return True
    return (purpose or not new.about | old.about) and exclude_each_other(new.chosen, old.chosen, purpose)


def _renumbers(new: Choice, old: Choice, related: float) -> bool:
    """Return whether it is the same with another number."""
    if new.negative != old.negative or not new.numbers or not old.numbers or new.numbers & old.numbers:
        return False
    if new.points and new.changes and not new.about:
        return bool(new.chosen) and new.chosen == old.chosen
    return _alike(new.chosen | new.about, old.chosen | old.about, related) and _same(new.about, old.about, related)


def _moves(new: Choice, old: Choice, _related: float) -> bool:
    """Return whether it is "the same thing there instead" after "the thing here"."""
    if new.negative or old.negative or not (new.changes and new.places and old.places):
        return False
    thing = new.chosen - _PLACING
    elsewhere = bool(new.about and old.about) and new.about != old.about
    return bool(thing) and thing == old.chosen - _PLACING and elsewhere and new.rejected <= old.about


def _same(a: frozenset[str], b: frozenset[str], related: float) -> bool:
    """Return whether both name the same purpose, or neither names one."""
    return not a | b or _alike(a, b, related)


def _swapped(folded: str) -> str:
    found = _SWAP.search(folded)
    if not found:
        return folded
    old, new = found["old"] or found["dropped"], found["new"] or found["taken"]
    purpose = _FOR.search(new) if found["old"] else None
    place = purpose.start() if purpose else len(new)
    return f"{new[:place]} instead of {old} {new[place:]}"


def _alike(a: frozenset[str], b: frozenset[str], related: float) -> bool:
    return len(a & b) >= related * len(a | b) > 0


def _cut(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    found = pattern.search(text)
    return (text[: found.start()], text[found.end() :]) if found else (text, "")


def _folded(sentence: str) -> str:
    return _CHOOSE_WITH.sub(
        r"\1 ", _OPENING.sub("", fold(sentence.partition(" (asked: ")[0][:LONGEST]).replace("\u2019", "'"))
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in split_words(text) if _tells(word) and not _NUMBER.match(word))


def _tells(word: str) -> bool:
    return len(word) > 1 and word not in STOP_WORDS and word not in _CHOOSING
