"""Edits of a domain file's text and of the manifest's: pure functions that keep every other line byte for byte."""

from __future__ import annotations

from collections.abc import Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.rules.format.domain import (
    CHECK,
    DEED,
    command_name,
    has_keys,
    is_true,
    read_lines,
    read_list,
    short_name,
    split_rule,
    split_setting,
)
from limpet.rules.format.lines import (
    ended,
    insert,
    key_of,
    list_value_of,
    newline_of,
    remove_line,
    rename_key,
    set_key,
    value_of,
    with_line_value,
)
from limpet.rules.format.manifest import (
    AT_WORK,
    ON_DEMAND,
    PLAIN_KEYS,
    Domain,
    keys_of_list,
    name_of_file,
    read_manifest,
    split_key,
)

SWITCHED = {"active": "inactive", "true": "false", "yes": "no", "1": "0", "on": "off"}
ORDER = "DOMAIN_ORDER"
TRIGGERS = {"agent": "_AGENT_TRIGGER", "workflow": "_WORKFLOW_TRIGGER"}


class RuleLine(Value):
    """``place``: the number of its line, from 0. ``key``: "" in a file that holds a rule a line."""

    place: int
    key: str
    text: str


def rule_lines(name: str, text: str) -> tuple[RuleLine, ...]:
    lines = read_lines(text)
    if has_keys(name, lines):
        return tuple(RuleLine(number - 1, key, value) for number, key, value in lines if value)
    content = text.splitlines()
    return tuple(RuleLine(number - 1, "", content[number - 1].strip()) for number, _, _ in lines)


def find_rule(name: str, text: str, which: str) -> RuleLine:
    """``which``: a number or a key. Raises LimpetError where there is none."""
    rules = rule_lines(name, text)
    by_key = [rule for rule in rules if rule.key and rule.key == which.strip().upper()]
    if by_key:
        return by_key[-1]
    if which.strip().isdecimal() and int(which) < len(rules) and name != "COMMANDS":
        return rules[int(which)]
    if name == "COMMANDS":
        raise LimpetError(f"COMMANDS has no rule {which}", hint="Give its key, such as BRIEF_RULE_0.")
    known = f"its rules are 0 to {len(rules) - 1}" if rules else "it has none"
    raise LimpetError(f"{name} has no rule {which}: {known}", hint=f"Run: limpet rules show {name}")


def replace_rule(name: str, text: str, which: str, rule: str) -> str:
    """``which``: a number or a key. Raises LimpetError where there is none."""
    found = find_rule(name, text, which)
    if found.key and not split_rule(found.key)[1]:
        raise LimpetError(f"{found.key} is not a rule", hint="To change it in the file, run: limpet rules edit DOMAIN")
    _refuse_unreadable(name, rule, keyed=bool(found.key))
    lines = text.splitlines(keepends=True)
    line = lines[found.place]
    lines[found.place] = with_line_value(line, rule) if found.key else line.replace(line.strip(), rule)
    return "".join(lines)


def remove_rule_lines(name: str, text: str, which: Iterable[str]) -> str:
    """Their checks and deeds go too. ``which``: numbers or keys, all counted as they are before. Raises LimpetError for
    one that does not exist."""
    found = [find_rule(name, text, each) for each in which]
    also = {one.key.replace("_RULE_", f"_{kind}_") for one in found for kind in (CHECK, DEED) if "_RULE_" in one.key}
    gone = {one.place for one in found} | {number - 1 for number, key, _ in read_lines(text) if key in also}
    left = "".join(line for place, line in enumerate(text.splitlines(keepends=True)) if place not in gone)
    if read_lines(left) and has_keys(name, read_lines(text)) != has_keys(name, read_lines(left)):
        raise LimpetError(
            f"The remaining text of {name} would be read as rules", hint="Clean up the file in an editor first."
        )
    return left


def add_rule(name: str, text: str, rule: str) -> str:
    """After the last of its sort, under the next number. ``KEY=rule`` gives the key (FRESH_RULE_2, DEV_RULE_AUTH_6); in
    COMMANDS ``*name rule`` gives the command. Raises LimpetError."""
    lines = read_lines(text)
    if lines and not has_keys(name, lines):
        _refuse_unreadable(name, rule, keyed=False)
        content, end = text.splitlines(keepends=True), newline_of(text)
        after = 1 + max(place for place, line in enumerate(content) if line.strip())
        return "".join([*ended(content[:after], end), f"{rule}{end}", *content[after:]])
    text = with_own_numbers(name, text)
    key, said = _keyed(name, text, rule)
    if key in [found.key for found in rule_lines(name, text)]:
        raise LimpetError(f"{name} already has a rule {key}", hint=f"To replace it, use --rule {key}=TEXT.")
    _refuse_unreadable(name, said, keyed=True)
    stem = _stem(key)
    if any(value is not None and _stem(found) == stem for _, found, value in lines):
        return insert(text, [f"{key}={said}"], lambda found: _stem(found) == stem)
    return insert(text, [f"{key}={said}"], lambda found: name != "COMMANDS" and bool(split_rule(found)[1]))


def with_own_numbers(name: str, text: str) -> str:
    """Of the domain's rules to which two branches gave one number the later ones get the next free ones; where a check
    or a deed names the number, it stays for a person to say whose it is."""
    own = (name, short_name(name))
    settings = [split_setting(key) for _, key, value in read_lines(text) if value is not None]
    named = {f"{prefix}_RULE_{rest}" for prefix, kind, rest in settings if kind in (CHECK, DEED)}
    lines, seen = text.splitlines(keepends=True), set[str]()
    for place, line in enumerate(lines):
        key = key_of(line)
        if key in seen and split_rule(key)[0] in own and _stem(key) != key and key not in named:
            lines[place] = line.replace(key, _next("".join(lines), _stem(key)), 1)
        seen.add(key)
    return "".join(lines)


def add_deeds(name: str, text: str, rule: str, practices: Iterable[str]) -> str:
    """Have the rule said again where one of the practices of work begins; a file that holds a rule a line has no place
    for that."""
    key = next((one.key for one in reversed(rule_lines(name, text)) if one.text == rule and "_RULE_" in one.key), "")
    said = f"{key.replace('_RULE_', f'_{DEED}_')}={', '.join(practices)}"
    return insert(text, [said], lambda found: found == key) if key else text


def rename_prefix(text: str, old: str, new: str) -> str:
    """In every key, its short form (DEV for AGENT_DEV) to the new short one; other prefixes stay."""
    names = {old: new, short_name(old): short_name(new)}

    def renamed(key: str) -> str:
        prefix, infix, _ = split_rule(key) if split_rule(key)[1] else split_setting(key)
        return names[prefix] + key[len(prefix) :] if infix and prefix in names else key

    return rename_key(text, renamed)


def find_domain(text: str, name: str) -> Domain | None:
    return next((domain for domain in read_manifest(text).domains if domain.name == name), None)


def declare(text: str, name: str, values: dict[str, str]) -> str:
    """At the end of the manifest; ``values`` are those of its keys by suffix, without its state."""
    keys = [f"{name}_STATE=active", *(f"{name}{suffix}={value}" for suffix, value in values.items())]
    return insert(text, keys, lambda key: False)


def set_value(text: str, name: str, suffix: str, value: str) -> str:
    return set_key(text, f"{name}{suffix}", value, lambda key: _is_of(key, name))


def switch(text: str, name: str, on: bool) -> str:
    """In the words that its STATE uses; untouched where it is so already, and not only at work or on demand."""
    known = value_of(text, f"{name}_STATE").lower() or ("active" if find_domain(text, name) else "")
    if known and is_true(known) == on and known not in (AT_WORK, ON_DEMAND):
        return text
    words = SWITCHED if not on else {off: word for word, off in SWITCHED.items()}
    return set_value(text, name, "_STATE", words.get(known, "active" if on else "inactive"))


def own(text: str, name: str, other: str) -> str:
    """The domain's lines as another manifest has them, on, where this one says no more than its state."""
    if any(_is_of(key, name) and key != f"{name}_STATE" for _, key, _ in read_lines(text)):
        return text
    text = text if value_of(text, f"{name}_STATE") else declare(text, name, {})
    lines = [line for line in other.splitlines() if _is_of(key_of(line), name) and key_of(line) != f"{name}_STATE"]
    return insert(text, lines, lambda key: key == f"{name}_STATE")


def entries_of(text: str, name: str, suffix: str) -> tuple[str, ...]:
    found: list[str] = []
    for key in _lines_of_list(text, name, suffix):
        found += read_list(list_value_of(text, key))
    return tuple(found)


def replace_list(text: str, name: str, suffix: str, listed: Iterable[str]) -> str:
    further = set(_lines_of_list(text, name, suffix)) - {f"{name}{suffix}"}
    return remove_line(set_value(text, name, suffix, ", ".join(listed)), lambda key: key in further)


def change_list(text: str, name: str, suffix: str, added: Iterable[str], removed: Iterable[str]) -> str:
    """Entries are added unless they are there already, and others removed, each from the line that has it."""
    gone = {entry.lower() for entry in removed}
    for key in _lines_of_list(text, name, suffix):
        old = list_value_of(text, key)
        kept = [part for part in old.split(",") if part.strip() and part.strip().lower() not in gone]
        listed = ",".join(kept).strip()
        if read_list(listed) != read_list(old):
            text = set_value(text, name, key.removeprefix(name), listed)
    known = {entry.lower() for entry in entries_of(text, name, suffix)}
    new = [f" {entry}" for entry in added if entry.lower() not in known]
    old = list_value_of(text, f"{name}{suffix}")
    kept = [part for part in old.split(",") if part.strip()]
    return set_value(text, name, suffix, ",".join([*kept, *new]).strip()) if new else text


def remove_domain(text: str, name: str) -> str:
    lines = {key for _, key, value in read_lines(text) if name_of_file(key, value or "") == name}
    return _reorder(remove_line(text, lambda key: key in lines or _is_of(key, name)), name, "")


def rename_domain(text: str, old: str, new: str) -> str:
    """Everything else stays: triggers that the old name implied, or the new one would, are written out."""
    was = find_domain(text, old)
    renamed = rename_key(text, lambda key: new + key[len(old) :] if _is_of(key, old) else key)
    renamed = _reorder(renamed, old, new)
    now = find_domain(renamed, new)
    for field, suffix in TRIGGERS.items():
        if was and now and getattr(was, field) != getattr(now, field):
            renamed = set_value(renamed, new, suffix, getattr(was, field))
    return renamed


def _keyed(name: str, text: str, rule: str) -> tuple[str, str]:
    key, divider, said = rule.partition("=")
    if divider and (split_rule(key)[1] or split_setting(key.strip().upper())[1]) and " " not in key.strip():
        return key.strip().upper(), said.strip()
    if name != "COMMANDS":
        return _next(text, _own_stem(name, text)), rule
    command, _, said = rule.partition(" ")
    if not command.startswith("*") or not command[1:].replace("-", "").isalnum() or not said.strip():
        raise LimpetError("A rule of COMMANDS needs a command", hint="Write '*name text of the rule'.")
    return _next(text, _command_stem(text, command_name(command[1:]))), said.strip()


def _own_stem(name: str, text: str) -> str:
    own = (name, short_name(name))
    used = [_stem(rule.key) for rule in rule_lines(name, text) if split_rule(rule.key)[0] in own]
    plain = [stem for stem in used if stem.endswith("_RULE")]
    return plain[-1] if plain else f"{own[1]}_RULE"


def _command_stem(text: str, command: str) -> str:
    name = command.upper().replace("-", "_")
    written = f"COMMANDS_RULE_{name}"
    return written if any(_stem(rule.key) == written for rule in rule_lines("COMMANDS", text)) else f"{name}_RULE"


def _stem(key: str) -> str:
    stem, divider, number = key.rpartition("_")
    return stem if divider and number.isdecimal() else key


def _next(text: str, stem: str) -> str:
    keys = [key for _, key, value in read_lines(text) if value is not None and _stem(key) == stem]
    numbers = [int(key.rpartition("_")[2]) for key in keys if key.rpartition("_")[2].isdecimal()]
    return f"{stem}_{max(numbers, default=-1) + 1}"


def _refuse_unreadable(name: str, rule: str, keyed: bool) -> None:
    if keyed and name == "COMMANDS" and rule.startswith("[*"):
        raise LimpetError("A rule cannot start with [*, which opens a command", hint="Start it with a word.")
    if not keyed and rule.startswith("#"):
        raise LimpetError("A rule cannot start with #, which starts a comment", hint="Start it with a word.")
    if not keyed and has_keys(name, read_lines(rule)):
        raise LimpetError(
            f"A rule cannot start with {rule.partition('=')[0]}=, which makes it a key", hint="Reword its start."
        )


def _lines_of_list(text: str, name: str, suffix: str) -> list[str]:
    return keys_of_list((key for _, key, value in read_lines(text) if value is not None), name, suffix)


def _is_of(key: str, name: str) -> bool:
    found, suffix = split_key(key)
    return found == name and bool(suffix) and key not in PLAIN_KEYS


def _reorder(text: str, old: str, new: str) -> str:
    parts = list_value_of(text, ORDER).split(",")
    if old not in [part.strip() for part in parts]:
        return text
    named = [part.replace(old, new) if part.strip() == old else part for part in parts]
    return set_key(text, ORDER, ",".join(part for part in named if part.strip()).strip(), lambda key: False)
