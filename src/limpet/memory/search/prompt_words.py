"""The words of a prompt that say something about a subject, and whether they are enough to look for memories. Separate
from ``gate``, which asks the index (decision 6): most prompts end here, and load nothing of the index."""

from __future__ import annotations

from limpet.ground.late import Late
from limpet.ground.text.word_lists import read_words
from limpet.ground.text.words import has_words
from limpet.ground.values import Value
from limpet.memory.index.terms import group_terms, is_stop, split_scripts, terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.ground.text import scripts
else:
    scripts = Late("limpet.ground.text.scripts")

# Characters of a prompt that are read.
READ = 2000
# Beginnings of lines that were pasted: output, quotations, code; and characters of a quotation that is somebody else's.
_PASTED = ("  ", "\t", ">", "[", "$", "#", "|")
QUOTATION = 20
# A question may be shorter than a request by so many content words: "Where do release notes go?"
SHORTER = 1
# Words of a prompt that is nothing but what to do and with what.
TERSE = 4
# Signs that part identifiers from each other; what joins one ("_-.@") stays.
_PARTING = str.maketrans(dict.fromkeys('/\\()[]{}<>:;,=|`"', " "))
_PATHS = ("/", "\\")
# Beginnings of a full path, whose folders say where the project lies.
_ROOTS = ("/", "~")
USUAL_TERMS = frozenset(" ".join(read_words("words/usual")["requests"]).split())


class PromptWord(Value):
    """A word of a prompt: its terms, those of its parts among them. ``whole`` is the term that is worth most; an
    ``identifier`` may be a file's name."""

    terms: tuple[str, ...]
    whole: str
    identifier: bool


def read_prompt_words(prompt: str) -> tuple[PromptWord, ...]:
    found: dict[str, PromptWord] = {}
    for chunk in prompt[:READ].split():
        parts = [part for part in chunk.translate(_PARTING).split() if part.strip("._-@'*!?")]
        if chunk.strip("`'\"([{<").startswith(_ROOTS):
            parts = parts[-1:]
        folders = any(sign in chunk for sign in _PATHS)
        for part in parts:
            is_folder = folders and part is not parts[-1]
            for word in (_read_word(part, is_folder),) if part.isascii() else _read_scripts(part, is_folder):
                if word is not None:
                    found.setdefault(word.whole or word.terms[0], word)
    return tuple(found.values())


def typed_part(prompt: str) -> str:
    """Leave out what was pasted or quoted: the prompt works on it, and is seldom about it."""
    lines, fenced = [], False
    for line in prompt[:READ].split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not (fenced or line.startswith(_PASTED) or (line[:2].isdigit() and line[2:3] in ("/", ":"))):
            lines.append(_without_quotations(line))
    return "\n".join(lines)


def may_earn(prompt: str, words: tuple[PromptWord, ...], least: int) -> bool:
    """The prompt says enough for memories to be looked for; ``least``: content words of a request."""
    content = {word.terms[0] for word in words if not is_usual(word.terms[0])}
    asks = prompt.rstrip(" \t\r\n\"'`*_)").endswith(("?", "\uff1f", "\u061f"))
    return len(content) >= least - SHORTER * asks


def is_about_something(prompt: str, words: tuple[PromptWord, ...]) -> bool:
    """By two content words, by one identifier ("remove NetRCAuth"), or by one word of a few ("remove trio")."""
    if may_earn(prompt, words, 2):
        return True
    one = not has_words(prompt, TERSE + 1) or any(word.identifier for word in words)
    return one and may_earn(prompt, words, 1)


def is_usual(term: str) -> bool:
    """The term says what is wanted, of anything."""
    return term in USUAL_TERMS or (not term.isascii() and scripts.is_usual(term))


def _without_quotations(line: str) -> str:
    parts = line.split('"')
    closed = len(parts) - (len(parts) + 1) % 2
    return " ".join(part for at, part in enumerate(parts) if at % 2 == 0 or at >= closed or len(part) < QUOTATION)


def _read_word(part: str, is_folder: bool) -> PromptWord | None:
    found = [term for term in dict.fromkeys(terms(part)) if not is_stop(term) and not _is_small_number(term)]
    if not found:
        return None
    longest = max(map(len, found[:-1]), default=0)
    identifier = len(found) > 1 and len(found[-1]) > longest
    whole = found[-1] if identifier or len(found) == 1 else ""
    return PromptWord(terms=tuple(found), whole="" if is_folder else whole, identifier=identifier and not is_folder)


def _read_scripts(part: str, is_folder: bool) -> Iterator[PromptWord | None]:
    """Of Latin and other scripts in one; a single character of Han says little."""
    for run in split_scripts(part):
        if run.isascii():
            yield _read_word(run, is_folder)
            continue
        for group in group_terms(run):
            if not is_stop(group[0]):
                yield PromptWord(terms=group, whole=group[0] if len(group[0]) > 1 else "", identifier=False)


def _is_small_number(term: str) -> bool:
    return len(term) < 3 and term.isdigit()
