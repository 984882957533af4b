"""A function, method or class, and the words by which it is told from others. Hook and scan share this, because what
is written is compared with what was scanned word by word."""

from __future__ import annotations

from limpet.ground.values import Value

FUNCTION, METHOD, CLASS = "function", "method", "class"
# Characters of a signature and a purpose that are kept, and words of a body.
LONGEST, MOST_WORDS = 200, 80
# What words of code are made of.
_LETTERS = bytes(code if chr(code).isalnum() and code < 128 else 32 for code in range(256))
# Words of the languages themselves, and those that most code has: they say nothing of what it does.
_COMMON = frozenset(
    """
    a an and any are args arg as assert async await be bool boolean break by can case catch class cls const continue
    def default del delete dict do double elif else end enum err error except export extends false final finally float
    fn for from func function get given has have i if impl implements import in instanceof int integer interface is it
    item j k key kwargs lambda len let list long loop match mut name new nil no none not null number obj object of on or
    out override param params pass private protected pub public raise readonly result results return returns s self set
    should so some static str string struct super switch t than that the this throw throws to trait true try tuple type
    typeof undefined use used v val value values var void when where which while will with x y yield
    """.split()
)
# The longest first; and those that belong to the word.
_ENDINGS = ("ization", "ation", "ies", "ing", "ers", "er", "or", "ed", "es", "s", "e")
_EVERYWHERE = frozenset(("main", "init", "constructor", "setup", "teardown", "run"))
_WHOLE = ("ss", "us", "is")


class Definition(Value):
    """As it stands in its file; ``documentation`` is also in the code where the language has it there."""

    name: str
    kind: str
    path: str
    line: int
    signature: str
    documentation: str
    code: str


class Symbol(Value):
    """``purpose``: the first line of its documentation. ``keywords``: the words of name and signature. ``body``: those
    of its documentation and code."""

    name: str
    kind: str
    path: str
    line: int
    signature: str = ""
    purpose: str = ""
    keywords: tuple[str, ...] = ()
    body: tuple[str, ...] = ()


def make_symbol(found: Definition) -> Symbol:
    signature = " ".join(found.signature[: 2 * LONGEST].split())[:LONGEST]
    return Symbol(
        name=found.name,
        kind=found.kind,
        path=found.path,
        line=found.line,
        signature=signature,
        purpose=found.documentation.strip(" \n\t/*#!\"'").partition("\n")[0].strip()[:LONGEST],
        keywords=tuple(dict.fromkeys((*name_words(found.name), *words_of(signature)))),
    )


def with_body(symbol: Symbol, found: Definition) -> Symbol:
    """Apart, because it takes longest, and most of what is written resembles nothing."""
    words = dict.fromkeys((*words_of(found.documentation), *words_of(found.code)))
    return symbol.replace(body=tuple(words)[:MOST_WORDS])


def is_compared(symbol: Symbol | Definition) -> bool:
    """Methods bear the names of others by design, and so do tests and what a program begins with."""
    if symbol.kind == METHOD or symbol.name in _EVERYWHERE or "test" in symbol.path.lower():
        return False
    return not symbol.name.lower().startswith(("test", "__"))


def words_of(text: str) -> list[str]:
    """The words of names and prose that say something, without their endings, in order."""
    return [_base(word) for word in spelled_words(text) if word not in _COMMON and not word.isdecimal()]


def name_words(name: str) -> tuple[str, ...]:
    """All words of a name, also those that say nothing of themselves."""
    return tuple(map(_base, spelled_words(name)))


def spelled_words(text: str) -> list[str]:
    """As they stand there, in small letters."""
    found: list[str] = []
    for word in text.encode("ascii", "replace").translate(_LETTERS).decode("ascii").split():
        if word.islower():
            found.append(word)
        else:
            found += _parts(word)
    return found


def shared_words(one: Symbol, other: Symbol) -> tuple[str, ...]:
    """Those of name, signature and purpose that both have, as the first spells them."""
    texts = [f"{symbol.name} {symbol.signature} {symbol.purpose}" for symbol in (one, other)]
    held = {*words_of(texts[1])}
    said = (word for word in spelled_words(texts[0]) if word not in _COMMON and _base(word) in held)
    return tuple(dict.fromkeys(said))


def _parts(word: str) -> list[str]:
    """``parseHTTPHeader`` is parse, http and header."""
    parts, begin = [], 0
    for at in range(1, len(word)):
        is_first = word[at].isupper() and not (word[at - 1].isupper() and not word[at + 1 : at + 2].islower())
        if is_first:
            parts.append(word[begin:at].lower())
            begin = at
    return [*parts, word[begin:].lower()]


def _base(word: str) -> str:
    """Without what plurals and tenses add; the stems of prompts are dear to import."""
    if len(word) < 4 or not word.endswith(_ENDINGS) or word.endswith(_WHOLE):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word
