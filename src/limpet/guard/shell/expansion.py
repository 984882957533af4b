"""Words of shfmt's tree turned into the texts that a program would get."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from limpet.guard.shell.state import Item, ShellState, Tree

    Atom = tuple[str, Any]
    Run = Callable[[Tree], str | None]
    Texts = Callable[[Tree], list[str]]
    Token = str | tuple[str, object]

# Literal text that braces and patterns act on; text as it stands; text that is cut at white space; items of an array.
LITERAL, QUOTED, SPLIT, ITEMS = "literal", "quoted", "split", "items"
# A word has so many possible meanings at most; with more it is not known.
MOST = 32
_LONGEST_WITH_BRACES = 10_000
_PATTERN = frozenset("*?")
_ESCAPED_IN_QUOTES = frozenset('$`"\\')
_LETTERS = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_HEX = {"x": 2, "u": 4, "U": 8}
MOST_WORDS = 64


class Expansion:
    """Turns words into texts, with what a shell knows at this point."""

    def __init__(self, state: ShellState, run: Run, search: Callable[[object], None]) -> None:
        self.state = state
        self.run = run
        self.search = search

    def fields(self, word: Tree) -> list[tuple[str, ...]]:
        """The possible lists of arguments that a word stands for; a program named by a pattern is not known."""
        return [self._fields(atoms) for atoms in self._choices(word.get("Parts", ()), False)]

    def texts(self, word: Tree) -> list[str]:
        """The possible texts of a word where the shell does not cut it, as in an assignment."""
        return [_joined(atoms) for atoms in self._choices(word.get("Parts", ()), False)]

    def _choices(self, parts: list[Tree], quoted: bool) -> list[list[Atom]]:
        found: list[list[Atom]] = [[]]
        for part in parts:
            found = crossed(found, self._part(part, quoted))
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
        fields: list[str] = []
        for word in words:
            fields += _cut(word, separators)
        return tuple(fields)


def crossed(befores: list[Any], afters: list[Any]) -> list[Any]:
    found: list[Any] = []
    for before in befores:
        found += [before + after for after in afters]
    return found


def is_pattern(word: Tree) -> bool:
    return any(
        part["Type"] == "ExtGlob"
        or (part["Type"] == "Lit" and (not _PATTERN.isdisjoint(part["Value"]) or "[" in part["Value"][:-1]))
        for part in word.get("Parts", ())
    )


def values_of(part: Tree, state: ShellState, texts: Texts) -> tuple[Item, ...]:
    name = part["Param"]["Value"]
    found = state.values(name)
    if part.get("Excl"):
        return () if part.get("Names") else _indirect(found, state)
    if part.get("Length"):
        return tuple(str(len(each)) if isinstance(each, str) and UNKNOWN not in each else UNKNOWN for each in found)
    if "Index" in part:
        found = tuple(_item(each, part["Index"]) for each in found)
    if "Exp" in part:
        return _with_operator(part["Exp"], name, found, state, texts)
    return (UNKNOWN,) if "Slice" in part or "Repl" in part else found


def ansi(text: str) -> str:
    if "\\" not in text:
        return text
    found: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\" or at + 1 == len(text):
            found.append(text[at])
            at += 1
            continue
        letter, at = text[at + 1], at + 2
        if letter in _LETTERS:
            found.append(_LETTERS[letter])
        elif letter in _HEX:
            code, at = _number(text, at, _HEX[letter], 16)
            found.append(_letter(code) if code is not None else "\\" + letter)
        elif letter in "01234567":
            code, at = _number(text, at - 1, 4 if letter == "0" else 3, 8)
            found.append(_letter((code or 0) & 0xFF))
        elif letter == "c":
            found.append(chr(ord(text[at]) & 0x1F) if text[at : at + 1] else "")
            at += 1
        else:
            found.append("\\" + letter)
    return "".join(found)


def braces(tokens: list[Token]) -> list[list[Token]]:
    """The words that ``{a,b}`` and ``{1..3}`` in one word stand for; of too many the last one is not known."""
    found: list[list[Token]] = []
    for word in _words(tokens):
        if len(found) == MOST_WORDS:
            return [*found, [("quoted", UNKNOWN)]]
        found.append(word)
    return found


def _joined(atoms: list[Atom]) -> str:
    return "".join(" ".join(text) if kind == ITEMS else text for kind, text in atoms)


def _literal(text: str) -> list[Atom]:
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
    """An empty first or last piece tells that the text begins or ends with a separator."""
    if not separators:
        return [text]
    for each in separators[1:]:
        text = text.replace(each, separators[0])
    first, *rest = text.split(separators[0])
    return [first, *(piece for piece in rest[:-1] if piece), *rest[-1:]]


def _indirect(found: tuple[Item, ...], state: ShellState) -> tuple[Item, ...]:
    values: list[Item] = []
    for each in found:
        values += state.values(each) if isinstance(each, str) else (UNKNOWN,)
    return tuple(values)


def _plain_text(tree: Tree) -> str:
    parts = tree.get("Parts", ())
    if tree.get("Type") == "UnaryArithm" and tree.get("Op") == "-":
        return "-" + _plain_text(tree["X"])
    return str(parts[0].get("Value", "")) if len(parts) == 1 else ""


def _item(value: Item, index: Tree) -> Item:
    at = _plain_text(index)
    if at in ("@", "*"):
        return (value,) if isinstance(value, str) else value
    items = (value,) if isinstance(value, str) else value
    if not at.lstrip("-").isdecimal():
        return UNKNOWN
    return items[int(at)] if -len(items) <= int(at) < len(items) else ""


def _with_operator(exp: Tree, name: str, found: tuple[Item, ...], state: ShellState, texts: Texts) -> tuple[Item, ...]:
    operator = exp["Op"]
    given: tuple[Item, ...] = tuple(texts(exp["Word"])) if exp.get("Word") else ("",)
    if operator in (":-", "-", ":=", "="):
        is_open = found == (UNKNOWN,) and name not in state.variables
        values = (*(each for each in found if each), *(given if is_open or "" in found else ()))
        if "=" in operator:
            state.set(name, values)
        return values
    if operator in (":+", "+"):
        if found == (UNKNOWN,):
            return (*given, "")
        return given if any(found) else ("",)
    if operator in (":?", "?"):  # it is not empty, whatever it is
        return tuple(UNKNOWN * 2 if each == UNKNOWN else each for each in found)
    return (UNKNOWN,)


def _letter(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 else ""


def _number(text: str, at: int, most: int, base: int) -> tuple[int | None, int]:
    end = at
    digits = "0123456789abcdefABCDEF" if base == 16 else "01234567"
    if base == 16 and text[at : at + 1] == "{":
        close = text.find("}", at)
        inside = text[at + 1 : close]
        return (int(inside, 16), close + 1) if close > 0 and inside.strip(digits) == "" and inside else (None, at)
    while end < len(text) and end < at + most and text[end] in digits:
        end += 1
    return (int(text[at:end], base), end) if end > at else (None, at)


def _words(tokens: list[Token]) -> Iterator[list[Token]]:
    opened = -1
    while "{" in tokens[opened + 1 :]:
        opened = tokens.index("{", opened + 1)
        close, commas = _group(tokens, opened)
        if close < 0:
            continue
        if commas:
            edges = [opened, *commas, close]
            choices = [tokens[start + 1 : end] for start, end in zip(edges, edges[1:], strict=False)]
        elif ".." in "".join(each for each in tokens[opened + 1 : close] if isinstance(each, str)):
            choices = [[("quoted", UNKNOWN)]]  # what ``{1..3}`` counts is not known
        else:
            continue
        for inner in choices:
            for choice in _words(inner):
                for rest in _words(tokens[close + 1 :]):
                    yield [*tokens[:opened], *choice, *rest]
        return
    yield tokens


def _group(tokens: list[Token], opened: int) -> tuple[int, list[int]]:
    depth, commas = 0, []
    for at in range(opened, len(tokens)):
        if tokens[at] == "{":
            depth += 1
        elif tokens[at] == "," and depth == 1:
            commas.append(at)
        elif tokens[at] == "}":
            depth -= 1
            if depth == 0:
                return at, commas
    return -1, []
