"""Interpreters: the languages that they run, and which of their words are code."""

from __future__ import annotations

from holdfast.ground.formats.json_text import read_shipped
from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.guard.shell.command import Command


class Language(Value):
    """How an interpreter takes code, as ``framework/guard.json`` has it; ``operand`` is 0 where operands are files."""

    name: str
    code: str
    values: str = ""
    operand: int = 0


# Languages whose programs take options also after operands.
_ANYWHERE = frozenset(("vim", "psql", "sqlite", "gdb", "r", "erlang", "lisp"))


def language_of(name: str) -> Language | None:
    """Return the language of an interpreter, whatever version its name has, None for other programs."""
    table = read_shipped("guard")["interpreters"]
    row = table.get(name.rstrip("0123456789."))
    return None if row is None else Language(**(table[row] if isinstance(row, str) else row))


def code_of(command: Command, language: Language) -> list[str]:
    """Return the code that a command gives to an interpreter, in its words or as what it is fed with."""
    texts, operands, module = arguments_of(command.words, language)
    if texts or module:
        return texts
    if operands[: language.operand]:
        return [operands[min(language.operand, len(operands)) - 1]]
    return [command.fed] if command.fed and (not operands or operands[0] == "-") else []


def arguments_of(words: tuple[str, ...], language: Language) -> tuple[list[str], list[str], tuple[str, ...]]:
    """Return the texts of code, the operands, and for Python the module that is run with its arguments."""
    codes, values = language.code.split(), language.values.split()
    texts: list[str] = []
    operands: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        option, equals, value = word.partition("=")
        cluster = word[1:2] != "-" and len(word) > 2 and f"-{word[-1]}" in codes and word[1:].isalnum()
        if word == "-m" and language.name == "python":
            return texts, [], words[at + 1 :]
        if word in codes or (cluster and word[:2] not in values):
            texts += words[at + 1 : at + 2]
            at += 2
        elif equals and option in codes:
            texts.append(value)
            at += 1
        elif word[:2] in codes and word[:1] == "-" and word[1:2] != "-":
            texts.append(word[2:])
            at += 1
        elif word[:1] == "-" and len(word) > 1:
            at += 2 if word in values else 1
        elif language.name in _ANYWHERE:
            operands.append(word)
            at += 1
        else:
            return texts, [*operands, *words[at:]], ()
    return texts, operands, ()
