"""Checks a domain file: lines that are no rule, prefixes of another domain, empty and overlong rules; names of
star-commands that cannot be typed, or that have a meaning of their own already."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from limpet.rules.check.files import check_settings
from limpet.rules.check.finding import ERROR, WARNING, Finding
from limpet.rules.format.domain import BRACKETS, command_name, has_keys, read_domain, split_rule, split_setting
from limpet.rules.format.key_value import FALSE_WORDS, TRUE_WORDS, read_lines
from limpet.rules.format.manifest import split_key
from limpet.rules.format.star_commands import RESERVED, find_commands

LONGEST_RULE = 300


def check_domain(path: str, name: str, text: str) -> Iterator[Finding]:
    """Yield the findings in the text of the domain ``name``; ``path`` stands for its file in them."""
    lines = read_lines(text)
    if not lines:
        yield Finding(WARNING, path, 0, f"{name} has no rules", "add one, or remove the file and its entry")
    if has_keys(name, lines):
        rules = [(number, value or "") for number, key, value in lines if not split_setting(key)[1]]
        yield from _check_lengths(path, rules)
        yield from _check_keys(path, name, text)
        yield from check_settings(path, text, read_domain(name, text))
    else:
        content = text.splitlines()
        yield from _check_lengths(path, [(number, content[number - 1].strip()) for number, _, _ in lines])
    if name == "COMMANDS":
        yield from _check_commands(path, text)


def _check_lengths(path: str, rules: list[tuple[int, str]]) -> Iterator[Finding]:
    for number, rule in rules:
        if len(rule) > LONGEST_RULE:
            what = f"rule has {len(rule)} characters; long rules are cut first and followed least"
            yield Finding(WARNING, path, number, what, f"shorten it to {LONGEST_RULE}, or split it")


def _check_keys(path: str, name: str, text: str) -> Iterator[Finding]:
    foreign = {number for number, _ in read_domain(name, text).foreign}
    seen: dict[str, int] = {}
    group = False
    for number, key, value in read_lines(text):
        group = group or (name == "COMMANDS" and key.startswith("[*"))
        if value is None:
            if not group:
                yield Finding(
                    ERROR, path, number, f"no = in {key[:60]!r}; the line is ignored", f"write {name}_RULE_n=..."
                )
            continue
        if not value:
            yield Finding(WARNING, path, number, f"{key} is empty", "write the rule, or remove the line")
        elif key.endswith("_RULES") and key[:-6] in BRACKETS:
            if value.lower() not in (*TRUE_WORDS, *FALSE_WORDS):
                what = f"invalid value {key}={value[:60]}, read as off"
                yield Finding(ERROR, path, number, what, "write true or false")
        elif name == "CONTEXT" and split_rule(key)[1]:
            yield from _check_bracket(path, number, key)
        elif number in foreign:
            yield _foreign(path, name, number, key)
        if key in seen:
            both = "both apply" if split_setting(key)[1] else "both rules apply"
            what = f"{key} is already in line {seen[key]}; {both}"
            yield Finding(WARNING, path, number, what, "renumber them, or remove one")
        seen[key] = number


def _foreign(path: str, name: str, number: int, key: str) -> Finding:
    prefix, infix, _ = split_rule(key)
    if infix:
        what = f"{key} has the prefix of another domain; the rule applies here anyway"
        return Finding(WARNING, path, number, what, f"rename {prefix} to {name}")
    what = f"{key[:60]!r} is not a rule key; the line is ignored"
    hint = "move it to the manifest" if split_key(key)[1] else f"write {name}_RULE_n=..."
    return Finding(ERROR, path, number, what, hint)


def _check_bracket(path: str, number: int, key: str) -> Iterator[Finding]:
    """Yield a rule of CONTEXT that no bracket claims, though its key looks as if one should."""
    prefix, _, rest = split_rule(key)
    word = rest.partition("_")[0] if prefix == "CONTEXT" else prefix
    close = difflib.get_close_matches(word, BRACKETS, 1)
    if word not in BRACKETS and (prefix != "CONTEXT" or close):
        meant = f" (did you mean {close[0]}?)" if close else ""
        what = f"{key} names no bracket, so it applies in every bracket{meant}"
        yield Finding(WARNING, path, number, what, f"write {', '.join(BRACKETS)} or CONTEXT before _RULE_n")


def _check_commands(path: str, text: str) -> Iterator[Finding]:
    """Yield the findings on the names of commands that headers open, or that rules belong to, each name once."""
    content = text.splitlines()
    first: dict[str, int] = {}
    for number, key, _ in read_lines(text):
        headed = key.startswith("[*") and "]" in key
        names = [command_name(key[2 : key.index("]")].strip())] if headed else []
        for name in names or read_domain("COMMANDS", content[number - 1]).commands:
            first.setdefault(name, number)
    for name, number in first.items():
        what = ""
        if name in RESERVED:
            what = f"*{name} is a built-in command: these lines are never sent"
        elif not find_commands(f"*{name}", (name,)):
            what = f"*{name} is not a valid command name: use letters, digits, - and _, starting with a letter"
        if what:
            yield Finding(ERROR, path, number, what, "give the command another name")
