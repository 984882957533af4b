"""Adds our server to the text of a client's configuration and takes it out; every other byte is kept."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.formats.json_edit import parse, remove, set_value
from holdfast.hosts.hook_files.edits import look_up, remove_if_empty

NAME = "holdfast"
TABLE = "mcp_servers"
ENV, STATE, CACHE = "env", "HOLDFAST_STATE", "HOLDFAST_CACHE"
# Our table in TOML, and the next one that is no part of it.
_HEADER = re.compile(rf"^\[{TABLE}\.{NAME}\][ \t]*(?:#.*)?$", re.MULTILINE)
_NEXT = re.compile(rf"^\[(?!{TABLE}\.{NAME}\.)", re.MULTILINE)


def find_entry(key: str, text: str, where: str = "") -> object:
    """Return what stands under our name, None for nothing. Raise HoldfastError for a text that cannot be read.

    ``key``: the member that holds the servers, "" for TOML.
    """
    return look_up(parse(text, where), (key, NAME)) if key else look_up(_parse_toml(text, where), (TABLE, NAME))


def is_ours(entry: object) -> bool:
    """Return whether an entry starts our server: from PATH, or by an interpreter."""
    command, args = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else ("", ())
    words = list(args) if isinstance(args, list) else []
    return (command == NAME and words[:1] == ["mcp"]) or words[1:4] == ["-m", NAME, "mcp"]


def is_shared(entry: object) -> bool:
    """Return whether an entry names no path of one machine."""
    return isinstance(entry, dict) and entry.get("command") == NAME


def add_entry(key: str, text: str, entry: dict[str, Any], where: str) -> str:
    """Return the text with our server; what somebody added to its entry stays. Raise HoldfastError where it cannot be
    added."""
    present = find_entry(key, text, where)
    there: dict[str, Any] = present if isinstance(present, dict) else {}
    own = {name: value for name, value in (there.get(ENV) or {}).items() if name not in (STATE, CACHE)}
    env = {**own, **entry.get(ENV, {})}
    wanted = {**{name: value for name, value in there.items() if name != ENV}, **entry, **({ENV: env} if env else {})}
    if wanted == there:
        return text
    if key:
        return set_value(text, (key, NAME), wanted, where)
    kept = take_entry(key, text, "")
    gap = "" if not kept or kept.endswith("\n\n") else "\n" if kept.endswith("\n") else "\n\n"
    lines = "".join(f"{name} = {_toml(value)}\n" for name, value in wanted.items())
    added = f"{kept}{gap}[{TABLE}.{NAME}]\n{lines}"
    _parse_toml(added, where)
    return added


def take_entry(key: str, text: str, original: str) -> str:
    """Return the text without our server; a foreign one of its name stays.

    ``original``: the text before we came; an object that we emptied stays if it was there then.
    """
    if not is_ours(find_entry(key, text)):
        return text
    if key:
        text = remove(text, (key, NAME))
        return text if look_up(parse(original), (key,)) is not None else remove_if_empty(text, (key,), (key,))
    found = _HEADER.search(text)
    if found is None:  # somebody wrote it in another of the format's ways
        return text
    behind = _NEXT.search(text, found.end())
    before, rest = text[: found.start()], text[behind.start() :] if behind else ""
    return before + rest if rest or not before else before.rstrip("\n") + "\n"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(name)} = {_toml(each)}' for name, each in value.items())} }}"
    return json.dumps(value, ensure_ascii=False)


def _parse_toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        what = f"Holdfast's MCP server cannot be put there: {error}"
        raise HoldfastError(what, where, "add it by hand") from None
