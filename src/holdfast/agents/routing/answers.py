"""Requests that only answer: agreement, thanks, a choice, "go on". They are nobody's work, whatever they answer."""

from __future__ import annotations

from holdfast.agents.routing.cues import CUES
from holdfast.ground.text.stems import stem
from holdfast.ground.text.words import fold, split_words

_YES = """
    y yes yep yup yeah ya ok okay sure agreed correct right no nope nah n
    sim isso nao certo beleza si vale claro dale oui non daccord
"""
_SAID = """
    thanks thank thx ty you cheers please great perfect perfecto perfeito nice cool good fine awesome excellent lgtm
    continue proceed go ahead on resume next keep going done do it that this them both all the a of is
    it's its s true looks sounds works very much so let us option number exactly ah oh hm hmm hi hello hey and try again
    i me my you're your with implement agree idea ideas recommendation recommendations look trust work morning now not
    fantastic amazing one first second
    obrigado obrigada valeu pode continuar continua segue seguir em frente otimo bom tudo bem faz muito vai
    implementa implemente gracias muchas adelante sigue bien esta hazlo bueno hola de acuerdo todo implementa
    merci beaucoup parfait vas y va continuez bien sur c est d accord bonjour implemente
"""
_YES_WORDS = frozenset(_YES.split())
_CLOSED = _YES_WORDS | frozenset(_SAID.split())
_MOST, _MOST_AFTER_YES = 7, 3
# What is work of somebody's even after a yes.
_WORK = {"ship", "check", "read", "status", "look", "mend"}


def only_answers(prompt: str) -> bool:
    """Return whether a request is no more than an answer; true for signs without words."""
    words = split_words(fold(prompt[:200]))
    if len(words) > _MOST:
        return False
    if all(word in _CLOSED or len(word) == 1 or word.isdigit() for word in words):
        return True
    return len(words) <= _MOST_AFTER_YES and words[0] in _YES_WORDS and not _is_work(words)


def _is_work(words: list[str]) -> bool:
    return any(not _WORK.isdisjoint(CUES.get(stem(word), ())) for word in words[1:])
