"""A function, method or class, and the words by which it is told from others. Hook and scan share this, because what
is written is compared with what was scanned word by word."""

from __future__ import annotations

from limpet.ground.values import Value

FUNCTION, METHOD, CLASS, TYPE = "function", "method", "class", "type"
# Characters of a signature and a purpose that are kept; words of a documentation, of code, and its identifiers.
LONGEST, MOST_WORDS, MOST_IDENTIFIERS = 200, 120, 40
# What identifiers are made of.
_LETTERS = bytes(code if chr(code).isalnum() and code < 128 or code == 95 else 32 for code in range(256))
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
    """``purpose``: the first line of its documentation. ``keywords``: the words of name and signature.
    ``documentation``, ``body``, ``identifiers``: the words of those, and the names of several words in the code, of
    what is compared."""

    name: str
    kind: str
    path: str
    line: int
    signature: str = ""
    purpose: str = ""
    keywords: tuple[str, ...] = ()
    documentation: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    @property
    def finding(self) -> frozenset[str]:
        """The words by which it is found."""
        return frozenset((*self.keywords, *self.documentation, *self.identifiers))


def make_symbol(found: Definition) -> Symbol:
    signature = " ".join(found.signature[: 4 * LONGEST].split())
    symbol = Symbol(
        name=found.name,
        kind=found.kind,
        path=found.path,
        line=found.line,
        signature=signature[:LONGEST],
        purpose=found.documentation.strip(" \n\t/*#!\"'").partition("\n")[0].strip()[:LONGEST],
        keywords=tuple(dict.fromkeys((*name_words(found.name), *words_of(signature[: 2 * LONGEST])))),
    )
    if not is_compared(found):
        return symbol
    return symbol.replace(
        documentation=words_of(found.documentation)[:MOST_WORDS],
        body=words_of(found.code)[:MOST_WORDS],
        identifiers=tuple(filter(None, map(_compound, _tokens(found.code))))[:MOST_IDENTIFIERS],
    )


def is_compared(symbol: Symbol | Definition) -> bool:
    """Methods bear the names of others by design, and so do tests and what a program begins with; a type does
    nothing."""
    if symbol.kind in (METHOD, TYPE) or symbol.name in _EVERYWHERE or "test" in symbol.path.lower():
        return False
    return not symbol.name.lower().startswith(("test", "__"))


def words_of(text: str) -> tuple[str, ...]:
    """The words of names and prose that say something, each once, without their endings, in order."""
    words = (word for word in spelled_words(text) if word not in _COMMON and not word.isdecimal())
    return tuple(dict.fromkeys(map(_base, words)))


def name_words(name: str) -> tuple[str, ...]:
    """All words of a name, also those that say nothing of themselves."""
    return tuple(map(_base, spelled_words(name)))


def spelled_words(text: str) -> dict[str, None]:
    """As they stand there, in small letters, each once."""
    found: dict[str, None] = {}
    for token in _tokens(text):
        if token.islower() and "_" not in token:
            found[token] = None
        else:
            found.update(dict.fromkeys(_parts(token)))
    return found


def shared_words(one: Symbol, other: Symbol) -> tuple[str, ...]:
    """Those of name, signature and purpose that both have, as the first spells them."""
    texts = [f"{symbol.name} {symbol.signature} {symbol.purpose}" for symbol in (one, other)]
    held = {*words_of(texts[1])}
    said = (word for word in spelled_words(texts[0]) if word not in _COMMON and _base(word) in held)
    return tuple(dict.fromkeys(said))


def _tokens(text: str) -> dict[str, None]:
    return dict.fromkeys(text.encode("ascii", "replace").translate(_LETTERS).decode("ascii").split())


def _compound(token: str) -> str:
    """A name of several words in small letters, "" for any other."""
    rest = token[1:]
    return token.lower() if "_" in rest.strip("_") or not (rest.islower() or token.isupper() or rest == "") else ""


def _parts(word: str) -> list[str]:
    """``parseHTTPHeader`` is parse, http and header."""
    parts, begin = [], 0
    for at in range(1, len(word)):
        is_first = word[at].isupper() and not (word[at - 1].isupper() and not word[at + 1 : at + 2].islower())
        if is_first or word[at] == "_":
            parts.append(word[begin:at].lower())
            begin = at
    return [part for each in (*parts, word[begin:].lower()) if (part := each.strip("_"))]


def _base(word: str) -> str:
    """Without what plurals and tenses add; the stems of prompts are dear to import."""
    if len(word) < 4 or not word.endswith(_ENDINGS) or word.endswith(_WHOLE):
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word
