"""Edits KEY=VALUE text line by line, every other line with its bytes and line ends; and reads the checks of rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import chain

from limpet.ground.values import Value
from limpet.rules.format.domain import read_lines, read_list
from limpet.rules.layout import fault_of

ABSENT, PRESENT, RUN = "absent", "present", "run"
KINDS = (ABSENT, PRESENT, RUN)
# Characters of a regular expression.
LONGEST = 500
# What repeats something an unknown number of times, and a group that is repeated so.
_ENDLESS = re.compile(r"[*+]|\{\d*,\d*\}")


def newline_of(text: str) -> str:
    first = "".join(text.splitlines(keepends=True)[:1])
    return next((end for end in ("\r\n", "\r") if first.endswith(end)), "\n")


def key_of(line: str) -> str:
    found = read_lines(line)
    return found[0][1] if len(found) == 1 and found[0][2] is not None else ""


def value_of(text: str, key: str) -> str:
    return next((value or "" for _, found, value in reversed(read_lines(text)) if found == key), "")


def list_value_of(text: str, key: str) -> str:
    """As its line has it; of several lines, as git leaves them of two branches, what all of them list."""
    values = [value for _, found, value in read_lines(text) if found == key and value]
    return values[0] if len(values) == 1 else ", ".join(dict.fromkeys(chain.from_iterable(map(read_list, values))))


def set_key(text: str, key: str, value: str, beside: Callable[[str], bool]) -> str:
    """In the key's own line, which is then the only one of it, else in a new one after the last whose key is ``beside``
    it, else at the end."""
    lines = text.splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if key_of(line) == key]
    if places:
        lines[places[-1]] = with_line_value(lines[places[-1]], value)
        return "".join(line for place, line in enumerate(lines) if place not in places[:-1])
    return insert(text, [f"{key}={value}"], beside)


def with_line_value(line: str, value: str) -> str:
    bare = line.rstrip()
    key, _, old = bare.partition("=")
    space = old[: len(old) - len(old.lstrip())]
    return f"{key}={space}{value}{line[len(bare) :]}"


def insert(text: str, new: Iterable[str], beside: Callable[[str], bool]) -> str:
    """After the last line whose key is ``beside`` them; at the end, set off by a blank line, where none is."""
    lines, end = text.splitlines(keepends=True), newline_of(text)
    places = [place for place, line in enumerate(lines) if key_of(line) and beside(key_of(line))]
    place = places[-1] + 1 if places else len(lines)
    before = ended(lines[:place], end)
    gap = [end] if before and not places and before[-1].strip() else []
    return "".join([*before, *gap, *(f"{line}{end}" for line in new), *lines[place:]])


def remove_line(text: str, doomed: Callable[[str], bool]) -> str:
    """Where the ``doomed`` lines are a whole paragraph, the blank line before it goes too."""
    lines = text.splitlines(keepends=True)
    gone = {place for place, line in enumerate(lines) if key_of(line) and doomed(key_of(line))}
    starts = [place for place in gone if place - 1 not in gone and place and not lines[place - 1].strip()]
    for start in starts:
        stop = next(place for place in range(start, len(lines) + 1) if place not in gone)
        if stop == len(lines) or not lines[stop].strip():
            gone.add(start - 1)
    return "".join(line for place, line in enumerate(lines) if place not in gone)


def rename_key(text: str, new_name: Callable[[str], str]) -> str:
    renamed = []
    for line in text.splitlines(keepends=True):
        key, start = key_of(line), len(line) - len(line.lstrip())
        renamed.append(line[:start] + new_name(key) + line[start + len(key) :] if key else line)
    return "".join(renamed)


def ended(lines: list[str], end: str) -> list[str]:
    if not lines or lines[-1] not in lines[-1].splitlines():
        return lines
    return [*lines[:-1], lines[-1] + end]


class RuleCheck(Value):
    """``kind``: absent (no file that was written matches the expression), present (each one does) or run.
    ``what``: the regular expression, or the command's name in ``rules.checks``, or the command itself.
    ``globs``: the files that it is about, none for all.
    """

    kind: str
    what: str
    globs: tuple[str, ...] = ()


def read_check(text: str) -> RuleCheck | None:
    kind, divider, rest = text.partition(":")
    what, found, globs = rest.rpartition(" in ")
    if not found:
        what, globs = rest, ""
    if not divider or kind.strip() not in KINDS or not what.strip():
        return None
    return RuleCheck(kind=kind.strip(), what=what.strip(), globs=read_list(globs))


def fault_in(text: str) -> str:
    check = read_check(text)
    if check is None:
        return "is no check"
    faults = (f"{glob} {fault}" for glob in check.globs if (fault := fault_of(glob)))
    return next(faults, "") or ("" if check.kind == RUN else fault_of_expression(check.what))


def fault_of_expression(expression: str) -> str:
    """One that repeats a group with a repetition in it is refused: the time that it takes may double with each
    character."""
    try:
        re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        return f"has an invalid regular expression ({error})"
    if len(expression) > LONGEST:
        return f"has a regular expression of {len(expression)} characters; {LONGEST} are allowed"
    return "repeats a group that holds a repetition, which can take forever" if _is_nested(expression) else ""


def _is_nested(expression: str) -> bool:
    bare = re.sub(r"\\.", "x", expression, flags=re.DOTALL)
    bare = re.sub(r"\[\^?\]?[^\]]*\]", "x", bare)
    holding: list[bool] = [False]
    for place, sign in enumerate(bare):
        if sign == "(":
            holding.append(False)
        elif sign == ")" and len(holding) > 1:
            held, repeated = holding.pop(), bool(_ENDLESS.match(bare, place + 1))
            if held and repeated:
                return True
            holding[-1] = holding[-1] or held or repeated
        elif _ENDLESS.match(bare, place):
            holding[-1] = True
    return False
