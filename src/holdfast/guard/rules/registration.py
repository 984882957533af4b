"""What switches Holdfast off or changes whom it binds: clients' settings, rules, agents, settings, git's hooks."""

from __future__ import annotations

import os

from holdfast.ground.config.sources import user_config_path
from holdfast.ground.formats.json_text import dumps, loads
from holdfast.ground.text.globs import find_glob
from holdfast.guard.places import UNKNOWN, lies_in
from holdfast.guard.rules.switching import OWN, words_of_ours
from holdfast.guard.shell.code.languages import language_of
from holdfast.guard.shell.command import join, program
from holdfast.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from holdfast.guard.case import Case
    from holdfast.guard.scene import Scene
    from holdfast.guard.shell.command import Command

RULE = "registration"
# Of the places: where a client is told to run our hook, and what says whom it binds.
CLIENTS, BINDING = "clients", "binding"
SWITCH = "disableAllHooks"


def judge(case: Case) -> Iterator[Verdict]:
    """Ask about a change while somebody is bound, and deny one that switches us off; else let it through, with a line
    for the person where we may be switched off."""
    bound, data = is_bound(case.scene, case.table), case.table[RULE]
    for kind, where, act, is_off in _changes(case):
        if bound:
            reason = data["off" if is_off else "asks"].format(where=where[-80:])
            yield Verdict("deny" if is_off else "ask", RULE, reason, act=act, target=where)
        elif is_off or (kind == CLIENTS and case.call.kind == "shell"):
            yield Verdict("allow", RULE, data["tells"].format(where=where[-80:]), act=act, target=where)


def is_bound(scene: Scene, table: Mapping[str, Any]) -> bool:
    """Return whether an agent is in force, or a permission mode that asks."""
    return bool(scene.agent) or scene.permission in table["permissions"]


def switches_off(before: str, after: str) -> bool:
    """Return whether a client's settings lose a hook line of ours, or begin to disable all hooks."""
    return bool(_lines_of_ours(before) - _lines_of_ours(after)) or (_disables(after) and not _disables(before))


def _changes(case: Case) -> Iterator[tuple[str, str, str, bool]]:
    """Yield (kind of place, path, act, whether it switches us off) of all that the call would change."""
    says_so, data = SWITCH.lower() in case.call.command.lower(), case.table[RULE]
    for place in case.written:
        kind = _kind_of(place.path, data)
        if not kind or (case.call.kind == "shell" and _program(place.act) in case.table["shallow"]):
            continue
        if case.call.kind != "write":
            is_off = says_so or _removes(case, place.act, place.path)
        elif (after := case.after()) is not None:
            is_off = switches_off(case.before or "", after)
        else:
            continue
        yield kind, place.inside or place.path, place.act, kind == CLIENTS and is_off
    for act in case.kinds("write"):
        if UNKNOWN in act.target and (kind := _kind_of(f"/{act.target.rpartition(UNKNOWN)[2]}", data)):
            yield kind, act.target, act.text, kind == CLIENTS and (says_so or _removes(case, act.text, ""))
    for place in case.read:
        if case.call.kind == "shell" and language_of(_program(place.act)) and _kind_of(place.path, data) == CLIENTS:
            yield CLIENTS, place.inside or place.path, place.act, False
    for act in case.kinds("conversation")[:1] if says_so else ():
        yield CLIENTS, act.target, act.text, True
    for command in case.understood.commands if case.understood else ():
        yield from _by_command(command, case)


def _by_command(command: Command, case: Case) -> Iterator[tuple[str, str, str, bool]]:
    """Yield what is told by the words of a command alone: an uninstallation, and what git writes."""
    words, text = command.words, " ".join(command.words)
    ours, data = words_of_ours(words), case.table[RULE]
    names = {word.partition("[")[0].partition("=")[0] for word in words[1:]}
    if ours[:1] == ("uninstall",) or (not ours and OWN in names and names.intersection(data["uninstalls"])):
        yield CLIENTS, OWN, text, True
    if not words or program(words[0]) != "git":
        return
    if key := _key_set(words, data["git_keys"]):
        yield BINDING, key, text, False
    if names.intersection(data["git_writes"]):
        folder = os.path.join(case.call.folder or case.scene.root, command.folder)
        found = ((word, _kind_of(join(folder, word), data)) for word in words[2:])
        yield from ((kind, word, text, kind == CLIENTS and "rm" in names) for word, kind in found if kind)


def _kind_of(path: str, data: Mapping[str, Any]) -> str:
    """Return what a path is, "" for none of these; a folder of a client counts as the settings in it."""
    path = path.replace(os.sep, "/")
    for variable, folder in data["moved"].items():
        moved = os.path.realpath(os.environ.get(variable) or "/")
        path = f"/{folder}{path[len(moved) :]}" if moved != "/" and lies_in(path, moved) else path
    folder, _, name = path.rpartition("/")
    around = folder if any(sign in name for sign in "*?[{") else path
    if find_glob(data[CLIENTS], path) or around.rpartition("/")[2] in data["folders"]:
        return CLIENTS
    return BINDING if find_glob((*data[BINDING], user_config_path()), path) else ""


def _removes(case: Case, act: str, path: str) -> bool:
    """Return whether an act takes a file away: deletes, empties or moves it."""
    data, name = case.table[RULE], _program(act)
    is_moved = name in data["moves"] and any(place.act == act and place.path == path for place in case.read)
    return is_moved or name in data["removes"] or any(each.text == act for each in case.kinds("destructive"))


def _program(act: str) -> str:
    return program((act.split() or [""])[0])


def _key_set(words: tuple[str, ...], keys: list[str]) -> str:
    """Return the key of git that a command sets or removes and whose value git runs, "" for none."""
    rest = words[words.index("config") + 1 :] if "config" in words else ()
    operands = [word for word in rest if word[:1] != "-"]
    if not operands or operands[0] in ("get", "list") or any(word.startswith("--get") for word in rest):
        return ""
    is_set = len(operands) > 1 or any(word.startswith("--unset") for word in rest)
    return next((word for word in operands if find_glob(keys, word.lower())), "") if is_set else ""


def _disables(text: str) -> bool:
    data = _data(text)
    return isinstance(data, dict) and bool(data.get(SWITCH))


def _lines_of_ours(text: str) -> set[str]:
    """Return each hook of ours with where it is registered and for what; in what is no JSON the lines that name us."""
    data = _data(text)
    return {line.strip() for line in text.splitlines() if OWN in line} if data is None else set(_hooks(data))


def _hooks(data: object, keys: tuple[str, ...] = (), matcher: object = None) -> Iterator[str]:
    if isinstance(data, dict):
        matcher = data.get("matcher", matcher)
        if any(isinstance(each, str) and OWN in each for each in data.values()):
            yield dumps((keys, matcher, data))
        for key, each in data.items():
            yield from _hooks(each, (*keys, key), matcher) if key != "statusLine" else ()
    for each in data if isinstance(data, list) else ():
        yield from _hooks(each, keys, matcher)


def _data(text: str) -> object:
    try:
        found: object = loads(text)
    except (ValueError, RecursionError):
        return None
    return found
