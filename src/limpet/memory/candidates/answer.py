"""What is answered to a candidate, or found by oneself: one line of words to a value. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.memory.candidates.candidate import same_words
from limpet.memory.model.types import TYPES

DROP, REPEATS, REPLACES, ENDS, WRITE = "drop", "repeats", "replaces", "ends", "write"
FORM = (
    'Write "ID: SENTENCE", "ID: drop", "ID: repeats MEMORY", "ID: replaces MEMORY: SENTENCE", "ID: ends MEMORY" or'
    ' "TYPE: SENTENCE"'
)
LONGEST = 300
_NAMED = re.compile(r"\s*([\w-]+)\s*:\s*(.*)\Z", re.DOTALL)
_ABOUT = re.compile(r"(repeats|ends|replaces)\s+([\w-]*\d[\w-]*|[a-z-]{8})\s*(?::\s*(.*))?\.?\Z", re.DOTALL)
# An id in any dress, and a word that only stands for one.
_AN_ID = r"[\[(<#\"'`]*(?:mem-[\w-]+|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6,8}|memory|id)\b[\])>\"'`]*"
# Begins like an answer that does something, and has no form of one: "drop: why", "replaces ID" without a sentence; or
# is one word. A short id may be letters alone.
_UNFINISHED = re.compile(
    r"drop(?:s|ped)?(?:\W*\Z|\s*[:,;(]|\s+[\u2013\u2014-]"
    rf"|\s+(?:it|this|that|{_AN_ID})(?:\W*\Z|[,;:.])|(?:\s+(?:it|this|that))?\s+(?:because|as|since)\b)"
    rf"|(?:repeat|replace|end)(?:s|ed|d)?(?:\W*\Z|\s*:|\s+{_AN_ID}\s*(?:[:.]|\Z))"
    rf"|(?:repeats|replaces|ends)\s+(?:{_AN_ID}|(?:\S+\s+){{0,2}}\S+\s*:(?!\S)|(?-i:[a-hjkmnp-tv-z]{{8}})(?!\w))"
    rf"|(?-i:{'|'.join(TYPES)})\s*:"
    r"|[!-~]*\Z",
    re.IGNORECASE,
)


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
    """Return the answer that somebody typed. Raise LimpetError for one of no form that is known."""
    named = _NAMED.match(text)
    if not named:
        raise LimpetError("Not an answer", text, FORM)
    name, rest = named[1], " ".join(named[2].split())
    if name in TYPES:
        return read_finding(name, rest)
    if rest.lower().rstrip(".") == DROP:
        return Answer(does=DROP, id=name)
    about = _ABOUT.match(rest)
    if about and about[1] == REPLACES and about[3] is not None:
        return Answer(does=REPLACES, id=name, memory=about[2], sentence=_sentence(about[3], text))
    if about and about[1] != REPLACES and about[3] is None:
        return Answer(does=about[1], id=name, memory=about[2])
    type, _, typed = rest.partition(":")
    if type in TYPES:
        return Answer(does=WRITE, id=name, type=type, sentence=_sentence(typed.strip(), text))
    return Answer(does=WRITE, id=name, sentence=_sentence(rest, text))


def read_finding(kind: str, sentence: str) -> Answer:
    """Return the answer that is a finding of one's own of this type. Raise LimpetError."""
    if kind not in TYPES:
        raise LimpetError("Not a type of memory", kind, f"Use one of: {', '.join(TYPES)}")
    sentence = " ".join(sentence.split())
    about = _ABOUT.match(sentence)
    if about:
        what = f"A finding of your own {about[1]} no memory: only what was said does"
        hint = f"Change the memory: limpet memory edit {about[2]} --title SENTENCE"
        raise LimpetError(what, f"{kind}: {sentence}", hint)
    return Answer(does=WRITE, type=kind, sentence=_sentence(sentence, f"{kind}: {sentence}"))


def refuse_copy(sentence: str, quote: str) -> None:
    """Raise LimpetError for a sentence that is only the beginning of the quote, cut."""
    cut = sentence.rstrip(".\u2026")
    if sentence.endswith(("...", "\u2026")) and same_words(quote).startswith(same_words(cut)):
        raise LimpetError("This is the quote, cut: write a sentence that stands alone")


def refuse_another(sentence: str, ids: Collection[str]) -> None:
    """Raise LimpetError for a sentence in which another answer begins, to one of these candidates."""
    for name in re.findall(r"(?<!\S)([\w-]+)\s*:", sentence):
        if name in ids:
            raise LimpetError("Two answers in one", f"{name}:", f"Give each its own argument. {FORM}")


def _sentence(text: str, typed: str) -> str:
    """Return the sentence of what was typed, refused where it is none: nobody would see it become a memory."""
    if not text.strip('"\u2026. '):
        raise LimpetError("No sentence", typed, FORM)
    if len(text) > LONGEST:
        raise LimpetError(f"Longer than {LONGEST} characters: write one sentence")
    if _UNFINISHED.match(text):
        raise LimpetError("Not a whole answer", typed, f"{FORM}. A sentence begins with what it is about")
    return text
