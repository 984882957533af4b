"""A typed message's own words, paragraph by paragraph: without what was pasted into it.

Separate from ``prose``, which cuts sentences out of anybody's text: what a person pastes (output, a plan, items of a
review, a picture) has a look of its own, and is known by its lines and paragraphs.
"""

from __future__ import annotations

import re

from holdfast.ground.text.words import fold
from holdfast.ground.values import Value
from holdfast.memory.capture.prose import LONGEST_TEXT, prose_lines

# A longer message is a document or a log with a few own words around it.
LONGEST_TYPED = 3000
_LONGEST_PARAGRAPH = 1200
_IMAGE = re.compile(r"\[(?:Image|Pasted text|screenshot)\b[^\]\n]{0,300}\]", re.IGNORECASE)
# What a client writes in the person's name, in whatever case.
_WRAPPED = re.compile(
    r"<(command-\w+|local-command-\w+|bash-\w+|task-notification|system-\w+)\b[^>]{0,200}>.*?(?:</\1>|\Z)", re.DOTALL
)
# Marks of what programs and models print, not of what a hand types.
_PRINTED = re.compile(
    r"[\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u257f\u2580-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff]|\s{3,}\S+\s{3,}"
)
_INDENTED = re.compile(r"(?: {2,}|\t)\S")
_ITEM = re.compile(r"\s*(?:[-*+\u2022] |\(?(\d{1,3})[.)]\s)")
# A bare place: nothing is said of it.
_PLACE = re.compile(r"\s*(?:[\w-]{1,20}:\s*)?(?:https?://|file://|~?\.{0,2}/|@|[A-Z]:\\)\S*\s*$")
# "key: value" and "KEY=value" by the line, as programs print it.
_FIELD = re.compile(r"\s*[\w./-]{1,40}\s?(?:[:=]\t|=\S|:\s{2,}\S|:\s*\[|:\s*$)|\s*[\"'{}\[\]()]\s*\S*\s*[,;:]?\s*$")
# "Address: 1. ...", "Consider this: ...": the thing to work on stands behind it, in somebody else's words.
_WORKING = (
    "address|fix|handle|implement|consider|investigate|resolve|look at|check|review|apply|do|observation|comment"
    "|finding|feedback|suggestion|reviewer|corrige|arregla|resuelve|revisa|implementa|corrija|resolva|revise|traite|analyse"
    "|regarde|corriges?"
)
_QUOTING = re.compile(
    r"\s*(?:(?:an?|the|this|another|one|from|here(?:'s| is)) )*(?:(?:pr|code|pull request|copilot|external) )*"
    r"(?:review(?:er)?(?:'s)?|observation|finding|feedback)\b[^.!?\n]{0,60}:\s+"
    rf"|\s*(?:(?:let'?s|please|ok|now|and|also|we need to|can you)[ ,]+)*(?:{_WORKING})\b[^.!?\n]{{0,60}}?(?::\s+|\s+)"
    r"(?=[-*\u2022] |\d{1,3}[.)] |[\u2600-\u27bf\U0001f300-\U0001faff]|(?-i:[A-Z])[\w ]{2,40}: )",
    re.IGNORECASE,
)
# A short paragraph that says whose words follow.
_ANNOUNCING = re.compile(
    r"\s*(?:(?:i|we|just|also|and|ok) )*(?:got|received|have|here's) (?:\w+ ){0,3}"
    r"(?:comment|review|feedback|finding|suggestion|report|email|message)s? (?:from|by)\b",
    re.IGNORECASE,
)
_LONGEST_ANNOUNCED = 160
# Where a document begins that somebody or something else wrote: a plan, an instruction file.
_HEADING = re.compile(r"\s*#{1,4} \S")
_FAILING = re.compile(r"\s*(?:error|fatal|exception|uncaught|panic|npm err)\b ?[:!]", re.IGNORECASE)
# What a person says of what stands above; behind a terminal's prompt all else is its output.
_SPEAKS = re.compile(
    r"\b(?:i|i'm|i've|i'd|you|that's|let's|should(?:n't)?|don't|want|need|not|just|but|eu|voce|nao|quero|precisa|yo"
    r"|quiero|debe|pero|mas|je|tu|vous|veux|faut|pas|mais)\b"
)
_PROMPT = re.compile(r"^\s*(?:\[[^\]\n]{4,80}\]\s*\S+\s|[\w.-]+@[\w.-]+[:~ ]|\([\w.-]+\) [$#%]|[$#%>\u276f] )")


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
    heading = next((place for place, block in enumerate(blocks) if _HEADING.match(block)), None)
    if heading is not None:
        blocks = blocks[:heading]
    if len(plain) > LONGEST_TYPED and len(blocks) > 2:
        blocks = [blocks[0], blocks[-1]]
    announced = next((place for place, block in enumerate(blocks) if _announces(block)), len(blocks))
    printing, kept = False, []
    for place, block in enumerate(blocks[: announced + 1]):
        own = _own(block, place == 0)
        printing = printing or bool(_PROMPT.match(block))
        if own and not (printing and not _SPEAKS.search(fold(own))):
            kept.append(own)
    whole = "".join("".join(kept).split())
    return OwnWords(paragraphs=tuple(kept), pasted=len(whole) < len("".join(text.split())))


def _own(block: str, first: bool) -> str:
    """Return the own words of a paragraph, "" for one that was pasted."""
    quoting = _QUOTING.match(block)
    if quoting:
        return block[: quoting.end()].strip(" :\n\t")
    if _is_pasted(block, first):
        return ""
    lines = prose_lines(block)
    kept = [
        line
        for line in lines
        if not (_PLACE.match(line) or _PROMPT.match(line) or _PRINTED.search(line) or _FAILING.match(line))
    ]
    joined = "\n".join(kept).strip()
    return joined if len(joined) <= _LONGEST_PARAGRAPH else ""


def _announces(block: str) -> bool:
    """Return whether the paragraph says that somebody else's words follow."""
    return len(block) <= _LONGEST_ANNOUNCED and _ANNOUNCING.match(block) is not None


def _is_pasted(block: str, first: bool) -> bool:
    lines = [line for line in block.split("\n") if line.strip()]
    # A client indents what it shows; what is copied from there keeps it. A person indents the items of a list.
    indented = sum(bool(_INDENTED.match(line)) for line in lines)
    if indented and (indented == len(lines) or not first) and not _ITEM.match(lines[0]):
        return True
    if _heads_an_item(lines):
        return True
    if any(_PROMPT.match(line) for line in lines[:1]):
        return True
    printed = sum(bool(_PRINTED.search(line) or _FIELD.match(line)) for line in lines)
    if printed and printed * 2 >= len(lines):
        return True
    # Lines of output have no end; a sentence that goes on in the next line begins it in lower case.
    endless = sum(line.rstrip()[-1] not in ".!?:;," and not _ITEM.match(line) for line in lines)
    return len(lines) > 2 + 2 * first and endless * 3 > len(lines) * 2


def _heads_an_item(lines: list[str]) -> bool:
    """Return whether it is one numbered heading without a verdict, as the items of a review are."""
    found = _ITEM.match(lines[0])
    return bool(found and found[1] and len(lines) == 1 and lines[0].rstrip()[-1] not in ".!?" and lines[0].istitle())
