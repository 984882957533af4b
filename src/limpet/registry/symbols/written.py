"""The definitions in a text that is being written, by their lines alone: the hook has no grammars and no patterns."""

from __future__ import annotations

import os

from limpet.registry.symbols.symbol import CLASS, FUNCTION, METHOD, TYPE, Definition

# Ending of a file -> its language.
LANGUAGES = {
    ".py": "python", ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript", ".cjs": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".tsx": "tsx", ".go": "go", ".java": "java", ".rs": "rust",
}  # fmt: skip
# Definitions of one text that are looked at.
MOST_WRITTEN = 40
_MODIFIERS = frozenset(
    "abstract async const declare default export final override private protected pub pub(crate) pub(super) public"
    " readonly static synchronized unsafe inline".split()
)
_CLASSES, _TYPES = frozenset("class struct record".split()), frozenset("interface enum trait".split())
_NO_METHODS = frozenset("if for while switch catch else do try return new throw match loop function with".split())


def language_of(path: str) -> str:
    return LANGUAGES.get(os.path.splitext(path)[1].lower(), "")


def find_written(text: str, path: str) -> list[Definition]:
    """Functions within functions are parts of those."""
    language = language_of(path)
    is_python = language == "python"
    lines = text.split("\n")
    found: list[Definition] = []
    at = 0
    while at < len(lines) and len(found) < MOST_WRITTEN:
        bare = lines[at].strip()
        kind, name = _python(bare) if is_python else _braces(bare)
        if not name:
            at += 1
            continue
        indent = _indent(lines[at])
        end = _end(lines, at, indent)
        if kind == FUNCTION and indent and language in ("python", "rust"):
            kind = METHOD
        head = _head(lines, at, end, is_python)
        documentation = _docstring(lines, head, end) if is_python else _comment_above(lines, at)
        signature, code = "\n".join(lines[at:head]), "\n".join(lines[head:end])
        found.append(Definition(name, kind, path, at + 1, signature, documentation, code))
        at = head if kind in (CLASS, TYPE) else end
    return found


def _python(bare: str) -> tuple[str, str]:
    bare = bare.removeprefix("async ")
    for word, kind in (("def ", FUNCTION), ("class ", CLASS)):
        if bare.startswith(word):
            return kind, _name(bare[len(word) :])
    return "", ""


def _braces(bare: str) -> tuple[str, str]:
    """Of a line in a language whose blocks stand in braces."""
    words = bare.split(None, 6)
    while words and words[0] in _MODIFIERS and len(words) > 1:
        if words[0] == "const" and "=" in bare:
            break
        words.pop(0)
    if not words:
        return "", ""
    first, rest = words[0], " ".join(words[1:])
    if first in _TYPES or (first == "type" and " interface" in bare):
        return TYPE, _name(rest)
    if first in _CLASSES or (first == "type" and " struct" in bare):
        return CLASS, _name(rest)
    if first in ("function", "function*", "fn"):
        return FUNCTION, _name(rest.lstrip("*"))
    if first == "func":
        return (METHOD, _name(rest.partition(")")[2].strip())) if rest[:1] == "(" else (FUNCTION, _name(rest))
    if first in ("const", "let", "var"):
        value = rest.partition("=")[2]
        is_function = "=>" in bare or value.strip().startswith(("function", "async function")) or bare.endswith("(")
        return (FUNCTION, _name(rest)) if value and is_function and "=" in bare else ("", "")
    return _method(bare)


def _method(bare: str) -> tuple[str, str]:
    before, bracket, _ = bare.partition("(")
    if not (bracket and bare.endswith("{")) or any(sign in bare for sign in ("=>", "function")):
        return "", ""
    words = before.replace("<", " ").split()
    if not words or words[0] in _NO_METHODS or any(sign in before for sign in "=.}:\"'`!&|?"):
        return "", ""
    name = before.rpartition(" ")[2].partition("<")[0]
    return (METHOD, name) if name.isidentifier() and name not in _NO_METHODS else ("", "")


def _name(rest: str) -> str:
    """The identifier with which it begins."""
    end = 0
    while end < len(rest) and (rest[end].isalnum() or rest[end] in "_$"):
        end += 1
    return rest[:end]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _end(lines: list[str], at: int, indent: int) -> int:
    """The line behind the definition: the next that stands no deeper, but for brackets that close what goes on."""
    if lines[at].rstrip().endswith("}") and "{" in lines[at]:
        return at + 1
    for number in range(at + 1, len(lines)):
        bare = lines[number].strip()
        if not bare or _indent(lines[number]) > indent:
            continue
        if bare[0] in ")}]":
            if bare.endswith(("{", ":", "=>", "(")):
                continue
            return number + 1
        return number if bare[0] != "{" else number + 1
    return len(lines)


def _head(lines: list[str], at: int, end: int, is_python: bool) -> int:
    """The line behind the signature."""
    for number in range(at, min(end, at + 20)):
        bare = lines[number].rstrip()
        if bare.endswith(":") if is_python else ("{" in bare or "=>" in bare):
            return number + 1
    return at + 1


def _docstring(lines: list[str], head: int, end: int) -> str:
    text = "\n".join(lines[head : min(end, head + 12)]).strip()
    for quotes in ('"""', "'''"):
        text = text.removeprefix("r")
        if text.startswith(quotes):
            return text[3:].partition(quotes)[0]
    return ""


def _comment_above(lines: list[str], at: int) -> str:
    first = at
    while first > 0 and lines[first - 1].strip().startswith(("//", "/*", "*", "@", "#[")):
        first -= 1
    return "\n".join(line.strip(" \t/*!") for line in lines[first:at] if line.strip()[:1] in "/*").strip()
