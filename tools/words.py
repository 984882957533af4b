"""Collect every text that a person or a model reads: python tools/words.py [--only KIND] [--suspects] [OUT]

Writes one file, by room, with ``file:line`` before each text, so that all of it can be read in one go. KIND is one of
help, errors, results, block, rules, settings, docs. ``--suspects`` lists only texts with a phrase that reads as
translated, as a reading aid: false alarms are expected. Needs Limpet installed, e.g. the ``.venv`` of this clone.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import click
import yaml

ROOT = Path(__file__).parents[1]
KINDS = ("help", "errors", "results", "block", "rules", "settings", "docs")

# Phrases that plain technical English rarely needs, as regular expressions.
SUSPECTS = (
    r"that you may \w+",
    r"made anew|\banew\b",
    r"\bbears?\b",
    r"\bso (many|much|long|far)\b",
    r"\bof (it|them)\b",
    r"there (is|are|was|were) (no|none|nothing)\b",
    r"\bis no\b|\bare no\b",
    r"\b(is|are|was|were|be) kept\b|keeps? track",
    r"in vain",
    r"by (itself|themselves|hand)\b",
    r"\b(goes|go|went) on\b",
    r"\b(stands?|stood)\b",
    r"\bwhole\b",
    r"\b(is|are) told\b|\btells?\b",
    r"\b(mend|mends|mended|nobody|whatever|whoever|thereof|therein|hence|thus)\b",
    r"\bhas (no|none|not)\b|\bhave (no|none|not)\b|\bholds? (no|nothing)\b",
    r"\blies?\b|\blay\b",
    r"\bcame\b|\bcomes? from\b|\btakes? up\b|\btook\b",
    r"\bsays? (so|nothing|what|how)\b",
    r"\bunder way\b|\bat work\b|\bin force\b",
    r"\bby then\b|\bfor good\b|\bas it (is|was|stands)\b|\bas they are\b",
    r"\bis to be\b|\bare to be\b|\bof yours\b|\bof ours\b|\bone's own\b",
    r"\bno longer\b|\bnot (even|yet) \w+ed here\b",
    r"\bwhat (is|was|a|an|the|they|it)\b",
    r"\bwithout a word\b|\bsilent(ly)?\b|\bspeaks?\b|\bhears?\b|\bspoken\b",
)
SUSPECT = re.compile("|".join(SUSPECTS), re.IGNORECASE)

# Calls whose texts are read even where they are one word; errors are found by their base class.
ERRORS = frozenset({"LimpetError", "UsageError", "ClickException", "BadParameter"})
FINDINGS = frozenset({"Problem", "Finding", "Check"})
# Rooms whose sentences reach the model.
MODEL_ROOMS = ("context", "engine", "work/continuation.py", "work/recovery.py", "work/handoff.py")
# Calls and methods whose texts no person reads.
CODE_CALLS = frozenset({"compile", "execute", "executescript", "executemany", "match", "sub", "strptime", "strftime"})
SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|PRAGMA|BEGIN|WITH|ATTACH|FROM|WHERE|AND|ORDER) ")
PATTERN = re.compile(r"\(\?|\\[bswdS]|\[\^|\)\?|\.\*|\|\w+\|")
SENTENCE = re.compile(r"[^\W\d]{2,}[,:;.]? [^\W\d_{(\"'`]|[^\W\d]{3,}[,:;.]? [{(\"'`]|\} [^\W\d]{2,}")


class Text(NamedTuple):
    """A text that is read: its kind, its file from the repository's root, its line, and what is written there."""

    kind: str
    path: str
    line: int
    text: str

    @property
    def room(self) -> str:
        """The folder that the text belongs to."""
        return self.path.rpartition("/")[0] or "."


def main(arguments: list[str] | None = None) -> int:
    """Write the collection, and return the exit status."""
    parser = argparse.ArgumentParser(description="Collect every text that a person or a model reads.")
    parser.add_argument("out", nargs="?", type=Path, metavar="OUT", help="file to write [default: standard output]")
    parser.add_argument("--only", choices=KINDS, help="one kind of text")
    parser.add_argument("--room", default="", help="only files whose path contains this")
    parser.add_argument("--suspects", action="store_true", help="only texts that read as translated")
    options = parser.parse_args(arguments)
    texts = [each for each in collect(ROOT) if options.room in each.path and options.only in (None, each.kind)]
    if options.suspects:
        texts = [each for each in texts if SUSPECT.search(each.text)]
    written = render(texts)
    if options.out is None:
        sys.stdout.write(written)
    else:
        options.out.write_text(written, encoding="utf-8")
        print(f"{options.out}: {len(texts)} texts")
    return 0


def collect(root: Path) -> list[Text]:
    """Return the texts of the repository at ``root``, by file and line."""
    found = [*help_texts(root), *source_texts(root), *framework_texts(root), *setting_texts(root), *page_texts(root)]
    return sorted(set(found), key=lambda each: (each.path, each.line, KINDS.index(each.kind)))


def render(texts: Iterable[Text]) -> str:
    """Return the texts as Markdown, a heading for each room."""
    lines = []
    for room, group in groupby(sorted(texts, key=lambda each: each.room), key=lambda each: each.room):
        lines += ["", f"## {room}", ""]
        lines += [f"{each.path}:{each.line} [{each.kind}] {_on_one_line(each.text)}" for each in group]
    return "\n".join(lines[1:]) + "\n"


def help_texts(root: Path) -> Iterator[Text]:
    """Yield the help of every command and option, at the line of the command's function."""
    from limpet.cli import limpet as command

    yield from _command_texts(command, "limpet", root)


def source_texts(root: Path) -> Iterator[Text]:
    """Yield the sentences in the code, errors with their place and hint as one text."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(root.glob("src/limpet/**/*.py"))}
    errors = error_names(trees.values())
    for path, tree in trees.items():
        shown = path.relative_to(root).as_posix()
        for kind, line, text in sentences(tree, errors):
            yield Text(_kind_of(kind, shown), shown, line, text)


def error_names(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Return the names of ERRORS and of all classes derived from one of them."""
    bases = {
        node.name: {name.id for name in node.bases if isinstance(name, ast.Name)}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    names = set(ERRORS)
    while more := {name for name, above in bases.items() if above & names} - names:
        names |= more
    return frozenset(names)


def sentences(tree: ast.Module, errors: frozenset[str] = ERRORS) -> Iterator[tuple[str, int, str]]:
    """Yield (``errors`` or ``results``, line, text) for each message and sentence of a module."""
    left_out = _unread(tree)
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.Call) and _called(node) in errors | FINDINGS:
            words = [*node.args, *(keyword.value for keyword in node.keywords)]
            parts = [_literal(word) for word in words]
            left_out.update(id(part) for word in words for part in ast.walk(word))
            if any(" " in part for part in parts):
                kind = "errors" if _called(node) in errors else "results"
                yield kind, node.lineno, " | ".join(part for part in parts if part)
        elif isinstance(node, ast.JoinedStr | ast.Constant):
            text = _literal(node)
            left_out.update(id(part) for part in ast.walk(node))
            if is_sentence(text):
                yield "results", node.lineno, text


def is_sentence(text: str) -> bool:
    """Return whether the text is words for a reader, not a key, SQL or a pattern."""
    return bool(SENTENCE.search(text)) and not SQL.match(text) and not PATTERN.search(text)


def framework_texts(root: Path) -> Iterator[Text]:
    """Yield the shipped rules, the constitution, the protocol, and every text of the YAML files."""
    folder = root / "src/limpet/framework"
    for path in sorted(folder.glob("rules/*")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.strip():
                yield Text("rules", path.relative_to(root).as_posix(), number, line)
    for path in sorted(folder.glob("*.md")):
        yield from _page(path, root, "rules")
    for path in sorted(folder.glob("**/*.yaml")):
        for line_number, text in _yaml_texts(yaml.compose(path.read_text(encoding="utf-8"))):
            yield Text("rules", path.relative_to(root).as_posix(), line_number, text)


def setting_texts(root: Path) -> Iterator[Text]:
    """Yield the descriptions in the schemas."""
    for path in sorted(root.glob("src/limpet/framework/schemas/*.json")):
        source = path.read_text(encoding="utf-8")
        for key, text in _descriptions(json.loads(source), ""):
            line = source.count("\n", 0, max(source.find(json.dumps(text, ensure_ascii=False)), 0)) + 1
            yield Text("settings", path.relative_to(root).as_posix(), line, f"{key}: {text}" if key else text)


def page_texts(root: Path) -> Iterator[Text]:
    """Yield headings and paragraphs of README and docs."""
    for path in (*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md"))):
        yield from _page(path, root, "docs")


def _kind_of(kind: str, path: str) -> str:
    inside = path.removeprefix("src/limpet/")
    if kind == "results" and inside.startswith(MODEL_ROOMS):
        return "block"
    return kind


def _command_texts(command: click.Command, name: str, root: Path) -> Iterator[Text]:
    path, line = _place(command, root)
    hidden = " (hidden)" if command.hidden else ""
    yield Text("help", path, line, f"{name}{hidden}: {command.help or ''}")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield Text("help", path, line, f"{name} {'/'.join(parameter.opts)}: {parameter.help or ''}")
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            if below is not None:
                yield from _command_texts(below, f"{name} {word}", root)


def _place(command: click.Command, root: Path) -> tuple[str, int]:
    if command.callback is None:
        return "src/limpet/cli/__init__.py", 1
    function = inspect.unwrap(command.callback)
    path = Path(function.__code__.co_filename)
    shown = path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name
    return shown, function.__code__.co_firstlineno


def _unread(tree: ast.Module) -> set[int]:
    """Return the ids of nodes whose texts nobody reads: docstrings, annotations, code given to a parser, help."""
    unread: set[int] = set()
    for node in ast.walk(tree):
        outside: list[ast.AST | None] = []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            outside.append(node.value)
        elif isinstance(node, ast.Call) and _called(node) in CODE_CALLS:
            outside += node.args
        elif isinstance(node, ast.Call) and _called(node) in {"option", "argument", "command", "group"}:
            outside += [keyword.value for keyword in node.keywords]
        elif isinstance(node, ast.AnnAssign | ast.arg):
            outside.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            outside.append(node.returns)
        elif isinstance(node, ast.Compare):
            outside += [part for part in (node.left, *node.comparators) if isinstance(part, ast.Constant)]
        unread.update(id(part) for each in outside if each is not None for part in ast.walk(each))
    return unread


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _literal(node: ast.AST) -> str:
    """Return the text of a node: of a literal its words, an expression in an f-string as {it}."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_literal(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return "{" + ast.unparse(node.value) + "}"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _literal(node.left) + _literal(node.right)
    return "{" + ast.unparse(node) + "}"


def _yaml_texts(node: yaml.Node | None) -> Iterator[tuple[int, str]]:
    if isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _yaml_texts(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _yaml_texts(value)
    elif isinstance(node, yaml.ScalarNode) and " " in node.value.strip():
        yield node.start_mark.line + 1, node.value


def _descriptions(schema: object, key: str) -> Iterator[tuple[str, str]]:
    if isinstance(schema, dict):
        if isinstance(schema.get("description"), str):
            yield key, schema["description"]
        for name, below in schema.items():
            inner = key if name in {"properties", "items", "$defs", "additionalProperties"} else f"{key}.{name}"
            yield from _descriptions(below, inner.lstrip("."))
    elif isinstance(schema, list):
        for below in schema:
            yield from _descriptions(below, key)


def _page(path: Path, root: Path, kind: str) -> Iterator[Text]:
    """Yield the paragraphs of a Markdown file without its code blocks."""
    shown, start, fenced = path.relative_to(root).as_posix(), 0, False
    lines: list[str] = []
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        fence = line.lstrip().startswith("```")
        if fence or fenced or not line.strip() or (line.startswith("    ") and not lines):
            fenced = fenced != fence
            if lines:
                yield Text(kind, shown, start, " ".join(lines))
            lines = []
            continue
        if line.startswith(("#", "- ", "* ", "|")) and lines:
            yield Text(kind, shown, start, " ".join(lines))
            lines = []
        start = start if lines else number
        lines.append(line.strip())


def _on_one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" not in text.strip() else " ⏎ ".join(text.strip().split("\n"))


if __name__ == "__main__":
    sys.exit(main())
