"""Rules, switched conversations and decisions of CARL and SYNAPSE as files of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from limpet.ground.digest import safe_name
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.trust.in_place import CARL_2
from limpet.migration.conversion import Conversion
from limpet.rules.format.domain import DomainText, is_true, read_domain, read_lines
from limpet.rules.format.manifest import read_manifest
from limpet.rules.layout import LIMPET, MANIFEST
from limpet.rules.plan.in_place import (
    IMPORTED,
    OUTSIDE,
    decisions_of_carl,
    is_imported,
    join_manifests,
    join_rules,
    left_off,
    read_folder,
)
from limpet.rules.plan.places import plain_rule_name

# What a file of rules may be called.
_NAME = re.compile(r"[^./\\\0][^/\\\0]*")
KEPT = ("title", "started", "last_activity", "cwd", "label", "prompt_count")


def convert_domains(one: Conversion, folder: str, own: Mapping[str, str], room: str = "project:") -> None:
    """``own``: our files by domain, from the project's root. ``room``: where the rules go."""
    names = [path.removeprefix(f"{folder}/") for path in one.below(folder)]
    given, files = read_folder(folder, [name for name in names if "/" not in name], lambda path: one.texts.get(path))
    whole = f"{folder}/{CARL_2}"
    if whole in one.files and not read_object(one.texts[whole]):
        one.leave(whole, "file", whole, "it is no JSON, and nothing of it is read")
        given = ""
    off = left_off(one.before(f"{room}{MANIFEST}") or "", given)
    for domain in read_manifest(given).domains:
        plain = plain_rule_name(domain.name)
        source, read = files.get(plain, ("", lambda: None))
        theirs, place = read(), f"{room}{own.get(plain, f'{LIMPET.folder}/{plain}')}"
        if theirs is None or domain.name in off or not _NAME.fullmatch(plain):
            why = "it has no file" if theirs is None else "its name is no name of a file"
            why = f"it is off there, and {domain.name} is on here" if domain.name in off else why
            one.leave(source or f"{folder}/{LIMPET.manifest}", "domain", domain.name, why)
            continue
        one.put(place, join_rules(domain.name, one.before(place), theirs))
        for rule in all_rules(read_domain(domain.name, theirs.replace("COMMANDS_CMD_", "COMMANDS_RULE_"))):
            one.add(source, "rule", rule, place)
    if given:
        _take_manifest(one, given, folder, room)
    for path in one.below(folder, f"{folder}/sessions/*.json"):
        _take_conversation(one, path)
    if whole in one.files:
        _take_decisions(one, whole)
        said = " ".join((given, *(read() or "" for _, read in files.values())))
        _name_the_rest(one, whole, (), read_object(one.texts[whole]), said)


def all_rules(said: DomainText) -> list[str]:
    found = [*said.authority, *said.rules]
    for groups in (said.brackets, said.commands, said.articles):
        for rules in groups.values():
            found += rules
    return found


def _take_manifest(one: Conversion, given: str, folder: str, room: str) -> None:
    place = f"{room}{MANIFEST}"
    before, mark = one.before(place), f"{IMPORTED} {folder}/\n"
    text = given if before is None else join_manifests(before, given, folder)
    text += "" if text.endswith("\n") else "\n"
    one.put(place, text if is_imported(text, folder) else text + mark)
    added = f"_{folder.strip('~/.').upper()}"
    lines = {(key.removesuffix(added), value) for _, key, value in read_lines(text)}
    whole = f"{folder}/{CARL_2}"
    source = whole if whole in one.files else f"{folder}/{LIMPET.manifest}"
    for line in given.splitlines():
        if line.startswith(OUTSIDE):
            one.leave(source, "file", line.removeprefix(OUTSIDE), f"it is not in {folder}/")
    for _, key, value in read_lines(given):
        if (key, value) in lines:
            one.add(source, "setting", f"{key}={value}", place)
        else:
            one.leave(source, "setting", f"{key}={value or ''}", "the project's own manifest says otherwise, and holds")


def _name_the_rest(one: Conversion, source: str, path: tuple[str, ...], told: object, said: str) -> None:
    """Texts of which nothing was made."""
    if isinstance(told, dict | list):
        for key, value in told.items() if isinstance(told, dict) else enumerate(told):
            if key not in ("decisions", "staging"):
                _name_the_rest(one, source, (*path, str(key)), value, said)
    elif isinstance(told, str) and told and " ".join(told.split()) not in said:
        one.leave(source, "field", f"{'.'.join(path)}: {told}", "Limpet has nothing for it")


def _take_conversation(one: Conversion, source: str) -> None:
    """Only what was switched: the rest is of a conversation that is over."""
    told = read_object(one.texts[source])
    given = told.get("overrides")
    overrides: Mapping[str, Any] = given if isinstance(given, dict) else {}
    switched = {key: value is True or is_true(str(value)) for key, value in overrides.items() if value is not None}
    id_ = str(told.get("uuid") or source.rpartition("/")[2].removesuffix(".json"))
    name, place = told.get("title") or id_, f"state:sessions/{safe_name(id_)}.json"
    text = dumps({"id": id_, **{key: told[key] for key in KEPT if key in told}, "overrides": switched}) + "\n"
    if switched and one.before(place) in (None, text):
        one.put(place, text)
        one.add(source, "conversation", f"{name}: {', '.join(switched)}", place)
    else:
        one.leave(source, "conversation", name, "it goes on here" if switched else "nothing was switched in it")


def _take_decisions(one: Conversion, source: str) -> None:
    for row in decisions_of_carl(one.texts[source]):
        recall, said = row.get("recall"), row.get("decision")
        if row.get("status") in (None, "active"):
            tags = [str(row["domain"]).lower(), *(map(str, recall) if isinstance(recall, list) else ())]
            about: dict[str, Any] = {"tags": tags, "confidence": 0.8, "created_at": row.get("date")}
            one.remember(source, "decision", said, row.get("rationale"), **about)
        else:
            one.leave(source, "decision", said, f"it is {row['status']}")
    drafts = read_object(one.texts[source]).get("staging")
    for row in drafts if isinstance(drafts, list) else ():
        said = row.get("text") or row.get("rule") or row.get("rule_text") if isinstance(row, dict) else row
        one.leave(source, "draft", said or row, "it waited for approval and was no rule")
