"""Words of shfmt's tree turned into the texts that a program would get."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN
from limpet.guard.shell.escapes import ansi, braces
from limpet.guard.shell.parameters import values_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from limpet.guard.shell.state import State, Tree

    # One part of a word: how the shell goes on with it, and its text or the items of an array.
    Atom = tuple[str, Any]
    # Runs the statements of a substitution and returns what they print, None where that is not known.
    Run = Callable[[Tree], str | None]

# Literal text that braces and patterns act on; text as it stands; text that is cut at white space; items of an array.
LITERAL, QUOTED, SPLIT, ITEMS = "literal", "quoted", "split", "items"
# A word has so many possible meanings at most; with more it is not known.
MOST = 32
_LONGEST_WITH_BRACES = 10_000
_PATTERN = frozenset("*?")
_ESCAPED_IN_QUOTES = frozenset('$`"\\')


class Expansion:
    """Turns words into texts, with what a shell knows at this point."""

    def __init__(self, state: State, run: Run, search: Callable[[object], None]) -> None:
        self.state = state
        self.run = run
        self.search = search

    def fields(self, word: Tree) -> list[tuple[str, ...]]:
        """Return the possible lists of arguments that a word stands for; a program named by a pattern is not known."""
        return [self._fields(atoms) for atoms in self._choices(word.get("Parts", ()), False)]

    def texts(self, word: Tree) -> list[str]:
        """Return the possible texts of a word where the shell does not cut it, as in an assignment."""
        return [_joined(atoms) for atoms in self._choices(word.get("Parts", ()), False)]

    def _choices(self, parts: list[Tree], quoted: bool) -> list[list[Atom]]:
        found: list[list[Atom]] = [[]]
        for part in parts:
            found = [[*before, *after] for before in found for after in self._part(part, quoted)]
            if len(found) > MOST:
                return [[(QUOTED, UNKNOWN)]]
        return found

    def _part(self, part: Tree, quoted: bool) -> list[list[Atom]]:
        kind = part["Type"]
        open_kind = QUOTED if quoted else SPLIT
        if kind == "Lit":
            return [_quoted_literal(part.get("Value", "")) if quoted else _literal(part.get("Value", ""))]
        if kind == "SglQuoted":
            return [[(QUOTED, ansi(part.get("Value", "")) if part.get("Dollar") else part.get("Value", ""))]]
        if kind == "DblQuoted":
            return [[(QUOTED, ""), *atoms] for atoms in self._choices(part.get("Parts", []), True)]
        if kind == "ParamExp":
            self.search([part.get(each) for each in ("Index", "Slice", "Repl")])
            values = values_of(part, self.state, self.texts) or (UNKNOWN,)
            return [[(open_kind, each) if isinstance(each, str) else (ITEMS, each)] for each in values]
        printed = self.run(part)
        if kind == "CmdSubst":
            return [[(open_kind, UNKNOWN if printed is None else printed.rstrip("\n"))]]
        return [[(QUOTED, UNKNOWN if printed is None else printed)]]

    def _fields(self, atoms: list[Atom]) -> tuple[str, ...]:
        length = sum(len(text) for kind, text in atoms if kind == LITERAL and "{" in text)
        words: list[list[Any]] = [list(atoms)]
        if 0 < length <= _LONGEST_WITH_BRACES:
            tokens: list[Any] = []
            for kind, text in atoms:
                tokens.extend(text) if kind == LITERAL else tokens.append((kind, text))
            words = [list(word) for word in braces(tokens)]
        separators = "".join(each for each in self.state.values("IFS") if isinstance(each, str))
        return tuple(field for word in words for field in _cut(word, separators))


def is_pattern(word: Tree) -> bool:
    """Return whether the shell looks for files that fit the word."""
    return any(
        part["Type"] == "ExtGlob"
        or (part["Type"] == "Lit" and (not _PATTERN.isdisjoint(part["Value"]) or "[" in part["Value"][:-1]))
        for part in word.get("Parts", ())
    )


def _joined(atoms: list[Atom]) -> str:
    return "".join(" ".join(text) if kind == ITEMS else text for kind, text in atoms)


def _literal(text: str) -> list[Atom]:
    """Return literal text outside quotes, with what a backslash protects apart."""
    if "\\" not in text:
        return [(LITERAL, text)]
    found: list[Atom] = []
    rest = text
    while rest:
        before, slash, after = rest.partition("\\")
        found.append((LITERAL, before))
        if slash and after[:1] != "\n":
            found.append((QUOTED, after[:1]))
        rest = after[1:]
    return found


def _quoted_literal(text: str) -> list[Atom]:
    if "\\" not in text:
        return [(QUOTED, text)]
    found, rest = "", text
    while rest:
        before, slash, after = rest.partition("\\")
        found += before
        if slash and after[:1] != "\n":
            found += after[:1] if after[:1] in _ESCAPED_IN_QUOTES else slash + after[:1]
        rest = after[1:]
    return [(QUOTED, found)]


def _cut(tokens: list[Any], separators: str) -> list[str]:
    """Return the arguments that one word makes: cut where an open value has a separator, and between items."""
    found: list[str] = []
    current: str | None = None
    for token in tokens:
        kind, text = (LITERAL, token) if isinstance(token, str) else token
        if kind == SPLIT:
            pieces = _split(text, separators)
            current = (current or "") + pieces[0] if pieces[0] or current is not None else None
            for piece in pieces[1:]:
                found.extend(() if current is None else (current,))
                current = piece or None
        elif kind == ITEMS:
            for number, item in enumerate(text):
                found.extend((current,) if number and current is not None else ())
                current = item if number else (current or "") + item
        else:
            current = (current or "") + text
    return found if current is None else [*found, current]


def _split(text: str, separators: str) -> list[str]:
    """Return a text cut at its separators; an empty first or last piece tells that it begins or ends with one."""
    if not separators:
        return [text]
    for each in separators[1:]:
        text = text.replace(each, separators[0])
    first, *rest = text.split(separators[0])
    return [first, *(piece for piece in rest[:-1] if piece), *rest[-1:]]
