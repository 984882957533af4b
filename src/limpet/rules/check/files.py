"""Checks what a rule has to do with files: the globs that call it, and how it is checked."""

from __future__ import annotations

from collections.abc import Iterator

from limpet.rules.check.finding import ERROR, WARNING, Finding
from limpet.rules.format.checks import KINDS, RUN, fault_in, read_check
from limpet.rules.format.domain import CHECK, PATHS, TELL, DomainText, number_of, split_setting
from limpet.rules.format.key_value import FALSE_WORDS, TRUE_WORDS, read_lines, read_list
from limpet.rules.globs import fault_of


def faults_of(value: str) -> Iterator[tuple[str, str, str]]:
    """Yield (glob, fault, hint) of each faulty glob in a list."""
    for glob in read_list(value):
        if fault := fault_of(glob):
            yield glob, fault, "correct the glob; it is ignored"


def check_settings(path: str, text: str, said: DomainText) -> Iterator[Finding]:
    """Yield the findings in the lines of a domain's file that are no rules: ``X_PATHS``, ``X_CHECK_n``,
    ``X_CHECK_TELL``."""
    foreign = {number for number, _ in said.foreign}
    lines = [(number, key, value) for number, key, value in read_lines(text) if value and number not in foreign]
    rules = {number_of(key) for _, key, _ in lines}
    for number, key, value in lines:
        _, kind, rest = split_setting(key)
        if kind == PATHS:
            yield from (
                Finding(ERROR, path, number, f"{key}: {glob} {why}", hint) for glob, why, hint in faults_of(value)
            )
        elif kind == CHECK and rest == TELL:
            if (value or "").lower() not in (*TRUE_WORDS, *FALSE_WORDS):
                yield Finding(ERROR, path, number, f"invalid value {key}={value}, read as no", "write yes or no")
        elif kind == CHECK:
            yield from _check_check(path, number, key, value or "", rest in rules)


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


def check_commands_agreed(path: str, said: DomainText, agreed: tuple[str, ...]) -> Iterator[Finding]:
    """Yield the checks that run a command which nobody agreed to; ``agreed`` are names and command lines."""
    for number, rule, text in said.checks:
        check = read_check(text)
        if check and check.kind == RUN and check.what not in agreed:
            what = f"the check of rule {rule} runs {check.what!r}, which nobody agreed to"
            hint = "review it, then run `limpet config set rules.checks.NAME COMMAND`"
            yield Finding(WARNING, path, number, what, hint)
