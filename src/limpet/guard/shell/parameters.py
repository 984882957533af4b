"""What ``$name`` and ``${name...}`` stand for, as far as the text itself tells."""

from __future__ import annotations

from limpet.guard.shell.command import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.guard.shell.state import Item, State, Tree

    # The texts that a word may stand for.
    Texts = Callable[[Tree], list[str]]


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
    return (UNKNOWN,) if "Slice" in part or "Repl" in part else found


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
    return (UNKNOWN,)
