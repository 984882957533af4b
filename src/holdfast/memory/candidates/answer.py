"""What is answered to a candidate, or found by oneself: one line of words to a value. Pure."""

from __future__ import annotations

import re

from holdfast.ground.errors import HoldfastError
from holdfast.ground.values import Value
from holdfast.memory.candidates.candidate import same_words
from holdfast.memory.model.types import TYPES

DROP, REPEATS, REPLACES, ENDS, WRITE = "drop", "repeats", "replaces", "ends", "write"
FORM = (
    'Write "ID: SENTENCE", "ID: drop", "ID: repeats MEMORY", "ID: replaces MEMORY: SENTENCE", "ID: ends MEMORY" or'
    ' "TYPE: SENTENCE"'
)
LONGEST = 300
_NAMED = re.compile(r"\s*([\w-]+)\s*:\s*(.*)\Z", re.DOTALL)
_ABOUT = re.compile(r"(repeats|ends|replaces)\s+([\w-]*\d[\w-]*|[a-z-]{8})\s*(?::\s*(.*))?\.?\Z", re.DOTALL)


class Answer(Value):
    """An answer.

    ``does``: ``drop``, ``repeats``, ``replaces``, ``ends`` or ``write``.
    ``id``: the candidate's, "" for a finding of one's own, which has a ``type``.
    ``memory``: the entry that it repeats, replaces or ends.
    ``sentence``: what is to be written.
    """

    does: str
    id: str = ""
    type: str = ""
    memory: str = ""
    sentence: str = ""


def read_answer(text: str) -> Answer:
    """Return the answer that somebody typed. Raise HoldfastError for one of no form that is known."""
    named = _NAMED.match(text)
    if not named:
        raise HoldfastError("Not an answer", text, FORM)
    name, rest = named[1], " ".join(named[2].split())
    if name in TYPES and (about := _ABOUT.match(rest)):
        what = f"A finding of your own {about[1]} no memory: only what was said does"
        raise HoldfastError(what, text, f"Change the memory: holdfast memory edit {about[2]} --title SENTENCE")
    if name in TYPES:
        return Answer(does=WRITE, type=name, sentence=_sentence(rest))
    if rest.lower().rstrip(".") == DROP:
        return Answer(does=DROP, id=name)
    about = _ABOUT.match(rest)
    if about and (about[1] == REPLACES) == (about[3] is not None):
        sentence = _sentence(about[3]) if about[1] == REPLACES else ""
        return Answer(does=about[1], id=name, memory=about[2], sentence=sentence)
    type, _, typed = rest.partition(":")
    if type in TYPES:
        return Answer(does=WRITE, id=name, type=type, sentence=_sentence(typed.strip()))
    return Answer(does=WRITE, id=name, sentence=_sentence(rest))


def read_finding(kind: str, sentence: str) -> Answer:
    """Return the answer that is a finding of one's own of this type. Raise HoldfastError."""
    if kind not in TYPES:
        raise HoldfastError("Not a type of memory", kind, f"Use one of: {', '.join(TYPES)}")
    return Answer(does=WRITE, type=kind, sentence=_sentence(" ".join(sentence.split())))


def refuse_copy(sentence: str, quote: str) -> None:
    """Raise HoldfastError for a sentence that is only the beginning of the quote, cut."""
    cut = sentence.rstrip(".\u2026")
    if sentence.endswith(("...", "\u2026")) and same_words(quote).startswith(same_words(cut)):
        raise HoldfastError("This is the quote, cut: write a sentence that stands alone")


def _sentence(text: str) -> str:
    if not text.strip('"\u2026. '):
        raise HoldfastError("No sentence", "", FORM)
    if len(text) > LONGEST:
        raise HoldfastError(f"Longer than {LONGEST} characters: write one sentence")
    return text
