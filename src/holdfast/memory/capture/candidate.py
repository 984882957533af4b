"""Candidates of capture, and the messages that they are read from."""

from __future__ import annotations

import re

from holdfast.ground.text.escaping import clip
from holdfast.ground.text.stop_words import STOP_WORDS
from holdfast.ground.text.words import fold, split_words
from holdfast.ground.values import Value
from holdfast.memory.model.entry import EVIDENCE
from holdfast.memory.model.types import STATED_TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    class Message(Protocol):
        """A message of a conversation, whatever room it comes from (``transcripts.messages.Message`` is one)."""

        @property
        def role(self) -> str: ...
        @property
        def text(self) -> str: ...
        @property
        def at(self) -> float: ...
        @property
        def offset(self) -> int: ...
        @property
        def id(self) -> str: ...
        @property
        def tool_input(self) -> Mapping[str, str]: ...
        @property
        def edited(self) -> str: ...
        @property
        def failed(self) -> bool: ...
        @property
        def error(self) -> str: ...


# The role of a plan or task list that the model wrote by a tool.
PLAN = "plan"
LONGEST_TITLE = 120
MOST_TAGS = 5
MOST_PATHS = 8
_LONGEST_QUOTE = 300
# With a folder, or a name with an ending; "v1.2", "e.g." and "Next.js" are neither.
_PATH = re.compile(r"(?<![\w/.:@-])(?:\.{0,2}/)?(?:[\w.-]{1,80}/){0,12}[\w.-]{0,80}\.[A-Za-z]\w{0,7}\b(?![/@])")
_TECHNOLOGIES = re.compile(
    r"(?i)^(?:next|node|vue|nuxt|three|express|d3|react|ember|backbone|asp|socket)\.(?:js|net|io)$"
)
_KNOWN_ENDINGS = """
    py js jsx ts tsx mjs cjs json jsonc yaml yml toml md mdx txt sql sh bash zsh ps1 rs go rb java kt kts swift c h cc
    cpp hpp cs php html htm css scss sass less vue svelte xml ini cfg conf env lock gradle proto graphql tf ex exs erl
    hs ml scala clj lua r jl dart ipynb csv tsv log pyi svg dockerfile
"""
_ENDINGS = frozenset(_KNOWN_ENDINGS.split())


class Candidate(Value):
    """A memory in the making. Times are in seconds since 1970, 0 where unknown.

    ``title``: a sentence of the conversation, at most 120 characters.
    ``body``: Markdown: the sentence, then under ``## Evidence`` the words around it, quoted.
    ``seen``: all times at which it was met in these messages; ``at`` is the first.
    ``signature``: of the error that it tells of, "" for none (see ``gotchas.signatures``).
    ``mend``: what fixed that error.
    ``key``: the same whenever the same words of the same message are captured, in a copy of the conversation too.
    """

    type: str
    title: str
    body: str
    confidence: float
    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    at: float = 0.0
    seen: tuple[float, ...] = ()
    signature: str = ""
    mend: str = ""
    key: str = ""


def make_candidate(
    type: str,
    title: str,
    text: str,
    context: list[tuple[str, str]],
    message: Message,
    settings: Mapping[str, Mapping[str, float]],
    cited: str = "",
) -> Candidate:
    """Return the candidate that a message makes, with the words around it as (speaker, words).

    ``settings`` is the configuration's section ``memory``; ``cited`` names its files, where the title does not.
    """
    return Candidate(
        type=type,
        title=title_of(title),
        body=body_of(text, context),
        confidence=float(settings["confidence"]["told" if type in STATED_TYPES else "inferred"]),
        tags=tags_of(title),
        paths=paths_in(cited or title),
        at=message.at,
        seen=(message.at,),
        key=f"{message.id or message.offset}",
    )


def title_of(sentence: str) -> str:
    """Return the sentence as a title: one line, without its full stop."""
    return clip(" ".join(sentence.split()).rstrip(" .!;:,"), LONGEST_TITLE)


def body_of(text: str, context: list[tuple[str, str]]) -> str:
    """Return the text, and below it the words around it as (speaker, words)."""
    quotes = [f"> {clip(' '.join(words.split()), _LONGEST_QUOTE)} ({speaker})" for speaker, words in context if words]
    return "\n".join([text, "", f"## {EVIDENCE}", "", "\n>\n".join(quotes)]) if quotes else text


def tags_of(text: str) -> tuple[str, ...]:
    """Return the first words of the text that say what it is about, folded."""
    words = [
        word for word in split_words(fold(text)) if len(word) > 2 and word not in STOP_WORDS and not word.isdigit()
    ]
    return tuple(dict.fromkeys(words))[:MOST_TAGS]


def paths_in(text: str) -> tuple[str, ...]:
    """Return the files that the text names, with ``/`` between folders."""
    found = (
        match[0].strip(".") if match[0].endswith(".") else match[0] for match in _PATH.finditer(text.replace("\\", "/"))
    )
    return tuple(dict.fromkeys(path for path in found if _is_path(path)))[:MOST_PATHS]


def _is_path(path: str) -> bool:
    if "/" not in path and _TECHNOLOGIES.match(path):
        return False
    return path.rpartition(".")[2].lower() in _ENDINGS
