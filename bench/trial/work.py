"""What the agent made since a commit, as the checks of wishes read it."""

from __future__ import annotations

import ast
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# Words that stand before a program and change nothing of what it does.
PREFIXES = ("env", "command", "time", "nice")
SEPARATORS = frozenset(("&&", "||", ";", "|", "&", "(", ")", "{", "}"))


@dataclass(frozen=True)
class Work:
    """The state of the repository against ``base``, what was run, and the closing message of the turn.

    ``sources`` and ``tests`` hold the text of each changed Python file before and after; ``added`` the new files.
    """

    sources: dict[str, tuple[str, str]]
    tests: dict[str, tuple[str, str]]
    added: dict[str, str]
    lines: tuple[str, ...]
    messages: tuple[str, ...]
    is_committed: bool
    commands: tuple[str, ...]
    closing: str


def read_work(folder: Path, base: str, package: str, commands: tuple[str, ...], closing: str) -> Work:
    """The work is read through an index of its own, so that the agent's is left as it is."""
    with tempfile.TemporaryDirectory() as scratch:
        index = Path(scratch) / "index"
        shutil.copy(folder / ".git" / "index", index)
        apart = {"GIT_INDEX_FILE": str(index)}
        git(folder, "add", "-A", ".", **apart)
        changed = git(folder, "diff", "--cached", "--name-status", "--no-renames", base, **apart).splitlines()
        patch = git(folder, "diff", "--cached", "--no-renames", base, **apart).splitlines()
        left = git(folder, "diff", "--cached", "--name-only", "HEAD", **apart).strip()
    status = {path: kind for kind, _, path in (line.partition("\t") for line in changed)}
    texts = {path: _both(folder, base, path) for path, kind in status.items() if kind != "D"}
    python = {path: both for path, both in texts.items() if path.endswith(".py")}
    messages = tuple(filter(None, map(str.strip, git(folder, "log", "--format=%B%x01", f"{base}..HEAD").split("\x01"))))
    return Work(
        sources={path: both for path, both in python.items() if path.startswith(f"{package}/")},
        tests={path: both for path, both in python.items() if path.startswith("tests/")},
        added={path: texts[path][1] for path, kind in status.items() if kind == "A"},
        lines=tuple(line[1:] for line in patch if line.startswith("+") and not line.startswith("+++ ")),
        messages=messages,
        is_committed=bool(messages) and not left,
        commands=commands,
        closing=closing,
    )


def new_functions(files: dict[str, tuple[str, str]]) -> Iterator[ast.FunctionDef]:
    """The functions at the top of a module or class that were not there before."""
    for before, after in files.values():
        known = {function.name for function in _functions(before)}
        yield from (function for function in _functions(after) if function.name not in known)


def public(functions: Iterator[ast.FunctionDef]) -> list[ast.FunctionDef]:
    return [function for function in functions if not function.name.startswith("_")]


def calls(node: ast.AST, name: str) -> Iterator[ast.Call]:
    """The calls of a function or method of this name below a node, in decorators too."""
    for each in ast.walk(node):
        if isinstance(each, ast.Call):
            called = each.func
            own = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if own == name:
                yield each


def raised_texts(function: ast.FunctionDef) -> list[str]:
    """The source of the message of each error that is raised, looked up where it stands in a variable."""
    known = {
        target.id: ast.unparse(node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    errors = [node.exc for node in ast.walk(function) if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)]
    given = [error.args[0] for error in errors if error.args]
    return [known.get(each.id, "") if isinstance(each, ast.Name) else ast.unparse(each) for each in given]


def programs(commands: tuple[str, ...]) -> Iterator[list[str]]:
    """The programs that shell commands run, each as its words, without ``python -m`` and what is set before it."""
    for command in commands:
        for line in command.replace("\\\n", " ").splitlines():
            yield from filter(None, map(_program, _parts(line)))


def git(folder: Path, *words: str, **variables: str) -> str:
    environment = {**os.environ, **variables}
    return subprocess.run(["git", *words], cwd=folder, env=environment, capture_output=True, text=True).stdout


def _both(folder: Path, base: str, path: str) -> tuple[str, str]:
    return git(folder, "show", f"{base}:{path}"), (folder / path).read_text(encoding="utf-8", errors="replace")


def _functions(text: str) -> list[ast.FunctionDef]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    inner = [node for outer in tree.body if isinstance(outer, ast.ClassDef) for node in outer.body]
    return [node for node in (*tree.body, *inner) if isinstance(node, ast.FunctionDef)]


def _parts(line: str) -> Iterator[list[str]]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    part: list[str] = []
    try:
        words = list(lexer)
    except ValueError:
        words = line.split()
    for word in words:
        if word in SEPARATORS:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _program(words: list[str]) -> list[str]:
    while words and (words[0] in PREFIXES or ("=" in words[0] and not words[0].startswith("-"))):
        words = words[1:]
    if len(words) > 2 and os.path.basename(words[0]).startswith("python") and words[1] == "-m":
        words = words[2:]
    return [os.path.basename(words[0]), *words[1:]] if words else []
