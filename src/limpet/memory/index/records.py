"""Records of the index: an entry's card, and its terms by field, redacted. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from limpet.ground.clock import seconds_of
from limpet.ground.formats.markdown import CODE, EDGE, line_kinds
from limpet.ground.safety.instructions import flags_of, told_in
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.text.tokens import estimate_tokens
from limpet.ground.text.words import split_words
from limpet.ground.values import Value
from limpet.memory.files.evidence import digest_of_words
from limpet.memory.index.database import SEPARATOR
from limpet.memory.index.signals import is_question_title, names_of_month, tells_number, tells_when, title_words_of
from limpet.memory.index.terms import about, terms
from limpet.memory.index.wishes import practice_terms
from limpet.memory.model.entry import EVIDENCE, ROLE, SPOKEN, Card, MemoryEntry
from limpet.memory.model.layout import TEAM, MemoryPlace
from limpet.memory.model.results import CONTRADICTED
from limpet.memory.model.validation import REDACTED_LISTS, redacted

# Characters of a body that are searched: far more than anyone writes by hand.
SEARCHED = 100_000
LONGEST_NAME = 64
# The most that is shown of a teammate's name.
AUTHOR_WORDS, LONGEST_AUTHOR = 3, 40
UNKNOWN = "a teammate"
# What a column of the database holds of a number.
MOST = 1 << 62
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
_RULE = re.compile(r"[-*_=|:+> \t]*")
_QUOTE = re.compile(r"[> \t]*")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_STRONG = re.compile(r"\*\*|__|~~")
_SENTENCE = re.compile(r"(?<=[.!?])[ ]|(?<=[。！？])")
_ENDS = tuple(".!?:;,。！？…")


class Record(Value):
    """An entry as the index keeps it.

    ``content``: terms of title, body, tags and paths, as ``pack`` writes them.
    ``metadata``: terms of who recorded it, of the practices it is about, and of when, as ``pack`` writes them.
    ``length``: number of terms of the body.
    ``cites``: paths of files that its text cites.
    ``sentences``: a line each, and ``sentence_terms`` theirs, as ``pack`` writes them; "" where the title says it
    all.
    ``says``: what tells its words from others, as ``files.evidence`` has it.
    """

    card: Card
    content: str
    metadata: str
    length: int
    conversation: str
    is_question: bool
    has_time: bool
    has_number: bool
    cites: tuple[str, ...]
    sentences: str = ""
    sentence_terms: str = ""
    says: str = ""


def make_record(path: str, place: MemoryPlace, entry: MemoryEntry, secrets: Collection[str] = ()) -> Record:
    """``path`` is from ``memories/``; ``secrets`` are taken out. Text that reads like an instruction is flagged here
    too: an editor, or a clone, may have brought it."""
    lines = {name: tuple(map(_one_line, getattr(entry, name))) for name in REDACTED_LISTS}
    kept = redacted(entry.replace(**lines), secrets)
    found = flags_of(told_in(kept.replace(body=kept.body[:SEARCHED]), SPOKEN))
    kept = kept.replace(flags=tuple(dict.fromkeys((*kept.flags, *found))))
    body = "\n".join(part for part in (kept.body[:SEARCHED], kept.category, kept.workaround) if part)
    tags = " ".join(tag for tag in kept.tags if not tag.startswith(ROLE))
    content = (terms(kept.title), terms(body), terms(tags), terms(" ".join(kept.paths)))
    author = ""
    if place.owner == TEAM:  # as many words as names have: it is outside the quotation too, and a teammate typed it
        said = "".join(sign if sign.isalnum() or sign in "-'." else " " for sign in kept.shared_by)
        author = clip(" ".join(said.split()[:AUTHOR_WORDS]), LONGEST_AUTHOR) or UNKNOWN
    who = terms(f"{kept.agent} {author}")
    card = _card(path, place, kept).replace(author=author)
    metadata = ((*map(about, who), *practice_terms(card)), tuple(map(about, _date_terms(entry.created_at))))
    words = title_words_of(body)
    inside = ("conversation", entry.session) if entry.session else ("path", path)
    parts = _sentences(kept)
    return Record(
        card=card,
        content=pack_terms(content),
        metadata=pack_terms(metadata),
        length=len(content[1]),
        conversation=SEPARATOR.join((place.owner, place.state, *inside)),
        is_question=is_question_title(kept.body),
        has_time=tells_when(words),
        has_number=tells_number(words),
        cites=kept.paths,
        sentences=SEPARATOR.join(parts),
        sentence_terms=pack_terms([terms(part) for part in parts]),
        says=digest_of_words(entry),
    )


def pack_terms(fields: Sequence[Sequence[str]]) -> str:
    """A line a field, each term between two spaces of its own, so that its occurrences can be counted as text."""
    return SEPARATOR.join(f" {'  '.join(field)} " if field else "" for field in fields)


def excerpt(entry: MemoryEntry, limit: int = LIMIT) -> str:
    """Return the body in whole sentences within ``limit`` tokens, on one line, without its Markdown. A gotcha's
    workaround leads; then come the sections that are named a decision, a summary or the like in en, pt, es or fr."""
    key, other = list[str](), list[str]()
    for is_key, blocks in _told_sections(entry):
        (key if is_key else other).extend(blocks)
    first = [_plain(entry.workaround)] if entry.workaround else []
    text = ""
    for sentence in chain.from_iterable(map(_SENTENCE.split, (*first, *key, *other))):
        longer = f"{text} {sentence}".strip()
        if estimate_tokens(longer) > limit:
            return _cut(longer, limit, len(text) + 1) if estimate_tokens(text) < limit // 2 else text
        text = longer
    return text


def _sentences(entry: MemoryEntry) -> list[str]:
    """In the order in which they stand; none where the title says it all."""
    found = [_plain(entry.workaround)] if entry.workaround else []
    for _, blocks in _told_sections(entry):
        found += filter(None, chain.from_iterable(map(_SENTENCE.split, blocks)))
    return [] if len(found) == 1 and found[0].rstrip(".") in entry.title else found


def _told_sections(entry: MemoryEntry) -> Iterator[tuple[bool, list[str]]]:
    """Yield of each whether it has one of the names that lead an excerpt, and its blocks; of others the name too."""
    for heading, blocks in _sections(entry.body[:_LOOKED_AT]):
        if not blocks or heading == EVIDENCE:
            continue
        is_key = not _KEY_WORDS.isdisjoint(split_words(fold(heading)))
        if heading and not is_key:
            blocks = [f"{heading.rstrip(':')}: {blocks[0]}", *blocks[1:]]
        yield is_key, blocks


def _card(path: str, place: MemoryPlace, entry: MemoryEntry) -> Card:
    alike = {name: getattr(entry, name) for name in Card.fields if name in MemoryEntry.fields}
    own = Card(**{**alike, "path": path, "owner": place.owner, "storage": place.storage, "valid_until": 0.0})
    # One word only: it is outside the quotation, where a sentence would speak for Limpet.
    return own.replace(
        excerpt=excerpt(entry),
        agent=entry.agent if len(entry.agent) <= LONGEST_NAME and len(entry.agent.split()) == 1 else "",
        created=seconds_of(entry.created_at),
        last_accessed=seconds_of(entry.last_accessed),
        accesses=min(entry.access_count, MOST),
        evidence=min(entry.evidence_count, MOST),
        confidence=entry.confidence if 0 <= entry.confidence <= 1 else 0.0,
        expires=seconds_of(entry.expires_at),
        valid_until=seconds_of(entry.valid_until),
        state=place.state,
        size=estimate_tokens(entry.title) + estimate_tokens(entry.body),
        last_evidence=max((seconds_of(each.at) for each in entry.evidence if each.how != CONTRADICTED), default=0.0),
    )


def _date_terms(timestamp: str) -> list[str]:
    date = timestamp[:10].split("-")
    if len(date) != 3 or not all(part.isdigit() for part in date) or not 1 <= int(date[1]) <= 12:
        return []
    month = names_of_month(int(date[1]))
    return terms(f"{date[0]} {month} {date[2]}") + ["".join(date)]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _sections(body: str) -> Iterator[tuple[str, list[str]]]:
    heading, lines, whole = "", list[str](), body.splitlines()
    for line, kind in zip(whole, line_kinds(whole), strict=True):
        if kind == EDGE:
            lines.append("")
        elif not kind and (found := _HEADING.match(line)):
            yield heading, _blocks(lines)
            heading, lines = _plain(line[found.end() :]), []
        else:
            lines += [line.strip()] if kind == CODE else _own_line(line)
    yield heading, _blocks(lines)


def _own_line(line: str) -> list[str]:
    if _RULE.fullmatch(line):
        return [""]
    text = line[quoted.end() :] if (quoted := _QUOTE.match(line)) else line
    if text.startswith("|"):
        return ["", _plain(", ".join(cell.strip() for cell in text.strip("| \t").split("|"))), ""]
    item = _ITEM.match(text)
    return ["", _plain(text[item.end() :])] if item else [_plain(text)]


def _blocks(lines: Iterable[str]) -> list[str]:
    blocks = [""]
    for line in lines:
        if not line:
            blocks.append("")
        else:
            blocks[-1] = f"{blocks[-1]} {line}" if blocks[-1] else line
    return [block if block.endswith(_ENDS) else f"{block}." for block in blocks if block]


def _plain(text: str) -> str:
    return " ".join(_STRONG.sub("", _LINK.sub(r"\1", text)).split())


def _cut(text: str, limit: int, least: int) -> str:
    fits, too_long = least, min(len(text), limit * _LONGEST) + 1
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        cheap = estimate_tokens(clip(text, middle)) <= limit
        fits, too_long = (middle, too_long) if cheap else (fits, middle)
    return clip(text, fits) if fits > least + 3 else text[: least - 1]
