"""A message's own words: its sentences without code, quotations, logs, other pasted text, and commands to Limpet."""

from __future__ import annotations

import re

from limpet.ground.text.words import fold

LONGEST_TEXT = 20_000
LONGEST_SENTENCE = 400

_FENCES = ("```", "~~~")
_PASTED = re.compile(
    r"\s*(?:>|\||\$ |\+|-{3}|#|@@|<|\{|\}|\[?\d{2,4}[-/:.]\d\d|\d+\t|at \S+ ?\(|File \"|Traceback"
    r"|\w+(?:Error|Exception):|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b)|(?: {4}|\t)\s*[^\s*-]"
)
# What stands behind these is kept, looked for or forgotten by the command itself.
_COMMAND = re.compile(r"(?<!\S)\*(?:remember|recall|forget|memories|gotcha|limpet)\b(?!\*).*", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+•] |\d{1,3}[.)] )+(?:\[[ xX]\] )?")
_SENTENCE_END = re.compile(r"(?:(?<=[.!?…])|(?<=[.!?…][\"')\]]))\s+(?=[^a-z\s])|(?<=[.!?])\s+(?=\w)|\n")
_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "vs.", "p.ex.", "ej.", "ex.", "cf.", "approx.")
_QUOTED = re.compile(r"`[^`]{0,300}`|\"[^\"]{0,300}\"|\u201c[^\u201d]{0,300}\u201d|\u00ab[^\u00bb]{0,300}\u00bb")
_PLACEHOLDER = "xx"
# Between the words of a quotation, so that it is not taken apart.
_JOINT = "\ue000"


def sentences(text: str, longest: int = LONGEST_SENTENCE) -> list[str]:
    """Return the sentences of a message in order, each on one line, without list marks and emphasis.

    Those of more than ``longest`` characters are none, but lists and logs that are not known for what they are.
    """
    lines = _join_wrapped(prose_lines(text[:LONGEST_TEXT]))
    prose = "\n".join(_BULLET.sub("", line) for line in lines)
    return [clean for clean in map(_clean, _split(prose)) if 0 < len(clean) <= longest]


def matchable(sentence: str) -> str:
    """Return the sentence as cues are matched in it: folded, and text in quotation marks or backquotes blanked out."""
    return fold(_QUOTED.sub(_PLACEHOLDER, sentence).replace("\u2019", "'"))


def prose_lines(text: str) -> list[str]:
    """Return the lines that are no code, quotation, log or other pasted text, without commands to Limpet."""
    kept: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = line.lstrip()[:3]
        if mark in _FENCES and fence in ("", mark):
            fence = "" if fence else mark
        elif not fence and not _PASTED.match(line):
            kept.append(_COMMAND.sub("", line).rstrip())
    return kept


def _join_wrapped(lines: list[str]) -> list[str]:
    """Return the lines with those that continue in the next one joined to it."""
    joined: list[str] = []
    for line in lines:
        if joined and joined[-1] and line[:1].islower() and joined[-1][-1] not in ".!?:;":
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return joined


def _split(prose: str) -> list[str]:
    parts: list[str] = []
    for part in _SENTENCE_END.split(_QUOTED.sub(lambda quoted: re.sub(r"\s+", _JOINT, quoted[0]), prose)):
        if parts and parts[-1].endswith(_ABBREVIATIONS):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return parts


def _clean(sentence: str) -> str:
    return " ".join(sentence.replace(_JOINT, " ").replace("**", "").replace("__", "").split())
