"""What is not the agent's to touch: what is private of projects, the folders that Limpet alone reads and writes
(Article XIII, decisions 42 and 64), and where clients are told to run our hook."""

from __future__ import annotations

import os

from limpet.ground.formats.json_text import dumps, loads
from limpet.ground.storage.user_folders import user_config_path
from limpet.ground.text.globs import find_glob
from limpet.guard.call import READING, TargetPlace, Verdict, lies_in_folder
from limpet.guard.rules.permission import OWN, words_of_ours
from limpet.guard.shell.command import UNKNOWN, ShellCommand, join, program, program_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from limpet.guard.call import Case, Scene

# Of a memory's file.
_ENDING = ".md"
MEMORY, STATE = "private.memory", "kept.state"
PRIVATE = "What is private lies there. To see what is shared, run: limpet memory search"
OURS = "Limpet alone reads and writes there. To see what happened, run: limpet log"
_CUTS = dict.fromkeys(map(ord, "=:,@"), "\n")
RULE = "registration"
# Of the places: where a client is told to run our hook, and what says whom it binds.
CLIENTS, BINDING = "clients", "binding"
SWITCH = "disableAllHooks"


def judge_private(case: Case) -> Iterator[Verdict]:
    kept = [os.path.realpath(folder) for folder in case.scene.kept]
    for place in (*case.read, *case.written, *_named(case, kept)):
        is_shallow = case.call.kind == "shell" and program_in(place.act) in case.table["shallow"]
        touched = [each for each in kept if _touches(place.path, each, not is_shallow)]
        if not touched and place in case.read:
            below = (each for each in kept if lies_in_folder(each, place.path))
            touched = [each for each in below if _reads_below(case, place.act)]
        folder = next(iter(touched), "")
        if folder:
            rule, reason = (MEMORY, PRIVATE) if folder == kept[0] else (STATE, OURS)
            yield Verdict("deny", rule, reason, act=place.act, target=place.inside or place.path)


def judge_registration(case: Case) -> Iterator[Verdict]:
    """A change is asked about while somebody is bound, one that switches us off denied; else it passes, with a line for
    the person where we may be switched off."""
    bound, data = is_bound(case.scene, case.table), case.table[RULE]
    for kind, where, act, is_off in _changes(case, data):
        if bound:
            reason = data["off" if is_off else "asks"].format(where=where[-80:])
            yield Verdict("deny" if is_off else "ask", RULE, reason, act=act, target=where)
        elif is_off or (kind == CLIENTS and case.call.kind == "shell"):
            yield Verdict("allow", RULE, data["tells"].format(where=where[-80:]), act=act, target=where)


def is_bound(scene: Scene, table: Mapping[str, Any]) -> bool:
    return bool(scene.agent) or scene.permission in table["permissions"]


def switches_off(before: str, after: str) -> bool:
    """Whether a client's settings lose a hook line of ours, or begin to disable all hooks."""
    (ours, was_off), (left, is_off) = _read(before), _read(after)
    return bool(ours - left) or is_off > was_off


def _named(case: Case, around: list[str]) -> Iterator[TargetPlace]:
    """By a word, a part of one or a glob, whatever its program does with it, unless it only prints it; links are not
    followed."""
    understood = case.understood
    if understood is None or not around:
        return
    folder = os.path.realpath(case.call.folder or case.scene.root)
    named = [(join(folder, each.folder), each.words) for each in understood.commands]
    for where, words in (*named, (folder, ("", *understood.texts))):
        if program("".join(words[:1])) in ("echo", "printf"):
            continue
        if program("".join(words[:1])) == "sed":  # a script of its own names files
            words = tuple(" ".join(words).split())
        pieces: dict[str, None] = {}
        for word in words[1:]:
            parts = word.removeprefix("file://").translate(_CUTS).split("\n")
            pieces.update(dict.fromkeys((word, *parts, word[2:] if word[:1] == "-" else "")))
        pieces.pop("", None)
        for piece in pieces:
            path = join(where, os.path.expanduser(piece))
            # A part that only the shell will know may be anything: then the rest has to name the place.
            is_named = UNKNOWN not in path or OWN in path
            if is_named and any(lies_in_folder(path.replace(UNKNOWN, "[]"), each) for each in around):
                yield TargetPlace(path.replace(UNKNOWN, "[]"), piece, " ".join(words).strip())


def _touches(path: str, folder: str, is_deep: bool) -> bool:
    """A recursive read of the folder around it meets it too."""
    above = os.path.dirname(folder)
    return lies_in_folder(path, folder) or (is_deep and lies_in_folder(path, above) and lies_in_folder(above, path))


def _reads_below(case: Case, act: str) -> bool:
    """Of find, whether what it finds is read: by a command of its own, or one that is handed the names."""
    if program_in(act) == "find":
        return any(_may_be_memory(each.target) for each in case.kinds(*READING))
    wanted = case.table["deep"].get(program_in(act))
    from limpet.guard.reading import holds_words, read_command_words

    return wanted is not None and holds_words(wanted, read_command_words(ShellCommand(tuple(act.split())), ""))


def _may_be_memory(path: str) -> bool:
    """What stands for what find finds: a name with wildcards, or one that only the shell will know."""
    last = max(map(path.rfind, "*?]"))
    tail = path[last + 1 :]
    is_open = last >= 0 and (tail.endswith(_ENDING) or _ENDING.endswith(tail))
    return UNKNOWN in path or is_open


def _changes(case: Case, data: Mapping[str, Any]) -> Iterator[tuple[str, str, str, bool]]:
    """(Kind of place, path or name, act, whether it switches us off) of all that the call would change."""
    says_so, after = SWITCH.lower() in case.call.command.lower(), case.after()
    for path, where, act in _paths(case, data):
        kind = _kind_of(path, data)
        if kind and case.call.kind == "shell":
            yield kind, where, act, kind == CLIENTS and (says_so or _removes(case, act, path))
        elif kind and after is not None:
            yield kind, where, act, kind == CLIENTS and switches_off(case.before or "", after)
    for command in case.understood.commands if case.understood else ():
        ours, names = words_of_ours(command.words), {word.partition("[")[0] for word in command.words[1:]}
        if ours[:1] == ("uninstall",) or (not ours and OWN in names and names.intersection(data["uninstalls"])):
            yield CLIENTS, OWN, " ".join(command.words), True
    for found in case.kinds("configure", *(("conversation",) if says_so else ())):
        yield BINDING, found.target, found.text, says_so


def _paths(case: Case, data: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for place in case.written:
        if case.call.kind == "write" or program_in(place.act) not in case.table["shallow"]:
            yield place.path, place.inside or place.path, place.act
    for act in case.kinds("write"):
        if UNKNOWN in act.target:
            yield f"/{act.target.rpartition(UNKNOWN)[2]}", act.target, act.text
    folder = case.call.folder or case.scene.root
    for word in case.understood.texts if case.understood else ():  # what is not understood may write what it names
        if find_glob(data[CLIENTS], path := join(folder, word)):
            yield path, word, case.call.command
    for command in case.understood.commands if case.understood else ():
        if program("".join(command.words[:1])) == "git" and {*command.words}.intersection(data["git_writes"]):
            where, text = join(folder, command.folder), " ".join(command.words)
            yield from ((join(where, word), word, text) for word in command.words[2:])


def _kind_of(path: str, data: Mapping[str, Any]) -> str:
    path = path.replace(os.sep, "/")
    moved = [f"{os.path.realpath(home)}/*.json" for name in data["moved"] if (home := os.environ.get(name))]
    folder, _, name = path.rpartition("/")
    around = folder if any(sign in name for sign in "*?[{") else path
    if find_glob((*data[CLIENTS], *moved), path) or around.rpartition("/")[2] in data["folders"]:
        return CLIENTS
    return BINDING if find_glob((*data[BINDING], user_config_path()), path) else ""


def _removes(case: Case, act: str, path: str) -> bool:
    data, name = case.table[RULE], program_in(act)
    is_moved = name in data["moves"] and any(place.act == act and place.path == path for place in case.read)
    is_gone = name != "git" and any(each.text == act for each in case.kinds("destructive"))
    return is_gone or is_moved or name in data["removes"]


def _read(text: str) -> tuple[set[str], bool]:
    """Hooks of ours with where and for what they are registered, in what is no JSON the lines that name us."""
    try:
        data = loads(text)
        return set(_hooks(data)), isinstance(data, dict) and bool(data.get(SWITCH))
    except (ValueError, RecursionError):
        return {line.strip() for line in text.splitlines() if OWN in line}, False


def _hooks(data: object, keys: tuple[str, ...] = (), matcher: object = None) -> Iterator[str]:
    if isinstance(data, dict):
        matcher = data.get("matcher", matcher)
        if any(isinstance(each, str) and OWN in each for each in data.values()):
            yield dumps((keys, matcher, data))
        for key, each in data.items():
            yield from _hooks(each, (*keys, key), matcher) if key != "statusLine" else ()
    for each in data if isinstance(data, list) else ():
        yield from _hooks(each, keys, matcher)
