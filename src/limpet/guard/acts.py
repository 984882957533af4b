"""What commands and tools do: pushes, releases, writes and reads of paths (``framework/programs.txt``)."""

from __future__ import annotations

import limpet
from limpet.ground.errors import LimpetError
from limpet.ground.own_name import is_own_name
from limpet.ground.storage.files import read_text
from limpet.ground.text.globs import find_glob
from limpet.ground.values import Value
from limpet.guard.call import CODE, WRITING, read_table
from limpet.guard.reading import fits, holds_words, read_command_words, targets
from limpet.guard.shell.command import (
    UNKNOWN,
    ShellCommand,
    Understood,
    after_options,
    is_plain,
    join,
    listed,
    program,
    program_in,
    takes_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.call import Scene, ToolCall

    Rule = tuple[str, str, str, str]

KINDS = (
    *("push", "pull-request", "merge-request", "release", "deploy", "remote-api", "commit", "conversation"),
    *("configure", "destructive", "wipe", "write", "code", "read", "network", "run"),
)
# Of these the target is a path; of the others it is the program.
OF_PATHS = frozenset((*WRITING, "read"))
_DEVICES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin", "/dev/fd/", "nul", "$null")
EMPTY_LINE = "\n\n"
_texts: list[str] = []


class Act(Value):
    """``target``: of ``OF_PATHS``, unless a tool does it, the path as seen from the start, with ``UNKNOWN`` where it is
    not known, "." for the start itself; else the program. ``is_wide``: it is the folder at large that is written or
    read."""

    kind: str
    target: str
    text: str
    is_wide: bool = False

    @property
    def is_opaque(self) -> bool:
        """Whether it may change files that it does not name: it runs something, writes into a folder, or reads by a
        program of which more is to be known than that it reads."""
        if self.kind == "read" and self.target != self.text:
            words = tuple(self.text.split())
            return bool(words) and not is_plain(words) and program(words[0]) not in listed("searching")
        if self.kind not in WRITING:
            return self.kind == "run"
        name = self.target.rpartition("/")[2]
        into_folder = ("." not in name or not name.strip(".")) and program_in(self.text) in listed("into")
        may_be_more = any(sign in self.target for sign in (UNKNOWN, *"*?[{"))
        is_unknown = may_be_more or program_in(self.text) in listed("linking")
        return self.is_wide or self.kind == CODE or is_unknown or into_folder


def acts_of(understood: Understood) -> tuple[Act, ...]:
    acts: dict[Act, None] = {}
    for command in understood.commands:
        acts.update(dict.fromkeys(_acts(command)))
    return tuple(acts)


def acts_of_tool(call: ToolCall, scene: Scene) -> tuple[Act, ...]:
    """Of a tool that is neither shell nor file, by the settings, its name or its own hints; else it runs something. A
    hint makes it stricter than ``run`` only where it says so, and reading is believed for what no rule forbids."""
    own = scene.settings.get("tools", {})
    for pattern, kind in (*own.items(), *read_table()["tools"].items()):
        if find_glob((pattern,), call.tool):
            return (Act(kind, call.tool, call.tool),)
    is_destructive, is_read = call.hints.get("destructiveHint"), call.hints.get("readOnlyHint")
    kinds = ["read" if is_read and not is_destructive else "run"]
    if is_destructive:
        kinds.insert(0, "destructive")
    return tuple(Act(kind, call.tool, call.tool) for kind in kinds)


def find_program(name: str) -> tuple[str, list[Rule]] | None:
    block = _find_block(name)
    if block is None:
        return None
    values, *lines = block
    rules: list[Rule] = []
    for line in lines:
        head, _colon, rest = line.partition(":")
        kind, _space, target = head.strip().partition(" ")
        if kind == "like":
            rules += (find_program(rest.strip()) or ("", []))[1]
        else:
            words, _mark, conditions = rest.partition("?")
            rules.append((words.strip(), conditions.strip(), kind, target))
    return values, rules


def read_programs() -> str:
    if not _texts:
        text = read_text(f"{limpet.__path__[0]}/framework/programs.txt")
        if not text:
            raise LimpetError("framework/programs.txt is missing", hint="Install Limpet again")
        text = text.replace("\r\n", "\n") if "\r" in text else text
        _texts.append(f"{EMPTY_LINE}{text}{EMPTY_LINE}")
    return _texts[0]


def _acts(command: ShellCommand) -> Iterator[Act]:
    text = " ".join(command.words)
    for kind, paths in (("write", command.writes), ("read", command.reads)):
        for path in paths:
            yield from _on_path(kind, path, command, text or path)
    if not command.words:
        return
    name = program(command.words[0])
    found = find_program(name)
    if found is None and name != name.lower():
        found = find_program(name.lower())
        name = name.lower() if found is not None else name
    is_named = "/" not in command.words[0] or is_own_name(command.words[0])
    only_shows = is_named and len(command.words) == 2 and command.words[1] in listed("showing")
    # What such a text runs is there as commands of its own.
    at = after_options(command.words, tuple(listed("shell_values")))
    is_text = name in listed("shells") and any(map(takes_text, command.words[1:at]))
    if only_shows or is_text or name in listed("nothing"):
        return
    is_known = False
    for kind, target in _by_rules(command, *found) if found is not None else ():
        is_known = True
        if kind not in OF_PATHS:
            yield Act(kind, name, text)
        else:
            yield from _on_path(kind, target, command, text) if target else ()
    if not is_known:
        yield Act("run", name or UNKNOWN, text)


def _by_rules(command: ShellCommand, with_value: str, rules: list[Rule]) -> Iterator[tuple[str, str]]:
    given = read_command_words(command, with_value)
    has_fitted = False
    for words, conditions, kind, spec in rules:
        if (words == "" and conditions == "" and kind == "network" and has_fitted) or not fits(words, given.operands):
            continue
        if not holds_words(conditions, given):
            continue
        has_fitted = True
        if kind not in OF_PATHS:
            yield kind, ""
            continue
        yield from ((kind, path) for path in targets(spec, given, words) or ("",))


def _on_path(kind: str, path: str, command: ShellCommand, text: str) -> Iterator[Act]:
    is_copy = bool(command.words) and program(command.words[0]) in ("scp", "rsync", "sftp")
    is_remote = is_copy and ":" in path.partition("/")[0][2:]
    if path.startswith(("/dev/tcp/", "/dev/udp/")):
        yield Act("network", path, text)
    elif not path.startswith(_DEVICES) and "://" not in path and not is_remote:
        yield Act(kind, join(command.folder, path) or ".", text, not join("", path))


def _find_block(name: str) -> list[str] | None:
    text = read_programs()
    for start in _places_of(name, text):
        block = text[start : text.find(EMPTY_LINE, start)]
        names, _equals, rest = block.partition(" =")
        if names[0] not in " #" and name in names.split():
            rest = rest.replace("\n    ", " ").replace("| ", "|").replace("\\0", "\0")
            for word in {word for word in rest.split() if word[0] == "$"}:
                rest = rest.replace(word, (_find_block(word) or [word])[0])
            values, *lines = rest.split("\n")
            return [values.strip(), *lines]
    return None


def _places_of(name: str, text: str) -> Iterator[int]:
    for mark in ("\n", " ") if name.split() == [name] else ():
        at = text.find(f"{mark}{name} ")
        while at >= 0:
            yield text.rfind("\n", 0, at + 1) + 1
            at = text.find(f"{mark}{name} ", at + 1)
