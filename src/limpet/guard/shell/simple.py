"""Commands without any syntax but plain quotes, split into words without a parser: most are of this kind."""

from __future__ import annotations

from limpet.guard.shell.options import listed

# With one of these outside quotes the shell does more than to split words.
_SYNTAX = frozenset("$`\\|&;<>(){}*?[]!#~\n\r\0")
# Within double quotes these still have a meaning.
_WITHIN = frozenset('$`\\!\0"')
# At the start of a command these are no programs.
_RESERVED = frozenset(
    "if then else elif fi case esac for select while until do done in function time coproc declare typeset local "
    "export readonly let".split()
)
_LONGEST = 8192


def split(text: str) -> tuple[str, ...] | None:
    """Return the words of one plain command, None where a parser has to look at it."""
    if len(text) > _LONGEST:
        return None
    words = _words(text.strip(" \t\n"))
    if not words or words[0] in _RESERVED or "=" in words[0] or not words[0]:
        return None
    return words


def is_plain(words: tuple[str, ...]) -> bool:
    """Return whether these words run one program, known by its name, and nothing else."""
    return words[0] in listed("plain") or (words[0] == "git" and len(words) > 1 and words[1] in listed("plain_git"))


def _words(text: str) -> tuple[str, ...] | None:
    if not _SYNTAX.isdisjoint(text) and "'" not in text and '"' not in text:
        return None
    found: list[str] = []
    word: str | None = None
    at, end = 0, len(text)
    while at < end:
        letter = text[at]
        if letter in " \t":
            if word is not None:
                found.append(word)
            word, at = None, at + 1
        elif letter in "'\"":
            close = text.find(letter, at + 1)
            inside = text[at + 1 : close]
            if close < 0 or (letter == '"' and not _WITHIN.isdisjoint(inside)) or "\0" in inside:
                return None
            word, at = (word or "") + inside, close + 1
        elif letter in _SYNTAX:
            return None
        else:
            word, at = (word or "") + letter, at + 1
    return tuple(found if word is None else [*found, word])
