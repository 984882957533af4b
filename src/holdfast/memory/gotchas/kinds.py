"""The category and severity of errors, by the words of their text.

Whole words and their inflections count, so that "the latest author" is no test.
"""

from __future__ import annotations

from holdfast.ground.text.stems import stem
from holdfast.ground.text.words import fold, split_words
from holdfast.memory.model.entry import SEVERITIES

# Of equal claims the first wins: what concerns safety before the tool that found it, the tool before its subject. As in
# lists of keywords, "=" stands before what is meant as it is written: to inject is no injection.
_WORDS = {
    "security": """vulnerability vulnerabilities cve xss csrf =injection =injections secret credential password
        certificate unauthorized forbidden ssl tls authentication authorization sandbox malware""",
    "lint": """lint linter eslint ruff flake8 pylint prettier stylelint rubocop clippy golangci isort mypy pyright
        style =formatting unused""",
    "test": """test pytest jest vitest mocha unittest junit rspec assert assertion assertionerror fixture coverage
        snapshot playwright cypress tox mock""",
    "build": """build compile compiler compilation tsc webpack vite rollup esbuild gcc clang linker cmake make =cargo
        rustc maven gradle npm yarn pnpm pip uv install dependency package eresolve undeclared declaration assignable
        syntaxerror bundle wheel""",
    "integration": """api http https request response connection connect econnrefused econnreset etimedout socket
        network dns database postgres mysql sqlite redis sql docker webhook graphql endpoint fetch =cors port server
        proxy""",
    "runtime": """exception typeerror referenceerror valueerror keyerror attributeerror indexerror nameerror
        runtimeerror importerror modulenotfounderror filenotfounderror nullpointerexception =segmentation memory panic
        undefined null crash enoent eacces permission traceback command module timeout""",
}


def _listed(words: str) -> frozenset[str]:
    return frozenset(word if word.startswith("=") else stem(word) for word in words.split())


_KINDS = {kind: _listed(words) for kind, words in _WORDS.items()}
# TS2322, E0308, CS1002, C2065: what compilers number.
_CODE_STARTS = ("ts", "e", "cs", "c", "lnk")

_CRITICAL = _listed("corrupt corruption segfault =segmentation oom vulnerability cve malware")
_CRITICAL_PHRASES = ("out of memory", "data loss", "core dumped", "disk full", "no space left")
_MILD = _listed("deprecated deprecation warning notice")
_GRAVE = _listed("error exception fatal fail failed failure panic denied refused")


def categorise(text: str, tool: str = "") -> str:
    """Return one of ``CATEGORIES``: that of the failed tool or command, else the one that most words of the text tell
    of."""
    return _category(tool) or _category(text) or "general"


def severity_of(text: str) -> str:
    """Return ``critical`` for what loses data or opens a door, ``info`` for what only warns, else ``warning``."""
    folded = fold(text)
    words = _forms(folded)
    plain = " ".join(split_words(folded))
    if words & _CRITICAL or any(phrase in plain for phrase in _CRITICAL_PHRASES) or _category(text) == "security":
        return "critical"
    return "info" if words & _MILD and not words & _GRAVE and "error" not in plain else "warning"


def severity_rank(severity: str) -> int:
    """Return 0 for the gravest; what nobody graded comes last."""
    return SEVERITIES[::-1].index(severity) if severity in SEVERITIES else len(SEVERITIES)


def _category(text: str) -> str:
    words = _forms(fold(text))
    claims = {kind: len(words & known) for kind, known in _KINDS.items()}
    claims["build"] += any(_is_code(word) for word in words)
    best = max(claims, key=lambda kind: claims[kind])
    return best if claims[best] else ""


def _forms(folded: str) -> set[str]:
    return {form for word in split_words(folded) for form in (stem(word), f"={word}")}


def _is_code(word: str) -> bool:
    letters = word.rstrip("0123456789")
    return letters in _CODE_STARTS and 3 <= len(word) - len(letters) <= 5
