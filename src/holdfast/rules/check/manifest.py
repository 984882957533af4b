"""Checks a manifest: unknown keys, switches, triggers, and entries that have no effect."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from holdfast.rules.check.finding import ERROR, WARNING, Finding
from holdfast.rules.check.keywords import check_exclusions, check_list
from holdfast.rules.check.names import check_names
from holdfast.rules.format.domain import split_rule
from holdfast.rules.format.key_value import FALSE_WORDS, TRUE_WORDS, is_true, read_lines, read_list
from holdfast.rules.format.manifest import AT_WORK, PLAIN_KEYS, SPECIAL, SUFFIXES, Domain, read_manifest, split_key
from holdfast.rules.naming import file_name

SWITCHES = ("_STATE", "_ALWAYS_ON", "_NON_NEGOTIABLE", "DEVMODE")
_SWITCH_HINTS = {"_STATE": "write active, inactive, or work (active while work is under way)"}
KEYWORD_LISTS = ("_RECALL", "_EXCLUDE", "GLOBAL_EXCLUDE")
TRIGGERS = ("_AGENT_TRIGGER", "_WORKFLOW_TRIGGER")
WAYS = ("words", "word", "substring")
ALWAYS = (*SPECIAL.values(), "always")


def check_manifest(path: str, text: str, is_agent: Callable[[str], bool], squad: bool = False) -> Iterator[Finding]:
    """Yield the findings in a manifest's text, the project's or a ``squad``'s; ``path`` stands for it in them."""
    manifest = read_manifest(text)
    domains = manifest.domains
    seen: dict[str, int] = {}
    for number, key, value in read_lines(text):
        if value is None:
            yield Finding(ERROR, path, number, f"no = in {key[:60]!r}", "write KEY=VALUE, or # before a comment")
            continue
        if key in seen:
            what = f"{key} stands in line {seen[key]} already; only this one counts"
            yield Finding(ERROR, path, number, what, "keep one of the two")
        seen[key] = number
        for severity, what, hint in _check_entry(key, value, domains):
            yield Finding(severity, path, number, what, hint)
    lines = first_lines(text)
    yield from check_names(path, domains, lines)
    for domain, what in check_exclusions(domains, manifest.global_exclude):
        hint = "remove one of the two, or exclude a longer phrase"
        yield Finding(WARNING, path, seen[f"{domain.name}_RECALL"], what, hint)
    values = {key: value for _, key, value in read_lines(text) if value}
    for domain in () if squad else domains:
        yield from _check_domain(path, domain, seen, lines[domain.name], is_agent)
        yield from _check_pointless(path, domain, seen, values)
    if squad:
        yield from _check_squads_own(path, seen, values)


def first_lines(text: str) -> dict[str, int]:
    """Return the line that first names each domain, by the domain's name."""
    found: dict[str, int] = {}
    for number, key, value in read_lines(text):
        if value is not None and key not in PLAIN_KEYS:
            found.setdefault(split_key(key)[0], number)
    return found


def _check_entry(key: str, value: str, domains: tuple[Domain, ...]) -> Iterator[tuple[str, str, str]]:
    name, suffix = (key, key) if key in PLAIN_KEYS else split_key(key)
    if not suffix and split_rule(key)[1]:
        yield ERROR, f"{key} is a rule: none is read from the manifest", f"move it to {file_name(split_rule(key)[0])}"
    elif not suffix:
        known = [*PLAIN_KEYS, *(f"{domain.name}{suffix}" for domain in domains for suffix in SUFFIXES)]
        yield ERROR, f"unknown key {key!r}{_nearest(key, known)}", "correct or remove it"
    elif key == "CONSTITUTION_STATE" and value.lower() in FALSE_WORDS:
        yield ERROR, "the constitution cannot be switched off: it stays active", "remove the line"
    elif suffix in SWITCHES and value.lower() not in (*TRUE_WORDS, *FALSE_WORDS, *([AT_WORK] * (suffix == "_STATE"))):
        yield (
            ERROR,
            f"{key}={value} is not understood and counts as off",
            _SWITCH_HINTS.get(suffix, "write true or false"),
        )
    elif suffix == "_MATCH" and value.lower() not in WAYS:
        yield ERROR, f"{key}={value} is not understood", f"write {', '.join(WAYS[:2])} or {WAYS[2]}"
    elif suffix in KEYWORD_LISTS:
        yield from check_list(value)
    elif key == "DOMAIN_ORDER":
        yield from _check_order(value, [domain.name for domain in domains])


def _check_order(value: str, known: list[str]) -> Iterator[tuple[str, str, str]]:
    for entry in read_list(value):
        if entry not in known:
            what = f"DOMAIN_ORDER names the unknown domain {entry}{_nearest(entry, known)}"
            yield ERROR, what, "correct or remove it"


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


def _check_pointless(path: str, domain: Domain, seen: dict[str, int], values: dict[str, str]) -> Iterator[Finding]:
    """Yield keywords and triggers of a domain that comes whatever they say."""
    pointless = ("_RECALL", "_EXCLUDE", *TRIGGERS) if domain.name in SPECIAL else ("_EXCLUDE",)
    for key in (f"{domain.name}{suffix}" for suffix in pointless if domain.kind in ALWAYS):
        if key in values and key not in PLAIN_KEYS:
            what = f"{key} does nothing: words and triggers neither bring nor stop {domain.name}"
            yield Finding(WARNING, path, seen[key], what, "remove the line, or make it another domain's")


def _check_squads_own(path: str, seen: dict[str, int], values: dict[str, str]) -> Iterator[Finding]:
    """Yield the keys that trigger a domain of the project, but not one of a squad."""
    for key, value in values.items():
        name, suffix = split_key(key)
        if suffix in TRIGGERS or (suffix == "_ALWAYS_ON" and is_true(value) and name not in SPECIAL):
            what = f"{key} does nothing here: a squad's rules come with their words, or with the active squad"
            yield Finding(WARNING, path, seen[key], what, "remove the line, or move the domain to the project's rules")
        elif key == "DEVMODE" and is_true(value):
            what = "DEVMODE does nothing here: it is the project's"
            yield Finding(WARNING, path, seen[key], what, "move it to the project's manifest")


def _nearest(name: str, known: list[str]) -> str:
    """Return a question with the nearest of the ``known`` names, whatever their case, or ""."""
    proper = {one.lower(): one for one in known}
    close = difflib.get_close_matches(name.lower(), proper, 1)
    return f"; did you mean {proper[close[0]]}?" if close else ""
