"""Reads what an instruction file wants run: the commands of a sentence, where they are to be run before the work counts
as done. Pure: text in, values out."""

from __future__ import annotations

import re

from limpet.ground.text.word_lists import read_words
from limpet.rules.passages import Passage

_SENTENCE = re.compile(r"(?<=[.!?])[\"')]?\s+(?=[A-Z`\"\u00c0-\u00dd])")
_WORDS = read_words("words/finishing")
_SPANS = r"((?:[\s,&+]*(?:(?:and|then|run|both|the|e|y|et|und)\s+)*`[^`]+`)+)"
_RUN = re.compile(f"(?:{'|'.join(_WORDS['run'])}){_SPANS}", re.IGNORECASE)
_PASS = re.compile(rf"{_SPANS}\s*(?:{'|'.join(_WORDS['pass'])})", re.IGNORECASE)
_WHEN = "|".join(_WORDS["moment"])
_MOMENT = re.compile(_WHEN, re.IGNORECASE)
# A command right before or behind its moment, with no verb.
_BESIDE = re.compile(rf"{_SPANS}\s*(?:{_WHEN})|(?:{_WHEN})[^`.;]*[,:]\s*{_SPANS}", re.IGNORECASE)
# A command as one types it: no file, no call, no placeholder.
_COMMAND = re.compile(r"(?:\.{1,2}/|\.(?=\w))?[a-z][\w+-]*(?:/[\w./-]+)?(?:\s[^<>…]*)?$")
# Says that the command is not to be run.
_DENIED = re.compile(rf"(?:{'|'.join(_WORDS['not'])})[^.;:`]{{0,12}}?(?:{'|'.join(_WORDS['run'])})", re.IGNORECASE)
_NO_CHECK = re.compile("|".join(_WORDS["no check"]))


def instruction_sentences(passage: Passage) -> list[str]:
    return _SENTENCE.split(passage.text)


def read_commands(sentence: str) -> list[str]:
    """Return the commands that a sentence wants run, as its code spans have them, before something counts as done.

    Left out is what checks nothing as it stands, and one word beside a moment, which may name anything.
    """
    if _DENIED.search(sentence):
        return []
    asked = _PASS.search(sentence) or (_MOMENT.search(sentence) and _RUN.search(sentence))
    beside = None if asked else _BESIDE.search(sentence)
    spans = re.findall(r"`([^`]+)`", (asked or beside or ("",))[0])
    known = (span for span in map(str.strip, spans) if _COMMAND.match(span) and not _NO_CHECK.fullmatch(span))
    return [span for span in known if not beside or re.search(r"[\s/]", span)]
