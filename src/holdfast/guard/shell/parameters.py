"""What ``$name`` and ``${name...}`` stand for, as far as the text itself tells."""

from __future__ import annotations

from holdfast.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.guard.shell.state import Item, State, Tree

    # The texts that a word may stand for.
    Texts = Callable[[Tree], list[str]]

_MARKS = frozenset("*?[")


def values_of(part: Tree, state: State, texts: Texts) -> tuple[Item, ...]:
    """Return the possible values of one ``ParamExp`` of shfmt's tree."""
    name = part["Param"]["Value"]
    found = state.values(name)
    if part.get("Excl"):
        return () if part.get("Names") else _indirect(found, state)
    if part.get("Length"):
        return tuple(str(len(each)) if isinstance(each, str) and UNKNOWN not in each else UNKNOWN for each in found)
    if "Index" in part:
        found = tuple(_item(each, part["Index"]) for each in found)
    if "Exp" in part:
        return _with_operator(part["Exp"], name, found, state, texts)
    if "Slice" in part:
        return tuple(_slice(each, part["Slice"]) for each in found)
    if "Repl" in part:
        return tuple(_replaced(each, part["Repl"], texts) for each in found)
    return found


def _indirect(found: tuple[Item, ...], state: State) -> tuple[Item, ...]:
    return tuple(value for each in found for value in (state.values(each) if isinstance(each, str) else (UNKNOWN,)))


def _literal(tree: Tree) -> str:
    """Return a word or an expression that is a plain text, "" where it is more."""
    parts = tree.get("Parts", ())
    if tree.get("Type") == "UnaryArithm" and tree.get("Op") == "-":
        return "-" + _literal(tree["X"])
    return str(parts[0].get("Value", "")) if len(parts) == 1 else ""


def _item(value: Item, index: Tree) -> Item:
    at = _literal(index)
    if at in ("@", "*"):
        return (value,) if isinstance(value, str) else value
    items = (value,) if isinstance(value, str) else value
    if not at.lstrip("-").isdecimal():
        return UNKNOWN
    return items[int(at)] if -len(items) <= int(at) < len(items) else ""


def _with_operator(exp: Tree, name: str, found: tuple[Item, ...], state: State, texts: Texts) -> tuple[Item, ...]:
    operator = exp["Op"]
    given: tuple[Item, ...] = tuple(texts(exp["Word"])) if exp.get("Word") else ("",)
    if operator in (":-", "-", ":=", "="):
        is_open = found == (UNKNOWN,) and name not in state.variables
        values = (*(each for each in found if each), *(given if is_open or "" in found else ()))
        if "=" in operator:
            state.set(name, values)
        return values
    if operator in (":+", "+"):
        return (*given, "") if found == (UNKNOWN,) else given if any(found) else ("",)
    if operator in (":?", "?"):
        return found
    return tuple(_cut(each, operator, given) for each in found)


def _cut(value: Item, operator: str, given: tuple[Item, ...]) -> Item:
    pattern = given[0] if len(given) == 1 and isinstance(given[0], str) else UNKNOWN
    if not isinstance(value, str) or UNKNOWN in value + pattern:
        return UNKNOWN if isinstance(value, str) else (UNKNOWN,)
    if operator in ("^^", "^"):
        return value.upper() if operator == "^^" else value[:1].upper() + value[1:]
    if operator in (",,", ","):
        return value.lower() if operator == ",," else value[:1].lower() + value[1:]
    if operator in ("#", "##", "%", "%%"):
        return _without(value, pattern, operator)
    return UNKNOWN


def _without(value: str, pattern: str, operator: str) -> str:
    """Return a value without the start or the end that a pattern fits, the shortest or the longest."""
    from fnmatch import fnmatchcase

    lengths = range(len(value) + 1) if len(operator) == 1 else range(len(value), -1, -1)
    for length in lengths:
        if operator[0] == "#" and fnmatchcase(value[:length], pattern):
            return value[length:]
        if operator[0] == "%" and fnmatchcase(value[len(value) - length :], pattern):
            return value[: len(value) - length]
    return value


def _slice(value: Item, part: Tree) -> Item:
    start, length = (_literal(part[key]) if part.get(key) else "" for key in ("Offset", "Length"))
    has_length = bool(part.get("Length"))
    numbers = [each.strip() for each in (start, length) if each or has_length]
    if isinstance(value, str) and UNKNOWN in value:
        return UNKNOWN
    if not all(each.lstrip("-").isdecimal() for each in numbers):
        return UNKNOWN if isinstance(value, str) else (UNKNOWN,)
    first = int(start or 0)
    rest = value[first:]
    if not has_length:
        return rest
    return rest[: int(length)]


def _replaced(value: Item, part: Tree, texts: Texts) -> Item:
    old, new = (texts(part[key]) if part.get(key) else [""] for key in ("Orig", "With"))
    if not isinstance(value, str) or len(old) + len(new) > 2 or UNKNOWN in value + old[0] + new[0]:
        return UNKNOWN
    if not old[0] or not _MARKS.isdisjoint(old[0]) or old[0][0] in "#%":
        return UNKNOWN
    return value.replace(old[0], new[0], -1 if part.get("All") else 1)
