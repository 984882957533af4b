"""Makes the list of terms that are common anywhere, from two kinds of text that others wrote.

    python bench/common_terms.py CONVERSATIONS.json > list

They are the commonest terms of people's conversations (any JSON with strings under ``text``, such as LoCoMo's) and of
documentation of programs (the docstrings of this interpreter's standard library), by the share of turns and paragraphs
that hold them in small letters. ``framework/words/usual`` holds the result.
"""

from __future__ import annotations

import ast
import json
import os
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from limpet.memory.index.terms import is_stop, terms

EACH = 600
WIDTH = 120


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    conversations = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    common = {*_commonest(_turns(conversations)), *_commonest(_paragraphs(Path(os.__file__).parent))}
    print(textwrap.fill(" ".join(sorted(common)), WIDTH))


def _commonest(texts: Iterable[str]) -> list[str]:
    counted: Counter[str] = Counter()
    for text in texts:
        words = " ".join(word for word in text.split() if word.islower())
        counted.update({term for term in terms(words) if term.isalpha() and not is_stop(term)})
    return [term for term, _ in counted.most_common(EACH)]


def _turns(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "text" and isinstance(inner, str):
                yield inner
            else:
                yield from _turns(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _turns(inner)


def _paragraphs(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        if {"test", "tests", "site-packages", "lib2to3"} & set(path.parts):
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                yield from (ast.get_docstring(node) or "").split("\n\n")


if __name__ == "__main__":
    main()
