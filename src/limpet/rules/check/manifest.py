"""Checks manifests and squads: unknown keys, names of domains, switches, triggers, and entries that have no effect."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from limpet.ground.errors import LimpetError
from limpet.ground.formats.schema import nearest
from limpet.roles.roster import AGENTS, ALIASES
from limpet.rules.check.domain import ERROR, WARNING, Finding, faults_of
from limpet.rules.format.domain import FALSE_WORDS, TRUE_WORDS, is_true, read_lines, read_list, split_rule
from limpet.rules.format.manifest import (
    AT_WORK,
    KEYWORD_LISTS,
    LISTED,
    ON_DEMAND,
    PLAIN_KEYS,
    SPECIAL,
    SUFFIXES,
    Domain,
    is_listed,
    keys_of_list,
    list_of,
    name_of_file,
    read_manifest,
    split_key,
)
from limpet.rules.layout import LIMPET, SQUAD_FILE
from limpet.rules.matching import DEEDS, ENOUGH, EXCLUDE, WAYS, build_index, find_matches, split_signs
from limpet.rules.naming import can_match, domain_file_name, spell
from limpet.rules.plan.places import plain_rule_name
from limpet.rules.plan.plan import EXTEND, MODES, squad_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.rules.matching import Index

SWITCHES = ("_STATE", "_ALWAYS_ON", "_NON_NEGOTIABLE", "DEVMODE")
STATES = (AT_WORK, ON_DEMAND)
TRIGGERS = ("_AGENT_TRIGGER", "_WORKFLOW_TRIGGER", "_COMES_WITH", "_WHEN")
# Characters of what a domain is to be read before.
LONGEST_WHEN = 100
ALWAYS = (*SPECIAL.values(), "always")
# How like a shipped agent's name one has to be to be taken for a misspelling of it.
NEARLY = 0.75
# The key in one line with others, or in quotes; in the hook, where this runs too, there is no YAML reader.
SHARED_LINE = re.compile(r"""^[^#]*(?:[{,]\s*["']?|^\s*["'])extends["']?\s*:""")
# So few keywords are sentences all of which matching looks at.
GROUP = 50


def check_manifest(
    path: str, text: str, is_agent: Callable[[str], bool], squad: bool = False, with_paths: Container[str] = ()
) -> Iterator[Finding]:
    """``with_paths``: the domains that load by what stands elsewhere: in their own files, or in the package."""
    manifest = read_manifest(text)
    domains = manifest.domains
    seen: dict[str, int] = {}
    entries = read_lines(text)
    for number, key, value in entries:
        if value is None:
            yield Finding(ERROR, path, number, f"no = in {key[:60]!r}", "write KEY=VALUE, or # before a comment")
            continue
        if key in seen:
            is_list = key in LISTED or is_listed(split_key(key)[1])
            what = f"{key} is already in line {seen[key]}; {'both count' if is_list else 'only this one applies'}"
            yield Finding(WARNING if is_list else ERROR, path, number, what, "keep one of the two")
        seen[key] = number
        for severity, what, hint in _check_entry(key, value, domains):
            yield Finding(severity, path, number, what, hint)
    lines = first_lines(text)
    yield from _check_names(path, domains, lines)
    values = {key: value for _, key, value in entries if value}
    for domain, keyword, what in check_exclusions(domains, manifest.global_exclude):
        hint = "remove one of the two, or exclude a longer phrase"
        keys = keys_of_list(values, domain.name, "_RECALL")
        line = next(seen[key] for key in keys if keyword in read_list(values[key]))
        yield Finding(WARNING, path, line, what, hint)
    for domain in () if squad else domains:
        yield from _check_domain(path, domain, seen, lines[domain.name], is_agent)
        hears = (domain.recall or len(domain.hints) >= ENOUGH) and not domain.on_demand
        comes = hears or domain.paths or domain.comes_with or domain.when
        if domain.kind == "keyword" and not (comes or domain.name in with_paths):
            what = f"{domain.name} never loads: no keyword calls it, it has no trigger, and is not always on"
            hint = f"limpet rules edit {domain.name.lower()} --recall WORDS, --paths GLOBS or --always-on"
            yield Finding(WARNING, path, lines[domain.name], what, hint)
        yield from _check_pointless(path, domain, seen, values)
    if squad:
        yield from _check_squads_own(path, seen, values)


def first_lines(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, key, value in read_lines(text):
        if value is not None and key not in PLAIN_KEYS:
            found.setdefault(name_of_file(key, value) or split_key(key)[0], number)
    return found


def squads_in(texts: Mapping[str, str]) -> list[str]:
    return [found[0] for squad in _folders(texts) if (found := _with_manifest(squad, texts))]


def check_squads(texts: Mapping[str, str]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for squad in _folders(texts):
        own = squad_id(squad.rpartition("/")[2])
        if own in first:
            same = f"same squad name as {first[own]} ({own})"
            what = f"{same}; only the first can be active, and older domains keep their names"
            yield Finding(ERROR, squad, 0, what, "rename one of the folders")
        first.setdefault(own, squad)
        yield from _check_folders(squad, texts)
        yield from _check_yaml(f"{squad}/{SQUAD_FILE}", texts)
        yield from _check_mode(f"{squad}/{SQUAD_FILE}", texts)
    for rules in (LIMPET.folder, *squads_in(texts)):
        yield from _check_extends(f"{rules}/{LIMPET.manifest}", texts, is_squad=rules != LIMPET.folder)


def check_list(value: str) -> Iterator[tuple[str, str, str]]:
    if value and any(not part.strip() for part in value.split(",")):
        yield WARNING, "empty keyword is ignored", "remove the extra comma"
    for keyword in read_list(value):
        if not can_match(keyword):
            yield ERROR, f"keyword {keyword!r} can never match", "it needs a letter or a digit"
        elif " #" in keyword:
            what = f"# after a value does not start a comment: the keyword is {keyword!r}"
            yield ERROR, what, "put the comment on a line of its own"
        elif ";" in keyword:
            yield WARNING, f"{keyword!r} is one keyword: ; does not separate keywords", "separate keywords by commas"


def check_exclusions(domains: Iterable[Domain], everywhere: Sequence[str]) -> Iterator[tuple[Domain, str, str]]:
    called = [domain for domain in domains if domain.recall]
    # The domain, "" for every one, the way of matching, and the entry.
    entries: list[tuple[str, str, str]] = []
    for way in WAYS:
        entries += [("", way, entry) for entry in everywhere]
    for domain in called:
        entries += [(domain.name, domain.match or WAYS[0], entry) for entry in domain.exclude]
    index = build_index((place, EXCLUDE, entry, way) for place, (_, way, entry) in enumerate(entries))
    for domain in called:
        for keyword in _suspects(index, domain.recall):
            found = [entries[place] for place in sorted(find_matches(index, split_signs(keyword)[1])[1])]
            for name in ("", domain.name):
                said = [entry for one, way, entry in found if one == name and way == (domain.match or WAYS[0])]
                key = f"{name or 'GLOBAL'}_EXCLUDE"
                for entry in said[:1]:
                    yield domain, keyword, f"keyword {keyword!r} never activates {domain.name}: {key} has {entry!r}"


def _check_names(path: str, domains: tuple[Domain, ...], lines: Mapping[str, int]) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for domain in sorted(domains, key=lambda one: lines[one.name]):
        line, known = lines[domain.name], first.setdefault(plain_rule_name(domain.name), domain.name)
        proper = "_".join(spell(domain.name).split())
        if known != domain.name:
            what = f"{domain.name} is another spelling of {known} in line {lines[known]}; the file is sent twice"
            yield Finding(ERROR, path, line, what, f"write {proper} in every key")
        elif proper != domain.name:
            what = f"commands cannot address {domain.name}: they read it as {proper}"
            yield Finding(WARNING, path, line, what, f"write {proper} in every key")


def _check_entry(key: str, value: str, domains: tuple[Domain, ...]) -> Iterator[tuple[str, str, str]]:
    name, suffix = (key, key) if key in PLAIN_KEYS else split_key(key)
    if name_of_file(key, value):
        return
    if not suffix and split_rule(key)[1]:
        hint = f"move it to {domain_file_name(split_rule(key)[0])}"
        yield ERROR, f"{key} is a rule; rules in the manifest are ignored", hint
    elif not suffix:
        known = [*PLAIN_KEYS]
        for domain in domains:
            known += [f"{domain.name}{suffix}" for suffix in SUFFIXES]
        yield ERROR, f"unknown key {key!r}{nearest(key, known)}", "correct or remove it"
    elif key == "CONSTITUTION_STATE" and value.lower() in FALSE_WORDS:
        yield ERROR, "the constitution cannot be switched off; it stays active", "remove the line"
    elif suffix in SWITCHES and value.lower() not in (*TRUE_WORDS, *FALSE_WORDS, *STATES[: 2 * (suffix == "_STATE")]):
        states = f"write active, inactive, {AT_WORK} (only while work is active) or {ON_DEMAND} (no keyword calls it)"
        hint = states if suffix == "_STATE" else "write true or false"
        yield ERROR, f"invalid value {key}={value}, read as off", hint
    elif suffix == "_MATCH" and value.lower() not in WAYS:
        yield ERROR, f"invalid value {key}={value}", f"write {', '.join(WAYS[:2])} or {WAYS[2]}"
    elif list_of(suffix) or key == "GLOBAL_EXCLUDE":
        yield from check_list(value)
    elif suffix == "_COMES_WITH":
        for deed in read_list(value.lower()):
            if deed not in DEEDS:
                yield ERROR, f"{key} has the unknown {deed!r}{nearest(deed, DEEDS)}", f"write {' or '.join(DEEDS)}"
    elif suffix == "_WHEN" and len(value) > LONGEST_WHEN:
        what = f"{key} has {len(value)} characters, and is read at every start"
        yield WARNING, what, f'shorten it to {LONGEST_WHEN}: the end of "Before you ..."'
    elif suffix == "_PATHS":
        yield from ((ERROR, f"{key}: {glob} {fault}", hint) for glob, fault, hint in faults_of(value))
    elif key == "DOMAIN_ORDER":
        known = [domain.name for domain in domains]
        for entry in read_list(value):
            if entry not in known:
                what = f"DOMAIN_ORDER names the unknown domain {entry}{nearest(entry, known)}"
                yield ERROR, what, "correct or remove it"


def _check_domain(
    path: str, domain: Domain, seen: dict[str, int], line: int, is_agent: Callable[[str], bool]
) -> Iterator[Finding]:
    if not domain.agent or is_agent(domain.agent):
        pass
    elif not domain.declares:
        place = seen.get(f"{domain.name}_AGENT_TRIGGER", line)
        what = f"unknown agent {domain.agent}: {domain.name} never loads"
        yield Finding(ERROR, path, place, what, "use an id or alias from `limpet work agent show`")
    elif close := difflib.get_close_matches(domain.agent, (*AGENTS, *ALIASES), 1, NEARLY):
        what = f"{domain.name} declares the agent {domain.agent}; did you mean {close[0]}?"
        yield Finding(WARNING, path, line, what, f"rename it, or keep it: limpet work agent activate {domain.agent}")
    if 0 < len(domain.hints) < ENOUGH:
        key = keys_of_list(seen, domain.name, "_HINTS")[0]
        what = f"{key} has no effect: hints need words of {ENOUGH} lines"
        yield Finding(WARNING, path, seen[key], what, f"add another line, such as {domain.name}_HINTS_B=words")


def _check_pointless(path: str, domain: Domain, seen: dict[str, int], values: dict[str, str]) -> Iterator[Finding]:
    pointless = (*KEYWORD_LISTS, "_PATHS", *TRIGGERS) if domain.name in SPECIAL else ("_EXCLUDE", "_PATHS")
    for key in values if domain.kind in ALWAYS else ():
        name, suffix = split_key(key)
        known = list_of(suffix) or suffix
        if name == domain.name and known in pointless and f"{name}{known}" not in PLAIN_KEYS:
            which = "paths" if known == "_PATHS" else "keywords and triggers"
            what = f"{key} has no effect: {which} do not apply to {domain.name}"
            yield Finding(WARNING, path, seen[key], what, "remove the line, or move it to another domain")


def _check_squads_own(path: str, seen: dict[str, int], values: dict[str, str]) -> Iterator[Finding]:
    for key, value in values.items():
        name, suffix = split_key(key)
        if suffix in TRIGGERS or (suffix == "_ALWAYS_ON" and is_true(value) and name not in SPECIAL):
            what = f"{key} has no effect in a squad: its rules load by keywords, or while the squad is active"
            yield Finding(WARNING, path, seen[key], what, "remove the line, or move the domain to the project's rules")
        elif key == "DEVMODE" and is_true(value):
            what = "DEVMODE has no effect in a squad"
            yield Finding(WARNING, path, seen[key], what, "move it to the project's manifest")


def _folders(texts: Mapping[str, str]) -> list[str]:
    inside = [path.split("/") for path in texts if path.startswith(f"{LIMPET.squads}/")]
    return sorted({"/".join(parts[:2]) for parts in inside})


def _with_manifest(squad: str, texts: Mapping[str, str]) -> list[str]:
    rules = [f"{squad}/{each}" for each in LIMPET.squad_rules]
    return [each for each in rules if f"{each}/{LIMPET.manifest}" in texts]


def _check_folders(squad: str, texts: Mapping[str, str]) -> Iterator[Finding]:
    found = _with_manifest(squad, texts)
    for rules in (f"{squad}/{each}" for each in LIMPET.squad_rules):
        if rules in found[1:]:
            what = f"ignored: {found[0]} is this squad's rules folder"
            yield Finding(WARNING, rules, 0, what, "merge the two folders")
        elif not found and any(path.startswith(f"{rules}/") for path in texts):
            what = "no manifest, so this squad's rules are not loaded"
            yield Finding(ERROR, rules, 0, what, f"create {rules}/{LIMPET.manifest}")


def _check_yaml(path: str, texts: Mapping[str, str]) -> Iterator[Finding]:
    """The hook, where this runs too, has no YAML reader."""
    try:
        from limpet.ground.formats.yaml_text import load_yaml
    except ImportError:
        return
    try:
        found = load_yaml(texts.get(path, ""), path)
    except LimpetError as error:
        line = error.where.rpartition(":")[2]
        number = int(line) if line.isdecimal() else 0
        yield Finding(ERROR, path, number, f"is not valid YAML: {error.what}", "correct the line")
        return
    if found is not None and not isinstance(found, dict):
        yield Finding(ERROR, path, 0, "is not a mapping of keys to values", "write `name: ...` and `extends: ...`")


def _check_mode(path: str, texts: Mapping[str, str]) -> Iterator[Finding]:
    """The ``extends:`` line is found as the prompt hook finds it."""
    found = False
    for number, line in enumerate(texts.get(path, "").splitlines(), 1):
        key, divider, value = line.strip().partition(":")
        if divider and key == "extends":
            found = True
            yield from _check_word(path, number, value.partition("#")[0].strip(" '\""))
    for number, line in enumerate(texts.get(path, "").splitlines(), 1):
        if not found and SHARED_LINE.search(line):
            what = f"extends must be on its own line; using {EXTEND}"
            yield Finding(ERROR, path, number, what, "write extends: MODE on its own line")


def _check_extends(manifest: str, texts: Mapping[str, str], is_squad: bool) -> Iterator[Finding]:
    for number, key, value in read_lines(texts.get(manifest, "")):
        if value is None or split_key(key)[1] != "_EXTENDS":
            continue
        if is_squad:
            yield from _check_word(manifest, number, value)
        else:
            what = f"{key} has no effect here: only a squad extends or overrides"
            yield Finding(WARNING, manifest, number, what, "move it to the squad's manifest, or remove it")


def _check_word(path: str, number: int, word: str) -> Iterator[Finding]:
    if word.lower() not in MODES:
        what = f"unknown mode of extends: {word!r}{nearest(word.lower(), MODES)}; using {EXTEND}"
        yield Finding(ERROR, path, number, what, f"write {', '.join(MODES[:2])} or {MODES[2]}")


def _suspects(index: Index, keywords: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(keywords), GROUP):
        group = keywords[start : start + GROUP]
        if find_matches(index, "\n".join(split_signs(keyword)[1] for keyword in group))[1]:
            yield from group
