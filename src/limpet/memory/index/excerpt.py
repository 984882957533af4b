"""The substance of an entry on one line, for a quote: what was decided first, then as much of the rest as fits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from limpet.ground.text.escaping import clip
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.text.words import fold, split_words
from limpet.memory.model.entry import EVIDENCE, Entry

LIMIT = 200
"""Tokens of an excerpt (chati.dev V7.1 section 4.4: chunks)."""

_LOOKED_AT = 100_000
"""Characters of a body that are looked at."""
_LONGEST = 20
"""Characters that a token has at most, even in the plainest text."""

_KEY_WORDS = frozenset(
    (
        *("summary", "decision", "decisions", "correction", "resolution", "solution", "workaround"),
        *("resumo", "decisao", "decisoes", "correcao", "resolucao", "solucao", "contorno"),
        *("resumen", "correccion", "resolucion", "solucion", "alternativa"),
        *("resume", "contournement"),
    )
)
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+|$)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")
_RULE = re.compile(r"[-*_=|:+> \t]*")
_QUOTE = re.compile(r"[> \t]*")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_STRONG = re.compile(r"\*\*|__|~~")
_SENTENCE = re.compile(r"(?<=[.!?])[ ]|(?<=[。！？])")
_ENDS = tuple(".!?:;,。！？…")


def excerpt(entry: Entry, limit: int = LIMIT) -> str:
    """Return the body in whole sentences within ``limit`` tokens, on one line, without its Markdown.

    A gotcha's workaround leads; then come the sections that are named a decision, a summary or the like in en, pt, es
    or fr. Empty for an empty body.
    """
    sections = [one for one in _sections(entry.body[:_LOOKED_AT]) if one[0] != EVIDENCE]
    key = [block for heading, blocks in sections if _is_key(heading) for block in blocks]
    other = []
    for heading, blocks in sections:
        if blocks and not _is_key(heading):
            lead = f"{heading.rstrip(':')}: " if heading else ""
            other += [lead + blocks[0], *blocks[1:]]
    first = [_plain(entry.workaround)] if entry.workaround else []
    return _fit((sentence for block in (*first, *key, *other) for sentence in _SENTENCE.split(block)), limit)


def _sections(body: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading ("" for the text before the first) with the paragraphs, items and rows below it."""
    heading, lines, in_code = "", list[str](), False
    for line in body.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
            lines.append("")
        elif not in_code and (found := _HEADING.match(line)):
            yield heading, _blocks(lines)
            heading, lines = _plain(line[found.end() :]), []
        else:
            lines += [line.strip()] if in_code else _own_line(line)
    yield heading, _blocks(lines)


def _own_line(line: str) -> list[str]:
    """Return the line in plain text, after an empty line where it continues no other."""
    if _RULE.fullmatch(line):
        return [""]
    text = line[quoted.end() :] if (quoted := _QUOTE.match(line)) else line
    if text.startswith("|"):
        return ["", _plain(", ".join(cell.strip() for cell in text.strip("| \t").split("|"))), ""]
    item = _ITEM.match(text)
    return ["", _plain(text[item.end() :])] if item else [_plain(text)]


def _blocks(lines: Iterable[str]) -> list[str]:
    """Return the lines between empty ones put together, each block with an end."""
    blocks = [""]
    for line in lines:
        if not line:
            blocks.append("")
        else:
            blocks[-1] = f"{blocks[-1]} {line}" if blocks[-1] else line
    return [block if block.endswith(_ENDS) else f"{block}." for block in blocks if block]


def _is_key(heading: str) -> bool:
    return not _KEY_WORDS.isdisjoint(split_words(fold(heading)))


def _plain(text: str) -> str:
    """Return the words of a line without the marks of links and emphasis."""
    return " ".join(_STRONG.sub("", _LINK.sub(r"\1", text)).split())


def _fit(sentences: Iterable[str], limit: int) -> str:
    """Return the sentences that fit; one that leaves half of the limit unused is cut."""
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if estimate_tokens(longer) > limit:
            return _cut(longer, limit, len(text) + 1) if estimate_tokens(text) < limit // 2 else text
        text = longer
    return text


def _cut(text: str, limit: int, least: int) -> str:
    """Return as much of the text as costs no more than ``limit`` tokens; ``least`` of its characters do."""
    fits, too_long = least, min(len(text), limit * _LONGEST) + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        cheap = estimate_tokens(clip(text, middle)) <= limit
        fits, too_long = (middle, too_long) if cheap else (fits, middle)
    return clip(text, fits) if fits > least + 3 else text[: least - 1]
