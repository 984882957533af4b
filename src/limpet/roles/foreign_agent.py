"""Translates other tools' agents into the keys of ours: SYNAPSE's files, and the sub-agents of coding agents."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from limpet.ground.formats.markdown import line_kinds
from limpet.ground.text.word_lists import read_words
from limpet.roles.agent import VISIBILITIES

Data = dict[str, Any]

# Tool names of coding agents -> ours; a name that is not here asks for nothing that an agent's file could say.
_TOOLS = {
    "read": ("read", "grep", "glob", "ls", "search", "notebookread"),
    "edit": ("edit", "write", "multiedit", "notebookedit"),
    "shell": ("bash", "shell", "execute", "bashoutput", "killshell"),
    "web": ("webfetch", "websearch", "web", "fetch"),
    "ask": ("askuserquestion", "ask"),
}
# A word in a model's name -> its class.
_MODELS = {"haiku": "fast", "sonnet": "balanced", "opus": "strong"}
_SUB_AGENT_KEYS = {"name", "title", "description", "tools", "model", "color", "schema_version"}
# What SYNAPSE's files say to the model that loads them, and lists of files of an installation, have no counterpart.
_TOLD_KEYS = {
    *("persona_profile", "commands", "dependencies"),
    *("activation-instructions", "IDE-FILE-RESOLUTION", "REQUEST-RESOLUTION"),
}
_SYNAPSE_KEYS = {"agent", "persona", *_TOLD_KEYS}
_RULE_KEY = re.compile("|".join(read_words("words/agent_keys")["rules"]))
# Keys whose own words add nothing to what stands below them, in which they are looked for no deeper.
_PLAIN_KEYS = ("core principles", "principles", "rules")
# A heading, or a line with those that go on with it; what is indented below an item goes on with it.
_PART = re.compile(r"^#+ .*|^\*\*[^*\n]+\*\*:?$|^.*\w.*(?:\n(?! ?(?:[-*+] |\d+[.)] |#+ ))[^\S\n]*\S.*)*", re.MULTILINE)
_TITLE = re.compile(r"(#+) (.+?):?|\*\*([^*]+?):?\*\*:?")
# The level of a title in bold, below all others.
_OF_BOLD = 7
_ITEM = re.compile(r"(\d+[.)] )|[-*+] (\[[ xX]\] )?")
_PAIR = re.compile(r"^([A-Za-z_][\w-]*):[ \t]*(.*)$")
_COMMAND = re.compile(r"^([ \t]*- )(?![\"'{\[])(?!name[ \t]*:)([^\s:][^:]*):[ \t]+(.+?)[ \t]*$")


def from_sub_agent(data: Mapping[str, Any], body: str) -> tuple[Data, list[str]]:
    """Our keys, and those that say nothing here. The text, which is all that such an agent gets, becomes steps,
    checklist and rules."""
    model = str(data.get("model") or "").lower()
    mission = _first_sentences(_text(data.get("description") or data.get("role") or data.get("title")))
    said = _instructions(body, mission)
    rules = {key: _rules_below(key, value) for key, value in data.items() if key not in _SUB_AGENT_KEYS}
    own = {
        "mission": mission,
        "title": _text(data.get("title")),
        "aliases": list(filter(None, [_text(data.get("name"))])),
        "tools": _tools(data.get("tools")),
        "model": next((ours for word, ours in _MODELS.items() if word in model), ""),
        **said,
        "rules": [*itertools.chain.from_iterable(rules.values()), *said["rules"]],
    }
    return own, [key for key, taken in rules.items() if not taken]


def from_synapse(data: Mapping[str, Any]) -> tuple[Data, list[str]]:
    agent, persona = _mapping(data.get("agent")), _mapping(data.get("persona"))
    purpose = (agent.get("whenToUse"), persona.get("focus"), persona.get("role"), agent.get("title"))
    rules = {key: _rules_below(key, value) for key, value in data.items() if key not in _TOLD_KEYS}
    own = {
        "mission": _first_sentences(_text(next(filter(None, purpose), ""))),
        "title": _text(agent.get("title")),
        "rules": list(itertools.chain.from_iterable(rules.values())),
        "commands": list(filter(None, map(_command, _listed(data.get("commands"))))),
        "persona": _persona(agent, persona, _mapping(data.get("persona_profile"))),
    }
    return own, [key for key, taken in rules.items() if not taken and key not in _SYNAPSE_KEYS]


def loose_pairs(text: str) -> Data:
    found = (_PAIR.match(line) for line in text.splitlines())
    return {pair[1]: pair[2].strip(" '\"") for pair in found if pair}


def quote_commands(text: str) -> str:
    lines, inside = [], False
    for line in text.splitlines():
        inside = line.startswith("commands:") or (inside and (not line[:1].strip() or line[:1] in "-#"))
        found = _COMMAND.match(line) if inside else None
        lines.append(f"{found[1]}{json.dumps(found[2])}: {json.dumps(found[3].strip(chr(39)))}" if found else line)
    return "\n".join(lines)


def _instructions(body: str, mission: str) -> dict[str, list[str]]:
    """Each with the headings that it stands below, or the line that ends in a colon: "push to main" may stand below
    "Never". The first title in large names the whole text, so that it leads nothing."""
    found: dict[str, list[str]] = {"steps": [], "checklist": [], "rules": []}
    heading = lead = ""
    headings = list[tuple[int, str]]()
    is_first = True
    for part in _parts(body):
        text = " ".join(part.split())
        title, item = _TITLE.fullmatch(text), _ITEM.match(text)
        if title:
            level = len(title[1] or "") or _OF_BOLD
            headings = [one for one in headings if one[0] < level]
            headings += [] if is_first and level == 1 else [(level, title[2] or title[3])]
            heading = lead = ": ".join(words for _, words in headings)
            is_first = is_first and level > 1
            continue
        is_lead = not item and text.endswith(":")
        said, last = text[item.end() :] if item else text, ""
        if is_lead:
            said, _, last = text[:-1].rpartition(". ")
        lead = lead if item else heading
        is_check = "checklist" in lead.lower()
        kind = "rules"
        if item and (is_check or item[2]):
            kind = "checklist"
        elif item and item[1]:
            kind = "steps"
        if said and said != mission:
            found[kind].append(f"{lead}: {said}" if lead and not is_check else said)
        lead = ": ".join(filter(None, (lead, last)))
    return found


def _parts(body: str) -> Iterator[str]:
    """Code is a part of its own, but for what is indented, as an item's is."""
    runs: list[tuple[bool, list[str]]] = [(False, [])]
    lines = body.splitlines()
    for line, kind in zip(lines, line_kinds(lines), strict=True):
        is_code = bool(kind) and (runs[-1][0] or not line[:1].isspace())
        if is_code != runs[-1][0]:
            runs.append((is_code, []))
        runs[-1][1].append(line)
    for is_code, run in runs:
        yield from ["\n".join(run)] if is_code else _PART.findall("\n".join(run))


def _rules_below(key: str, value: object) -> list[str]:
    """What the key, or one below it, has the agent keep to, each with the words of the key that holds it."""
    words = " ".join(re.sub(r"[_\W]+", " ", key).lower().split())
    if _RULE_KEY.search(words):
        return [": ".join(filter(None, parts)) for parts in _said_below("" if words in _PLAIN_KEYS else words, value)]
    found: list[str] = []
    for name, item in value.items() if isinstance(value, dict) else ():
        found += _rules_below(str(name), item)
    return found


def _said_below(lead: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        told = _instructions(value, "")
        yield from ((lead, said) for said in (*told["rules"], *told["steps"], *told["checklist"]))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _said_below(": ".join(filter(None, (lead, str(key).replace("_", " ")))), item)
    elif isinstance(value, list):
        yield from ((lead, _text(item)) for item in value if item)


def _first_sentences(text: str) -> str:
    plain = text.replace("\\n", " ")
    ends = [at for at in (plain.find("<example"), plain.find("Examples:"), plain.find("Example:")) if at > 0]
    return " ".join(plain[: min(ends, default=None)].split())


def _tools(written: object) -> list[str]:
    names = written.split(",") if isinstance(written, str) else _listed(written)
    plain = {re.split(r"[(\s]", str(name).strip().lower())[0] for name in names}
    return [ours for ours, theirs in _TOOLS.items() if plain & set(theirs)]


def _command(written: object) -> Data | None:
    if isinstance(written, dict) and "name" not in written and len(written) == 1:
        [(name, description)] = written.items()
        written = {"name": name, "description": description}
    if isinstance(written, str):
        name, _, description = written.partition(":")
        written = {"name": name, "description": description}
    if not isinstance(written, dict) or not str(written.get("name") or "").strip():
        return None
    said = {str(one).lower() for one in _listed(written.get("visibility"))}
    visibility = next((one for one in reversed(VISIBILITIES) if one in said), VISIBILITIES[0])
    name = "*" + str(written["name"]).strip().lstrip("*")
    return {"name": name, "description": _text(written.get("description")), "visibility": visibility}


def _persona(agent: Mapping[str, Any], persona: Mapping[str, Any], profile: Mapping[str, Any]) -> Data:
    talk = {**profile, **_mapping(profile.get("communication"))}
    return {
        "name": _text(agent.get("name")),
        "role": _text(persona.get("role")),
        "style": _text(persona.get("style")),
        "greetings": {key: _text(text) for key, text in _mapping(talk.get("greeting_levels")).items()},
        "signature": _text(talk.get("signature_closing")),
    }


def _listed(value: object) -> Iterable[Any]:
    if isinstance(value, list):
        return value
    return [value] if value else []


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key}: {_text(item)}" for key, item in value.items())
    return "" if value is None else str(value)
