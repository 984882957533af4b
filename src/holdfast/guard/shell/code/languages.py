"""Interpreters: the languages that they run, and which of their words are code."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.guard.shell.command import Command


class Language(Value):
    """How an interpreter takes code.

    ``name``: the language.
    ``code``: its options whose value is code.
    ``values``: its other options that take a value.
    ``operand``: the operand that is code, counted from 1; 0 where operands are files.
    """

    name: str
    code: str
    values: str = ""
    operand: int = 0


_PYTHON = Language("python", "-c", "-m -W -X --check-hash-based-pycs")
_NODE = Language("javascript", "-e --eval -p --print -pe", "-r --require --import --loader -C --conditions")
# The name without the digits of a version -> how it takes code.
INTERPRETERS: dict[str, Language] = {
    "python": _PYTHON,
    "pypy": _PYTHON,
    "ipython": _PYTHON,
    "node": _NODE,
    "nodejs": _NODE,
    "bun": _NODE,
    "deno": Language("javascript", "eval -e --eval", ""),
    "tsx": _NODE,
    "ts-node": _NODE,
    "perl": Language("perl", "-e -E", "-I -M"),
    "ruby": Language("ruby", "-e", "-I -r"),
    "php": Language("php", "-r -B -R -E", "-d -c -f"),
    "lua": Language("lua", "-e", "-l"),
    "luajit": Language("lua", "-e", "-l"),
    "awk": Language("awk", "", "-F -v --assign --field-separator", 1),
    "gawk": Language("awk", "-e --source", "-F -v", 1),
    "mawk": Language("awk", "", "-F -v", 1),
    "nawk": Language("awk", "", "-F -v", 1),
    "Rscript": Language("r", "-e", ""),
    "R": Language("r", "-e", ""),
    "julia": Language("julia", "-e --eval -E", ""),
    "elixir": Language("elixir", "-e --eval", "-r -S -pr"),
    "erl": Language("erlang", "-eval", "-pa -s -name"),
    "osascript": Language("applescript", "-e", "-l"),
    "tclsh": Language("tcl", "", ""),
    "expect": Language("tcl", "-c", ""),
    "groovy": Language("groovy", "-e", ""),
    "scala": Language("groovy", "-e", ""),
    "ghc": Language("haskell", "-e", ""),
    "vim": Language("vim", "-c --cmd", "-u -S -s"),
    "nvim": Language("vim", "-c --cmd", "-u -S -s"),
    "vi": Language("vim", "-c", "-u -S"),
    "ex": Language("vim", "-c", ""),
    "ed": Language("vim", "", "-p"),
    "emacs": Language("lisp", "--eval --execute", "-l -f"),
    "gdb": Language("gdb", "-ex --eval-command", "-x -p"),
    "psql": Language("psql", "-c --command", "-h -p -U -d -f -v -o -F -P -R -T"),
    "sqlite": Language("sqlite", "-cmd", "", 2),
}
# Languages whose programs take options also after operands.
_ANYWHERE = frozenset(("vim", "psql", "sqlite", "gdb", "r", "erlang", "lisp"))


def language_of(name: str) -> Language | None:
    """Return the language of an interpreter, whatever version its name has, None for other programs."""
    return INTERPRETERS.get(name.rstrip("0123456789."))


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
