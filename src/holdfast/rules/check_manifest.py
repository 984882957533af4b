"""What is wrong in a manifest: keys, switches, keywords, triggers."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from holdfast.rules.finding import ERROR, WARNING, Finding
from holdfast.rules.keyvalue import TRUE_WORDS, read_lines, read_list
from holdfast.rules.manifest import PLAIN_KEYS, SUFFIXES, Domain, read_manifest, split_key
from holdfast.rules.naming import can_match

FALSE_WORDS = ("inactive", "false", "no", "0", "off")
SWITCHES = ("_STATE", "_ALWAYS_ON", "_NON_NEGOTIABLE", "DEVMODE")
KEYWORD_LISTS = ("_RECALL", "_EXCLUDE", "GLOBAL_EXCLUDE")
TRIGGERS = ("_AGENT_TRIGGER", "_WORKFLOW_TRIGGER")
WAYS = ("words", "word", "substring")


def check_manifest(path: str, text: str, is_agent: Callable[[str], bool], squad: bool = False) -> Iterator[Finding]:
    """The findings in a manifest's text, the project's or a ``squad``'s; ``path`` stands for it in them."""
    domains = read_manifest(text).domains
    seen: dict[str, int] = {}
    for number, key, value in read_lines(text):
        if value is None:
            yield Finding(ERROR, path, number, f"no = in {key[:60]!r}", "write KEY=VALUE, or # before a comment")
            continue
        if key in seen:
            what = f"{key} stands in line {seen[key]} already; only this one counts"
            yield Finding(ERROR, path, number, what, "keep one of the two")
        seen[key] = number
        for what, mend in _check_entry(key, value, domains):
            severity = WARNING if what.startswith("an empty keyword") else ERROR
            yield Finding(severity, path, number, what, mend)
    lines = first_lines(text)
    for domain in () if squad else domains:
        yield from _check_domain(path, domain, seen, lines[domain.name], is_agent)
    if squad:
        yield from _check_triggers(path, seen)


def first_lines(text: str) -> dict[str, int]:
    """By domain the line that names it first."""
    found: dict[str, int] = {}
    for number, key, value in read_lines(text):
        if value is not None and key not in PLAIN_KEYS:
            found.setdefault(split_key(key)[0], number)
    return found


def _check_entry(key: str, value: str, domains: tuple[Domain, ...]) -> Iterator[tuple[str, str]]:
    name, suffix = (key, key) if key in PLAIN_KEYS else split_key(key)
    if not suffix:
        yield f"unknown key {key!r}{_nearest_key(key, domains)}", "correct or remove it"
    elif key == "CONSTITUTION_STATE" and value.lower() in FALSE_WORDS:
        yield "the constitution cannot be switched off: it stays active", "remove the line"
    elif suffix in SWITCHES and value.lower() not in (*TRUE_WORDS, *FALSE_WORDS):
        yield f"{key}={value} is not understood and counts as off", "write active or inactive, true or false"
    elif suffix == "_MATCH" and value.lower() not in WAYS:
        yield f"{key}={value} is not understood", f"write {', '.join(WAYS[:2])} or {WAYS[2]}"
    elif suffix in KEYWORD_LISTS:
        yield from _check_keywords(value)
    elif key == "DOMAIN_ORDER":
        known = [domain.name for domain in domains]
        for entry in read_list(value):
            if entry not in known:
                yield f"DOMAIN_ORDER names the unknown domain {entry}{_nearest(entry, known)}", "correct or remove it"


def _check_keywords(value: str) -> Iterator[tuple[str, str]]:
    if value and any(not part.strip() for part in value.split(",")):
        yield "an empty keyword is left out", "remove the surplus comma"
    for keyword in read_list(value):
        if not can_match(keyword):
            yield f"the keyword {keyword!r} can never match", "give it a letter or a digit"


def _check_domain(
    path: str, domain: Domain, seen: dict[str, int], line: int, is_agent: Callable[[str], bool]
) -> Iterator[Finding]:
    if domain.agent and not is_agent(domain.agent):
        place = seen.get(f"{domain.name}_AGENT_TRIGGER", line)
        what = f"there is no agent {domain.agent}: {domain.name} never loads"
        yield Finding(ERROR, path, place, what, "name an id or alias of `holdfast agent list`")
    if domain.kind == "keyword" and not domain.recall:
        what = f"nothing loads {domain.name}: it has no keyword, no trigger and is not always on"
        yield Finding(WARNING, path, line, what, f"add {domain.name}_RECALL=words or {domain.name}_ALWAYS_ON=true")


def _check_triggers(path: str, seen: dict[str, int]) -> Iterator[Finding]:
    for key, number in seen.items():
        if split_key(key)[1] in TRIGGERS:
            what = f"{key} does nothing here: a squad's rules come with their words, or with the active squad"
            yield Finding(WARNING, path, number, what, "remove the line, or move the domain to the project's rules")


def _nearest_key(key: str, domains: tuple[Domain, ...]) -> str:
    return _nearest(key, [*PLAIN_KEYS, *(f"{domain.name}{suffix}" for domain in domains for suffix in SUFFIXES)])


def _nearest(name: str, known: list[str]) -> str:
    """A question with the nearest of the ``known`` names, whatever their case, or nothing."""
    proper = {one.lower(): one for one in known}
    close = difflib.get_close_matches(name.lower(), proper, 1)
    return f"; did you mean {proper[close[0]]}?" if close else ""
