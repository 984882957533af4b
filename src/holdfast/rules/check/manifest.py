"""Checks a manifest: unknown keys, names of domains, switches, triggers, and entries that have no effect."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Container, Iterator, Mapping

from holdfast.ground.formats.schema import nearest
from holdfast.roles.roster import AGENTS, ALIASES
from holdfast.rules.check.files import faults_of
from holdfast.rules.check.finding import ERROR, WARNING, Finding
from holdfast.rules.check.keywords import check_exclusions, check_list
from holdfast.rules.format.domain import split_rule
from holdfast.rules.format.key_value import FALSE_WORDS, TRUE_WORDS, is_true, read_lines, read_list
from holdfast.rules.format.manifest import (
    AT_WORK,
    KEYWORD_LISTS,
    PLAIN_KEYS,
    SPECIAL,
    SUFFIXES,
    Domain,
    list_of,
    read_manifest,
    split_key,
)
from holdfast.rules.matching import ENOUGH, WAYS
from holdfast.rules.naming import file_name, spell
from holdfast.rules.plan.sources import plain_name

SWITCHES = ("_STATE", "_ALWAYS_ON", "_NON_NEGOTIABLE", "DEVMODE")
_SWITCH_HINTS = {"_STATE": "write active, inactive, or work (active while work is active)"}
TRIGGERS = ("_AGENT_TRIGGER", "_WORKFLOW_TRIGGER")
ALWAYS = (*SPECIAL.values(), "always")
# How like a shipped agent's name one has to be to be taken for a misspelling of it.
NEARLY = 0.75


def check_manifest(
    path: str, text: str, is_agent: Callable[[str], bool], squad: bool = False, with_paths: Container[str] = ()
) -> Iterator[Finding]:
    """Yield the findings in a manifest's text, the project's or a ``squad``'s; ``path`` stands for it in them.

    ``with_paths``: the domains whose own files name files that call them.
    """
    manifest = read_manifest(text)
    domains = manifest.domains
    seen: dict[str, int] = {}
    for number, key, value in read_lines(text):
        if value is None:
            yield Finding(ERROR, path, number, f"no = in {key[:60]!r}", "write KEY=VALUE, or # before a comment")
            continue
        if key in seen:
            what = f"{key} is already in line {seen[key]}; only this one applies"
            yield Finding(ERROR, path, number, what, "keep one of the two")
        seen[key] = number
        for severity, what, hint in _check_entry(key, value, domains):
            yield Finding(severity, path, number, what, hint)
    lines = first_lines(text)
    yield from _check_names(path, domains, lines)
    values = {key: value for _, key, value in read_lines(text) if value}
    for domain, keyword, what in check_exclusions(domains, manifest.global_exclude):
        hint = "remove one of the two, or exclude a longer phrase"
        yield Finding(WARNING, path, _line_of(domain.name, keyword, seen, values), what, hint)
    for domain in () if squad else domains:
        yield from _check_domain(path, domain, seen, lines[domain.name], is_agent)
        if domain.kind == "keyword" and not (_hears(domain) or domain.paths or domain.name in with_paths):
            what = f"{domain.name} never loads: it has no keywords and no trigger, and is not always on"
            hint = f"add {domain.name}_RECALL=words, {domain.name}_PATHS=globs or {domain.name}_ALWAYS_ON=true"
            yield Finding(WARNING, path, lines[domain.name], what, hint)
        yield from _check_hints(path, domain, seen)
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


def _check_names(path: str, domains: tuple[Domain, ...], lines: Mapping[str, int]) -> Iterator[Finding]:
    """Yield the findings on the domains of a manifest; ``path`` stands for it in them, ``lines`` says where each
    begins."""
    first: dict[str, str] = {}
    for domain in sorted(domains, key=lambda one: lines[one.name]):
        line, known = lines[domain.name], first.setdefault(plain_name(domain.name), domain.name)
        proper = "_".join(spell(domain.name).split())
        if known != domain.name:
            what = f"{domain.name} is another spelling of {known} in line {lines[known]}; the file is sent twice"
            yield Finding(ERROR, path, line, what, f"write {proper} in every key")
        elif proper != domain.name:
            what = f"commands cannot address {domain.name}: they read it as {proper}"
            yield Finding(WARNING, path, line, what, f"write {proper} in every key")


def _hears(domain: Domain) -> bool:
    """Return whether words can call the domain."""
    return bool(domain.recall) or len(domain.hints) >= ENOUGH


def _line_of(name: str, keyword: str, seen: dict[str, int], values: dict[str, str]) -> int:
    """Return the line that has this keyword of the domain."""
    keys = (key for key in values if split_key(key)[0] == name and list_of(split_key(key)[1]) == "_RECALL")
    return next(seen[key] for key in keys if keyword in read_list(values[key]))


def _check_entry(key: str, value: str, domains: tuple[Domain, ...]) -> Iterator[tuple[str, str, str]]:
    name, suffix = (key, key) if key in PLAIN_KEYS else split_key(key)
    if not suffix and split_rule(key)[1]:
        yield (
            ERROR,
            f"{key} is a rule; rules in the manifest are ignored",
            f"move it to {file_name(split_rule(key)[0])}",
        )
    elif not suffix:
        known = [*PLAIN_KEYS, *(f"{domain.name}{suffix}" for domain in domains for suffix in SUFFIXES)]
        yield ERROR, f"unknown key {key!r}{nearest(key, known)}", "correct or remove it"
    elif key == "CONSTITUTION_STATE" and value.lower() in FALSE_WORDS:
        yield ERROR, "the constitution cannot be switched off; it stays active", "remove the line"
    elif suffix in SWITCHES and value.lower() not in (*TRUE_WORDS, *FALSE_WORDS, *([AT_WORK] * (suffix == "_STATE"))):
        yield (
            ERROR,
            f"invalid value {key}={value}, read as off",
            _SWITCH_HINTS.get(suffix, "write true or false"),
        )
    elif suffix == "_MATCH" and value.lower() not in WAYS:
        yield ERROR, f"invalid value {key}={value}", f"write {', '.join(WAYS[:2])} or {WAYS[2]}"
    elif list_of(suffix) or key == "GLOBAL_EXCLUDE":
        yield from check_list(value)
    elif suffix == "_PATHS":
        yield from ((ERROR, f"{key}: {glob} {fault}", hint) for glob, fault, hint in faults_of(value))
    elif key == "DOMAIN_ORDER":
        yield from _check_order(value, [domain.name for domain in domains])


def _check_order(value: str, known: list[str]) -> Iterator[tuple[str, str, str]]:
    for entry in read_list(value):
        if entry not in known:
            what = f"DOMAIN_ORDER names the unknown domain {entry}{nearest(entry, known)}"
            yield ERROR, what, "correct or remove it"


def _check_domain(
    path: str, domain: Domain, seen: dict[str, int], line: int, is_agent: Callable[[str], bool]
) -> Iterator[Finding]:
    if domain.declares and not is_agent(domain.agent):
        yield from _check_own_agent(path, domain, line)
    elif domain.agent and not is_agent(domain.agent):
        place = seen.get(f"{domain.name}_AGENT_TRIGGER", line)
        what = f"unknown agent {domain.agent}: {domain.name} never loads"
        yield Finding(ERROR, path, place, what, "use an id or alias from `holdfast agent list`")


def _check_own_agent(path: str, domain: Domain, line: int) -> Iterator[Finding]:
    """Yield an agent of the project's own that may be a misspelt shipped one."""
    close = difflib.get_close_matches(domain.agent, (*AGENTS, *ALIASES), 1, NEARLY)
    if close:
        what = f"{domain.name} declares the agent {domain.agent}; did you mean {close[0]}?"
        yield Finding(WARNING, path, line, what, f"rename it, or keep it: holdfast agent activate {domain.agent}")


def _check_hints(path: str, domain: Domain, seen: dict[str, int]) -> Iterator[Finding]:
    """Yield a line of hints that never counts, because it has no other beside it."""
    if 0 < len(domain.hints) < ENOUGH:
        key = next(key for key in seen if split_key(key)[0] == domain.name and list_of(split_key(key)[1]) == "_HINTS")
        what = f"{key} has no effect: hints need words of {ENOUGH} lines"
        yield Finding(WARNING, path, seen[key], what, f"add another line, such as {domain.name}_HINTS_B=words")


def _check_pointless(path: str, domain: Domain, seen: dict[str, int], values: dict[str, str]) -> Iterator[Finding]:
    """Yield keywords and triggers of a domain that comes whatever they say."""
    pointless = (*KEYWORD_LISTS, "_PATHS", *TRIGGERS) if domain.name in SPECIAL else ("_EXCLUDE", "_PATHS")
    for key in values if domain.kind in ALWAYS else ():
        name, suffix = split_key(key)
        known = list_of(suffix) or suffix
        if name == domain.name and known in pointless and f"{name}{known}" not in PLAIN_KEYS:
            which = "paths" if known == "_PATHS" else "keywords and triggers"
            what = f"{key} has no effect: {which} do not apply to {domain.name}"
            yield Finding(WARNING, path, seen[key], what, "remove the line, or move it to another domain")


def _check_squads_own(path: str, seen: dict[str, int], values: dict[str, str]) -> Iterator[Finding]:
    """Yield the keys that trigger a domain of the project, but not one of a squad."""
    for key, value in values.items():
        name, suffix = split_key(key)
        if suffix in TRIGGERS or (suffix == "_ALWAYS_ON" and is_true(value) and name not in SPECIAL):
            what = f"{key} has no effect in a squad: its rules load by keywords, or while the squad is active"
            yield Finding(WARNING, path, seen[key], what, "remove the line, or move the domain to the project's rules")
        elif key == "DEVMODE" and is_true(value):
            what = "DEVMODE has no effect in a squad"
            yield Finding(WARNING, path, seen[key], what, "move it to the project's manifest")
