"""A typed message's own words, paragraph by paragraph: without what was pasted into it.

Separate from ``prose``, which cuts sentences out of anybody's text: what a person pastes (output, a plan, items of a
review, a picture) has a look of its own, and is known by its paragraphs.
"""

from __future__ import annotations

import re
from functools import cache

from limpet.ground.values import Value
from limpet.memory.capture.cues import begins, source
from limpet.memory.capture.prose import LONGEST_TEXT, prose_lines

# A longer message is a document or a log with a few own words around it.
LONGEST_TYPED = 3000
_LONGEST_PARAGRAPH = 1200
# A short paragraph that says whose words follow.
_LONGEST_ANNOUNCING = 160
_IMAGE = re.compile(r"\[(?:Image|Pasted text|screenshot)\b[^\]\n]{0,300}\]", re.IGNORECASE)
# What a client writes in the person's name, in whatever case.
_WRAPPED = re.compile(
    r"<(command-\w+|local-command-\w+|bash-\w+|task-notification|system-\w+)\b[^>]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL
)
# Marks of what programs and models print, not of what a hand types; a bare place; what a terminal shows.
_PRINTED = re.compile(
    r"[\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u257f\u2580-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]|\s{3,}\S+\s{3,}"
    r"|^\s*(?:[\w-]{1,20}:\s*)?(?:https?://|file://|~?\.{0,2}/|@|[A-Z]:\\)\S*\s*$"
    r"|^\s*(?i:error|fatal|exception|uncaught|panic|npm err)\b ?[:!]"
)
_PROMPT = re.compile(r"^\s*(?:[\w.-]+@[\w.-]+[:~ ]|\([\w.-]+\) [$#%]|[$#%>\u276f] )")
_INDENTED = re.compile(r"(?: {2,}|\t)\s*(?![-*+\u2022] |\(?\d{1,3}[.)]\s)\S")
# Where a document begins that somebody or something else wrote: a plan, an instruction file.
_HEADING = re.compile(r"\s*#{1,4} \S")


class OwnWords(Value):
    """The user's own words of a typed message.

    ``paragraphs``: each one line or several, in order.
    ``pasted``: whether something else was beside them.
    """

    paragraphs: tuple[str, ...] = ()
    pasted: bool = False

    @property
    def text(self) -> str:
        """The paragraphs, one below the other."""
        return "\n".join(self.paragraphs)


def own_words(text: str) -> OwnWords:
    """Return the own words of a typed message; of a long one those of its first and last paragraph."""
    plain = _IMAGE.sub("", _WRAPPED.sub("", text[:LONGEST_TEXT])).replace("\r\n", "\n")
    blocks = [block for block in re.split(r"\n[ \t]*\n", plain) if block.strip()]
    heading = next((place for place, block in enumerate(blocks) if _HEADING.match(block)), len(blocks))
    blocks = blocks[:heading]
    if len(plain) > LONGEST_TYPED and len(blocks) > 2:
        blocks = [blocks[0], blocks[-1]]
    announced = next((place for place, block in enumerate(blocks) if _announces(block)), len(blocks))
    kept = [own for block in blocks[: announced + 1] if (own := _own(block))]
    whole = "".join("".join(kept).split())
    return OwnWords(paragraphs=tuple(kept), pasted=len(whole) < len("".join(text.split())))


def _own(block: str) -> str:
    """Return the own words of a paragraph, "" for one that was pasted."""
    if quoting := _quoting().match(block):
        return block[: quoting.end()].strip(" :\n\t")
    # A client indents what it shows, and what is copied from there keeps it.
    if _PROMPT.match(block) or all(_INDENTED.match(line) for line in block.split("\n") if line.strip()):
        return ""
    joined = "\n".join(line for line in prose_lines(block) if not _PRINTED.search(line)).strip()
    return joined if len(joined) <= _LONGEST_PARAGRAPH else ""


def _announces(block: str) -> bool:
    """Return whether the paragraph says that somebody else's words follow."""
    return len(block) <= _LONGEST_ANNOUNCING and begins("announces", block.strip().lower())


@cache
def _quoting() -> re.Pattern[str]:
    """Return the expression of what stands before the thing to work on, in somebody else's words: "Address: 1. ...",
    "A review comment: ..."."""
    return re.compile(
        rf"\s*{source('quotes')}:\s+"
        rf"|\s*(?:(?:let'?s|please|ok|now|and|also|we need to|can you)[ ,]+)*{source('working')}\b[^.!?\n]{{0,60}}?"
        r"(?::\s+|\s+)"
        r"(?=[-*\u2022] |\d{1,3}[.)] |[\u2600-\u27bf\U0001f300-\U0001faff]|(?-i:[A-Z])[\w ]{2,40}: )",
        re.IGNORECASE,
    )
