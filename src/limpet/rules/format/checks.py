"""Reads the check of a rule: ``absent:`` or ``present: EXPRESSION in GLOBS``, or ``run: NAME in GLOBS``."""

from __future__ import annotations

import re

from limpet.ground.values import Value
from limpet.rules.format.key_value import read_list
from limpet.rules.globs import fault_of

ABSENT, PRESENT, RUN = "absent", "present", "run"
KINDS = (ABSENT, PRESENT, RUN)
LONGEST = 500
# What repeats something an unknown number of times, and a group that is repeated so.
_ENDLESS = re.compile(r"[*+]|\{\d*,\d*\}")


class RuleCheck(Value):
    """How a rule is checked.

    ``kind``: absent (no file that was written matches the expression), present (each one does) or run.
    ``what``: the regular expression, or the command's name in ``rules.checks``, or the command itself.
    ``globs``: the files that it is about, none for all.
    """

    kind: str
    what: str
    globs: tuple[str, ...] = ()


def read_check(text: str) -> RuleCheck | None:
    """Return the check in a text, None for none."""
    kind, divider, rest = text.partition(":")
    what, found, globs = rest.rpartition(" in ")
    if not found:
        what, globs = rest, ""
    if not divider or kind.strip() not in KINDS or not what.strip():
        return None
    return RuleCheck(kind=kind.strip(), what=what.strip(), globs=read_list(globs))


def fault_in(text: str) -> str:
    """Return what is wrong with the text of a check, "" for nothing."""
    check = read_check(text)
    if check is None:
        return "is no check"
    faults = (f"{glob} {fault}" for glob in check.globs if (fault := fault_of(glob)))
    return next(faults, "") or ("" if check.kind == RUN else fault_of_expression(check.what))


def fault_of_expression(expression: str) -> str:
    """Return what is wrong with a regular expression, "" for nothing.

    One that repeats a group with a repetition in it is refused: the time that it takes may double with each character.
    """
    try:
        re.compile(expression)
    except (re.error, RecursionError, OverflowError) as error:
        return f"has an invalid regular expression ({error})"
    if len(expression) > LONGEST:
        return f"has a regular expression of {len(expression)} characters; {LONGEST} are allowed"
    return "repeats a group that holds a repetition, which can take forever" if _is_nested(expression) else ""


def _is_nested(expression: str) -> bool:
    """Return whether a group that holds an endless repetition is itself repeated endlessly."""
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
