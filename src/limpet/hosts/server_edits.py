"""Adds our server to the text of a client's configuration and takes it out: of JSON all other data is kept, of TOML
every other byte."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_edit import drop_empty, look_up, parse_json_object, parse_json_text, reach, render_like

NAME = "limpet"
TABLE = "mcp_servers"
# Our table in TOML and those below it, each from the blank line before it to the last line that says something.
_TABLES = re.compile(
    rf"(?:(?<=\n)\r?\n|\A\r?\n)?^[ \t]*\[{TABLE}\.{NAME}[.\]].*"
    r"(?:(?:\n(?![ \t]*\[).*)*\n(?![ \t]*(?:[\[#]|\r?$)).+)?(?:\n|\Z)",
    re.MULTILINE,
)
_STRING = r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''
# The servers in one line, and ours among them.
_INLINE = re.compile(rf"^[ \t]*\"?{TABLE}\"?[ \t]*=[ \t]*\{{", re.MULTILINE)
_MEMBER = re.compile(rf"(?:,[ \t]*|[ \t]+)?{NAME}[ \t]*=[ \t]*\{{(?:[^{{}}\"'\n]|{_STRING})*\}}")
_VALUE = rf"(?:{_STRING}|\[(?:[^\]\"'#]|{_STRING})*\])"


def find_server_entry(key: str, text: str, where: str = "", skips: re.Pattern[str] | None = None) -> object:
    """``key``: the member that holds the servers, "" for TOML. ``skips``: what the client passes over in JSON. Raise
    LimpetError for a text that cannot be read."""
    if key:
        return look_up(parse_json_text(text, where, skips), (key, NAME))
    return look_up(_parse_toml(text, where), (TABLE, NAME))


def is_our_server(entry: object) -> bool:
    command, args = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else ("", ())
    words = list(args) if isinstance(args, list) else []
    return (command == NAME and words[:1] == ["mcp"]) or words[1:4] == ["-m", NAME, "mcp"]


def is_shared(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("command") == NAME


def render_server(key: str, entry: dict[str, Any]) -> str:
    if key:
        return json.dumps({key: {NAME: entry}}, ensure_ascii=False)
    return f"{TABLE}.{NAME} = {_inline_table(entry)}"


def add_entry(key: str, text: str, entry: dict[str, Any], where: str) -> str:
    """What somebody added to our entry stays. Raise LimpetError where it cannot be added."""
    if key:
        settings = parse_json_object(text, where)
        reach(settings, (key, NAME), where).update(entry)
        return render_like(settings, text)
    present = find_server_entry(key, text, where)
    there: dict[str, Any] = present if isinstance(present, dict) else {}
    changed = {name: value for name, value in entry.items() if there.get(name) != value}
    return _write_table(text, there, changed, where) if changed else text


def take_entry(key: str, text: str, original: str) -> str:
    """A foreign entry of our name stays, and one that somebody wrote in another of TOML's ways. ``original``: the text
    before we came; an object that we emptied stays if it was there then."""
    if not is_our_server(find_server_entry(key, text)):
        return text
    if key:
        settings = parse_json_object(text)
        del settings[key][NAME]
        drop_empty(settings, (key,), parse_json_text(original))
        return render_like(settings, text)
    wanted = _with_entry(text, None)
    kept = (_TABLES.sub("", text), *_without_inline(text))
    return next((each for each in kept if _is_data(each, wanted)), text)


def _inline_table(entry: dict[str, Any]) -> str:
    values = ", ".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in entry.items())
    return f"{{ {values} }}"


def _write_table(text: str, there: dict[str, Any], changed: dict[str, Any], where: str) -> str:
    lines = {name: json.dumps(value, ensure_ascii=False) for name, value in changed.items()}
    if there:
        edited = text
        for name, line in lines.items():
            pattern = rf"^([ \t]*\[{TABLE}\.{NAME}\](?:.|\n)*?\n[ \t]*{name}[ \t]*=[ \t]*){_VALUE}"
            literal = line.replace("\\", r"\\")
            edited = re.sub(pattern, rf"\g<1>{literal}", edited, count=1, flags=re.MULTILINE)
    else:
        end = "\r\n" if "\r\n" in text else "\n"
        gap = end if text else ""
        if not text.endswith("\n"):
            gap *= 2
        table = (f"[{TABLE}.{NAME}]", *(f"{name} = {line}" for name, line in lines.items()))
        edited = text + gap + "".join(line + end for line in table)
    wanted = {**there, **changed}
    tried = (edited, *_with_inline(text, wanted))
    fitting = next((each for each in tried if _is_data(each, _with_entry(text, wanted))), "")
    if not fitting:
        raise LimpetError("Limpet's MCP server cannot be put there as the file is written", where)
    return fitting


def _with_inline(text: str, entry: dict[str, Any]) -> Iterator[str]:
    """The text with the entry as a member of ``mcp_servers = {...}``, at each place where that may end."""
    begun = _INLINE.search(text)
    bare = take_entry("", text, "") if begun else text
    for end in re.finditer(r"[ \t]*\}", bare[begun.end() :]) if begun else ():
        at = begun.end() + end.start() if begun else 0
        for lead in (", ", " "):
            yield f"{bare[:at]}{lead}{NAME} = {_inline_table(entry)}{bare[at:]}"


def _without_inline(text: str) -> Iterator[str]:
    yield from (text[: found.start()] + text[found.end() :] for found in _MEMBER.finditer(text))


def _with_entry(text: str, entry: dict[str, Any] | None) -> dict[str, Any]:
    data = _parse_toml(text, "")
    servers = data.get(TABLE)
    others = {name: value for name, value in servers.items() if name != NAME} if isinstance(servers, dict) else {}
    return {**data, TABLE: others if entry is None else {**others, NAME: entry}}


def _is_data(text: str, wanted: dict[str, Any]) -> bool:
    try:
        return {TABLE: {}, **tomllib.loads(text)} == wanted
    except tomllib.TOMLDecodeError:
        return False


def _parse_toml(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LimpetError(f"Invalid TOML: {error}", where) from None
