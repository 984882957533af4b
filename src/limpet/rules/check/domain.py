"""Checks a domain file: lines that are no rule, prefixes of another domain, empty and overlong rules; names of
star-commands that cannot be typed, or that have a meaning of their own already."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from limpet.ground.formats.markdown import line_kinds
from limpet.ground.values import Value
from limpet.rules.format.constitution import Constitution, merge, read_constitution
from limpet.rules.format.domain import (
    BRACKETS,
    CHECK,
    DEED,
    FALSE_WORDS,
    PATHS,
    RESERVED,
    TELL,
    TRUE_WORDS,
    DomainText,
    command_name,
    find_commands,
    has_keys,
    is_about_rule,
    read_domain,
    read_lines,
    read_list,
    rule_number_of,
    split_rule,
    split_setting,
)
from limpet.rules.format.lines import KINDS, RUN, fault_in, read_check
from limpet.rules.format.manifest import split_key
from limpet.rules.layout import fault_of

LONGEST_RULE = 300
ERROR, WARNING = "error", "warning"


class Finding(Value):
    """A mistake in a rule file; ``line`` is 0 for the whole file, ``hint`` says how to fix it."""

    severity: str
    file: str
    line: int
    what: str
    hint: str

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        return f"{self.severity}: {self.where}: {self.what} ({self.hint})"


def check_domain(path: str, name: str, text: str) -> Iterator[Finding]:
    lines = read_lines(text)
    if not lines:
        yield Finding(WARNING, path, 0, f"{name} has no rules", "add one, or remove the file and its entry")
    if has_keys(name, lines):
        rules = [(number, value or "") for number, key, value in lines if not split_setting(key)[1]]
        yield from _check_lengths(path, rules)
        said = read_domain(name, text)
        yield from _check_keys(path, name, lines, said)
        yield from check_settings(path, text, said)
    else:
        content = text.splitlines()
        yield from _check_lengths(path, [(number, content[number - 1].strip()) for number, _, _ in lines])
    if name == "COMMANDS":
        yield from _check_commands(path, text)


def faults_of(value: str) -> Iterator[tuple[str, str, str]]:
    for glob in read_list(value):
        if fault := fault_of(glob):
            yield glob, fault, "correct the glob; it is ignored"


def check_settings(path: str, text: str, said: DomainText) -> Iterator[Finding]:
    foreign = {number for number, _ in said.foreign}
    lines = [(number, key, value) for number, key, value in read_lines(text) if value and number not in foreign]
    rules = {rule_number_of(key) for _, key, _ in lines}
    for number, key, value in lines:
        _, kind, rest = split_setting(key)
        if kind == PATHS:
            yield from (
                Finding(ERROR, path, number, f"{key}: {glob} {why}", hint) for glob, why, hint in faults_of(value)
            )
        elif kind == CHECK and rest == TELL:
            if (value or "").lower() not in (*TRUE_WORDS, *FALSE_WORDS):
                yield Finding(ERROR, path, number, f"invalid value {key}={value}, read as no", "write yes or no")
        elif kind == DEED and rest not in rules:
            yield Finding(WARNING, path, number, f"{key} belongs to no rule", "give it a rule's number")
        elif kind == CHECK:
            yield from _check_check(path, number, key, value or "", rest in rules)


def check_commands_agreed(path: str, said: DomainText, agreed: tuple[str, ...]) -> Iterator[Finding]:
    """``agreed``: names and command lines."""
    for number, rule, text in said.checks:
        check = read_check(text)
        if check and check.kind == RUN and check.what not in agreed:
            what = f"the check of rule {rule} runs {check.what!r}, which nobody agreed to"
            hint = "review it, then run `limpet config set rules.checks.NAME COMMAND`"
            yield Finding(WARNING, path, number, what, hint)


def check_constitution(path: str, text: str, shipped: Constitution) -> Iterator[Finding]:
    project = read_constitution(text)
    lines = _heading_lines(text)
    for number, what in project.problems:
        yield Finding(ERROR, path, number, what, "correct the heading")
    for _, what in merge(shipped, project.replace(problems=())).problems:
        numeral = what.partition(":")[0].rpartition(" ")[2]  # of "article V: ..."
        yield Finding(ERROR, path, lines.get(numeral, 0), what, "raise the severity, or keep the shipped one")
    severities = {article.number: article.severity for article in shipped.articles}
    for article in project.articles:
        if not article.duties and severities.get(article.number, article.severity) == article.severity:
            what = f"article {article.numeral} has no duties"
            yield Finding(WARNING, path, lines.get(article.numeral, 0), what, "write each duty on a line after '- '")
    if project.short or project.short_before_work or project.short_with_registry:
        what = "lines under 'In short' are ignored: the summary is Limpet's own"
        yield Finding(WARNING, path, 0, what, "write them as duties of an article")


def _check_lengths(path: str, rules: list[tuple[int, str]]) -> Iterator[Finding]:
    for number, rule in rules:
        if len(rule) > LONGEST_RULE:
            what = f"rule has {len(rule)} characters; long rules are cut first and followed least"
            yield Finding(WARNING, path, number, what, f"shorten it to {LONGEST_RULE}, or split it")


def _check_keys(path: str, name: str, lines: list[tuple[int, str, str | None]], said: DomainText) -> Iterator[Finding]:
    foreign = {number for number, _ in said.foreign}
    seen: dict[str, int] = {}
    group = False
    for number, key, value in lines:
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
    if is_about_rule(key):
        what = f"{key} is no rule; the line is ignored"
        return Finding(WARNING, path, number, what, "write what it says into the rule, or remove the line")
    if infix and name == "COMMANDS":
        what = f"{key} names no command, so it is never sent"
        return Finding(ERROR, path, number, what, "write [*name] on a line above it, or NAME_RULE_n")
    if infix:
        what = f"{key} has the prefix of another domain; the rule applies here anyway"
        return Finding(WARNING, path, number, what, f"rename {prefix} to {name}")
    what = f"{key[:60]!r} is not a rule key; the line is ignored"
    hint = "move it to the manifest" if split_key(key)[1] else f"write {name}_RULE_n=..."
    return Finding(ERROR, path, number, what, hint)


def _check_bracket(path: str, number: int, key: str) -> Iterator[Finding]:
    prefix, _, rest = split_rule(key)
    word = rest.partition("_")[0] if prefix == "CONTEXT" else prefix
    close = difflib.get_close_matches(word, BRACKETS, 1)
    if word not in BRACKETS and (prefix != "CONTEXT" or close):
        meant = f" (did you mean {close[0]}?)" if close else ""
        what = f"{key} names no bracket, so it applies in every bracket{meant}"
        yield Finding(WARNING, path, number, what, f"write {', '.join(BRACKETS)} or CONTEXT before _RULE_n")


def _check_commands(path: str, text: str) -> Iterator[Finding]:
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


def _check_check(path: str, number: int, key: str, value: str, has_rule: bool) -> Iterator[Finding]:
    fault = fault_in(value)
    if fault:
        kinds = ", ".join(f"{kind}:" for kind in KINDS)
        hint = (
            f"write {kinds} and what to look for, then perhaps: in GLOBS" if read_check(value) is None else "correct it"
        )
        yield Finding(ERROR, path, number, f"{key} {fault}; it is ignored", hint)
    if not has_rule:
        yield Finding(WARNING, path, number, f"{key} checks no rule", "give it the number of a rule, or remove it")


def _heading_lines(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    lines = text.splitlines()
    for number, (line, kind) in enumerate(zip(lines, line_kinds(lines), strict=True), 1):
        if not kind and line.strip().startswith("### "):
            found.setdefault(line.strip()[4:].partition(".")[0].strip(), number)
    return found
