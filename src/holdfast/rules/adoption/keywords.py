"""Proposes the words that call an adopted rule: of its heading, of its code, and of its own those rare in the files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from holdfast.ground.text.stems import stem
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.word_lists import read_words
from holdfast.ground.text.words import fold, is_unspaced, split_words
from holdfast.rules.adoption.directives import VERBS, first_verb
from holdfast.rules.adoption.passages import Passage

MOST = 4
MOST_OF_HEADING = 2
MOST_OF_GLOBS = 4
SHORTEST = 3
_WORDS = read_words("words/subjects")
_GENERAL = frozenset(map(stem, _WORDS["general"]))
_VERBS = frozenset(map(stem, VERBS)) - frozenset(map(stem, _WORDS["topics"]))
_ADDRESS = re.compile(r"\bhttps?://\S+")
_SPAN = re.compile(r"`([^`]+)`")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_EXTENSION = re.compile(r"(?:\w+[./\\]){1,}\w*")


def count_words(passages: Iterable[Passage]) -> Counter[str]:
    """Return the number of passages in which each stem stands."""
    counts: Counter[str] = Counter()
    for passage in passages:
        counts.update({stem(word) for word in split_words(fold(passage.text))})
    return counts


def propose_keywords(passage: Passage, counts: Counter[str]) -> tuple[str, ...]:
    """Return the keywords for a passage, the most telling first; () where no word of it tells its subject."""
    found: dict[str, str] = {}
    globs = _of_globs(passage.globs)
    for word in (*globs, *_of_code(passage.text)[:2], *subjects(passage.heading)[:MOST_OF_HEADING]):
        found.setdefault(stem(word), word)
    verb = first_verb(passage.text)
    spoken = _ADDRESS.sub(" ", _SPAN.sub(" ", passage.text))
    own = [word for word in subjects(spoken) if word != verb and stem(word) not in _VERBS]
    for word in sorted(own, key=lambda word: (counts[stem(word)], -len(word))):
        found.setdefault(stem(word), word)
    return tuple(found.values())[: MOST + len(globs)]


def subjects(text: str) -> list[str]:
    """Return the words that name a subject, in order, each once."""
    words = split_words(fold(text.replace("'", "").replace("\u2019", "")))
    return list(dict.fromkeys(word for word in words if len(word) >= SHORTEST and word.isalpha() and _tells(word)))


def _of_globs(globs: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of the paths: ``src/components/**/*.tsx`` gives components and tsx."""
    words = [word for glob in globs for word in split_words(fold(glob))]
    kept = [word for word in words if len(word) > 1 and word not in _WORDS["general"] and not word.isdecimal()]
    return tuple(dict.fromkeys(kept))[:MOST_OF_GLOBS]


def _of_code(text: str) -> list[str]:
    """Return the names in code spans: of a command its program, of a name its words."""
    found = []
    for span in _SPAN.findall(text):
        first = span.strip().split(" ")[0]
        words = split_words(fold(_CAMEL.sub(" ", first) if not _EXTENSION.fullmatch(first) else first))
        found += [word for word in words if len(word) > 1 and not word.isdecimal() and _tells(word)]
    return list(dict.fromkeys(found))


def _tells(word: str) -> bool:
    return (
        word not in STOP_WORDS
        and not is_unspaced(word)
        and stem(word) not in _GENERAL
        and not (word.endswith("ly") and len(word) > 4)
    )
