"""Which memories a tool call may bring: those that name what it touches, and wishes about practices that it begins.

Separate from the step that brings them, because most calls bring none: it asks a plain file, and locks nothing.
"""

from __future__ import annotations

import os

import limpet
from limpet.ground.storage.files import read_text
from limpet.ground.storage.user_folders import PERSONAL, data_folder
from limpet.ground.values import Value
from limpet.guard.shell.command import ShellCommand, Understood, program, words_of
from limpet.memory.index.names import ANYWHERE, find_names, find_practices, read_names, spoken
from limpet.rules.plan.store import ruled_practices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

    from limpet.ground.workspace import Workspace
    from limpet.guard.call import ToolCall

# Characters of a text that is written in which identifiers are looked for.
LOOKED_AT = 4000
# What the first edit begins, what a run of tests does, and what is refused once.
EDITING = ("documenting", "formatting", "naming", "reusing", "simplifying", "typing")
TESTING = ("testing", "proving")
COMMITTING = ("committing", "reviewing")
# Practices that consist of running something.
RUN = ("linting", "testing")
# Acts that let work out of one's hands.
_FINAL = frozenset(("commit", "push", "release", "pull-request", "merge-request"))
# Beginnings of commands, without options, by the practice that they are part of.
_COMMANDS_TEXT = """
depending: bun add, bundle add, cargo add, cargo remove, composer require, conda install, gem install, go get, npm i
depending: npm install, npm uninstall, npm update, pip install, pip uninstall, pnpm add, pnpm install, pnpm remove
depending: poetry add, poetry remove, uv add, uv pip install, uv remove, yarn add, yarn remove
linting: biome, cargo clippy, eslint, flake8, golangci-lint, make lint, mypy, npm run lint, pnpm lint, pylint, pyright
linting: rubocop, ruff, shellcheck, staticcheck, tsc, yarn lint
testing: make test, npm run test, npm test, nox, pnpm test, tox, yarn test
"""
_BY_COMMAND: dict[str, str] = {}
for _line in _COMMANDS_TEXT.split("\n"):
    _practice, _, _commands = _line.partition(": ")
    _BY_COMMAND.update(dict.fromkeys(_commands.split(", "), _practice))
# The owner of a practice that rules of the project are about.
RULED = "rules"
# How an epoch notes that a practice was begun in it.
BEGUN = "deed "
# Entries that name what a call touches, of which it is asked in the index.
MOST_CALLED = 8


class ToolDeed(Value):
    """What a call may bring; ``called``: (owner, id, name) of each entry that names what it touches; ``practices``:
    each that it begins and that there are wishes or rules about -> the owners of those."""

    called: tuple[tuple[str, str, str], ...] = ()
    practices: dict[str, tuple[str, ...]] = {}  # noqa: RUF012 - never changed: a Value is frozen


def find_deed_memories(
    call: ToolCall, understood: Understood | None, workspace: Workspace, hears: bool
) -> ToolDeed | None:
    """None for nothing; where nobody ``hears`` it, wishes alone."""
    texts = [read_names(workspace.shared)]
    if os.path.isdir(os.path.join(data_folder(), PERSONAL)):
        from limpet.memory.model.layout import personal_home

        texts.append(read_names(personal_home()))
    names = _names_of(call, workspace.root) if hears else ()
    called: list[tuple[str, str, str]] = []
    wished: dict[str, tuple[str, ...]] = {}
    for text in filter(None, texts):
        for name, held in find_names(text, names).items():
            called += [(owner, key, name) for owner, key in held]
        for practice, held in find_practices(text).items():
            wished[practice] = (*wished.get(practice, ()), *(owner for owner, _ in held))
    for practice in ruled_practices(workspace):
        wished[practice] = (*wished.get(practice, ()), RULED)
    begun = _practices_of(call, understood, wished) if wished else ()
    practices = {practice: wished[practice] for practice in begun}
    return ToolDeed(called=tuple(called), practices=practices) if called or practices else None


def left(deed: ToolDeed, epoch: dict[str, Any], prompt: int, seen: Container[str] | None = None) -> ToolDeed | None:
    """What of it the epoch was not told and these owners have (None: whoever), None where nothing is left. A practice
    is begun with each prompt anew, by this number, but what is refused is refused once."""
    from limpet.context.values import told_ids

    sent = epoch.get("sent", {})
    told = told_ids(sent)
    first: dict[str, tuple[str, str, str]] = {}
    for owner, key, name in deed.called:
        if key not in told and (seen is None or owner in seen):
            first.setdefault(key, (owner, key, name))
    practices = {}
    for practice, held in deed.practices.items():
        is_seen = seen is None or any(owner == RULED or owner in seen for owner in held)
        begun = sent.get(BEGUN + practice)
        if is_seen and (begun is None or (practice not in COMMITTING and begun[1] < prompt)):
            practices[practice] = held
    return ToolDeed(called=tuple(first.values())[:MOST_CALLED], practices=practices) if first or practices else None


def runs_tests(understood: Understood) -> bool:
    begun = _begun(understood)
    text = read_text(os.path.join(limpet.__path__[0], "framework", "runners.txt")) or ""
    return any(_BY_COMMAND.get(begin) == "testing" or f"\nword {begin}\n" in text for begin in begun)


def _names_of(call: ToolCall, root: str) -> tuple[str, ...]:
    """What is surest comes first: files, then identifiers in the text that is written."""
    paths: list[str] = []
    if call.kind in ("read", "write", "tool"):
        paths = [_from_root(each, root) or _from_elsewhere(each, root) for each in call.paths]
    elif call.kind == "shell":
        given = words_of(call.command[:LOOKED_AT])
        words = (word.removeprefix("./").partition(":")[0] for word in given if word[:1] != "-")
        named = [word for word in words if "/" in word or "." in word]
        paths = [_from_root(os.path.join(call.folder or root, word), root) for word in named]
        paths += [ANYWHERE + word for word in named if "/" not in word]
    text = "\n".join(f"{old}\n{new}" for old, new, _ in call.edits)[:LOOKED_AT]
    words_written = sorted(spoken(text)) if text else []
    names = (*paths, *words_written, *(ANYWHERE + word for word in words_written if "." in word))
    return tuple(name for name in dict.fromkeys(names) if name)


def _practices_of(call: ToolCall, understood: Understood | None, known: Container[str]) -> tuple[str, ...]:
    """Of a call that lets work out of hand those alone that it is refused for."""
    if call.kind == "write":
        begun = (*EDITING, *TESTING) if any("test" in os.path.basename(path) for path in call.paths) else EDITING
        return tuple(each for each in begun if each in known)
    if understood is None:
        return ()
    if any(each in known for each in COMMITTING):
        from limpet.guard.acts import acts_of

        if any(act.kind in _FINAL for act in acts_of(understood)):
            return tuple(each for each in COMMITTING if each in known)
    found = [_BY_COMMAND[begin] for begin in _begun(understood) if begin in _BY_COMMAND]
    if any(each in known for each in TESTING) and runs_tests(understood):
        found += TESTING
    return tuple(each for each in dict.fromkeys(found) if each in known)


def _from_root(path: str, root: str) -> str:
    """By the names alone; "" for a file elsewhere."""
    plain, top = os.path.normpath(path), root.rstrip(os.sep) + os.sep
    return plain[len(top) :].replace(os.sep, "/") if plain.startswith(top) else ""


def _from_elsewhere(path: str, root: str) -> str:
    """The same of a file that is named by way of a link, or in a linked worktree."""
    from limpet.rules.layout import path_from

    return path_from(root, root, path)


def _beginnings(command: ShellCommand) -> tuple[str, ...]:
    if not command.words:
        return ()
    name, rest = program(command.words[0]), command.words[1:]
    operands = tuple(word for word in rest if word[:1] != "-")
    longer = (" ".join((name, *words)) for words in (rest[:1], operands[:1], operands[:2]) if words)
    return tuple(dict.fromkeys((name, *longer)))


def _begun(understood: Understood) -> list[str]:
    begun: list[str] = []
    for command in understood.commands:
        begun += _beginnings(command)
    return begun
