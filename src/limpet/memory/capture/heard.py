"""What capture hears in the messages of a conversation, and those messages."""

from __future__ import annotations

import re
from functools import cache

from limpet.ground.message import Message
from limpet.ground.text.escaping import clip
from limpet.ground.text.folding import fold
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import LANGUAGES
from limpet.ground.values import Value

# Languages whose cues are known: those that a text of ASCII may be in, and all.
LATIN = (*LANGUAGES, "de")
HEARD = (*LATIN, "ja", "zh", "ko")
# The role of a plan or task list that the model wrote by a tool.
PLAN = "plan"
# In characters: the words that were said, those that they answer, and a line of both.
LONGEST_QUOTE, LONGEST_BEFORE, LONGEST_LINE = 1200, 600, 320
# A bracket that only groups.
_GROUP = re.compile(r"(?<!\\)\((?!\?)")
LONGEST_TEXT = 20_000
LONGEST_SENTENCE = 400
_FENCES = ("```", "~~~")
_PASTED = re.compile(
    r"\s*(?:>|\||\$ |\+|-{3}|#|@@|<|\{|\}|\[?\d{2,4}[-/:.]\d\d|\d+\t|at \S+ ?\(|File \"|Traceback"
    r"|\w+(?:Error|Exception):|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b)|(?: {4}|\t)\s*[^\s*-]"
)
# What stands behind these is kept, looked for or forgotten by the command itself, or is its argument.
_COMMAND = re.compile(
    r"(?<!\S)\*(?:remember|recall|forget|memories|gotcha|limpet)\b(?!\*).*|^\s*[/$](?:limpet:)?limpet\b.*"
    r"|(?<!\S)\*(?:(?:agent|develop|mode|yes)[ \t]+[\w.@-]+|work[ \t]+\w+[ \t]+[\w.@-]+|yolo\b(?!\*))",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[-*+•] |\d{1,3}[.)] )+(?:\[[ xX]\] )?")
_SENTENCE_END = re.compile(
    r"(?:(?<=[.!?…])|(?<=[.!?…][\"')\]]))\s+(?=[^a-z\s])|(?<=[.!?])\s+(?=\w)|(?<=[\u3002\uff01\uff1f])(?=[^\s\u300d\u300f\uff09\u201d])|\n"
)
_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "vs.", "p.ex.", "ej.", "ex.", "cf.", "approx.")
_QUOTED = re.compile(r"`[^`]{0,300}`|\"[^\"]{0,300}\"|\u201c[^\u201d]{0,300}\u201d|\u00ab[^\u00bb]{0,300}\u00bb")
_PLACEHOLDER = "xx"
# Between the words of a quotation, so that it is not taken apart.
_JOINT = "\ue000"
MOST_PATHS = 8
# With a folder, or a name with an ending; "v1.2", "e.g." and "Next.js" are neither.
_PATH = re.compile(r"(?<![\w/.:@-])(?:\.{0,2}/)?(?:[\w.-]{1,80}/){0,12}[\w.-]{0,80}\.[A-Za-z]\w{0,15}\b(?![/@])")
_TECHNOLOGIES = re.compile(
    r"(?i)^(?:next|node|vue|nuxt|three|express|d3|react|ember|backbone|asp|socket)\.(?:js|net|io)$"
)
_KNOWN_ENDINGS = """
    py js jsx ts tsx mjs cjs json jsonc yaml yml toml md mdx txt sql sh bash zsh ps1 rs go rb java kt kts swift c h cc
    cpp hpp cs php html htm css scss sass less vue svelte xml ini cfg conf env lock gradle proto graphql tf ex exs erl
    hs ml scala clj lua r jl dart ipynb csv tsv log pyi svg dockerfile
"""
_ENDINGS = frozenset(_KNOWN_ENDINGS.split())
_HIDDEN = re.compile(r"\.(?:[a-z]{2,12}(?:rc|ignore)|git(?:attributes|modules)|editorconfig|envrc)")


class Heard(Value):
    """Words of a message that may be worth a memory. Times are in seconds since 1970, 0 where unknown. ``type``: of the
    memory that it may make, "" for what no rule took for one. ``line``: what it says, with what it answers. ``quote``:
    the words with those around them, ``before``: the end of what was said before, and the option that they take.
    ``is_typed``: nobody else's text stands in the message. ``answers``: it does a question of the model about the work
    at hand, and nothing in it holds for more."""

    role: str
    type: str
    line: str
    quote: str
    before: str = ""
    at: float = 0.0
    offset: int = 0
    message: str = ""
    is_typed: bool = False
    answers: bool = False


def hear(message: Message, type: str, words: str, before: str, sentence: str = "", line: str = "") -> Heard:
    # The first letter may have become a capital.
    start = max(0, min(words.find(sentence[1:20]) - 1, len(words) - LONGEST_QUOTE))
    space = words.find(" ", start, start + LONGEST_SENTENCE // 4)
    quote = f"...{words[max(space + 1, start) :]}" if start else words
    return Heard(
        role="user" if message.role == "user" else "assistant",
        type=type,
        line=clip(" ".join((line or words).split()).rstrip(" .!;:,"), LONGEST_LINE),
        quote=clip(quote.strip(), LONGEST_QUOTE),
        before=before[-LONGEST_BEFORE:].strip(),
        at=message.at,
        offset=message.offset,
        message=message.id,
    )


def entries(name: str, languages: tuple[str, ...] = LATIN) -> list[str]:
    found: list[str] = []
    for language in languages:
        found += read_words(f"capture/{language}.txt").get(name, ())
    return found


def source(name: str, languages: tuple[str, ...] = LATIN) -> str:
    """Return the entries as one expression, for a larger one that holds it."""
    return f"(?:{'|'.join(_GROUP.sub('(?:', entry) for entry in entries(name, languages))})"


def cue(name: str, folded: str = "") -> re.Pattern[str]:
    """In the languages in which the folded text may be."""
    return _compiled(name, LATIN if folded.isascii() else HEARD)


@cache
def _compiled(name: str, languages: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(source(name, languages))


def says(name: str, folded: str) -> bool:
    return cue(name, folded).search(folded) is not None


def begins(name: str, folded: str) -> bool:
    return cue(name, folded).match(folded) is not None


def sentences(text: str, longest: int = LONGEST_SENTENCE) -> list[str]:
    """Return the sentences of a message in order, each on one line, without list marks and emphasis. Those of more than
    ``longest`` characters are none, but lists and logs that are not known for what they are."""
    lines = _join_wrapped(prose_lines(text[:LONGEST_TEXT]))
    prose = "\n".join(_BULLET.sub("", line) for line in lines)
    plain = (part.replace(_JOINT, " ").replace("**", "").replace("__", "") for part in _split(prose))
    cleaned = (" ".join(part.split()) for part in plain)
    return [sentence for sentence in cleaned if 0 < len(sentence) <= longest]


def matchable(sentence: str) -> str:
    """Return the sentence as cues are matched in it: folded, quoted text blanked out."""
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


def paths_in(text: str) -> tuple[str, ...]:
    found = (
        match[0].strip(".") if match[0].endswith(".") else match[0] for match in _PATH.finditer(text.replace("\\", "/"))
    )
    return tuple(dict.fromkeys(path for path in found if _is_path(path)))[:MOST_PATHS]


def _join_wrapped(lines: list[str]) -> list[str]:
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


def _is_path(path: str) -> bool:
    if "/" not in path and _TECHNOLOGIES.match(path):
        return False
    return path.rpartition(".")[2].lower() in _ENDINGS or _HIDDEN.fullmatch(path.rpartition("/")[2]) is not None
